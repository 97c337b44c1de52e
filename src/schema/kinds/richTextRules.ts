/** The tags and styles that rich text may contain (specification, section 5.8), for the editor and the server. */
import { toSafePictureUrl } from "../core/safeUrl.ts";

export const RICH_TAGS = "p a strong b em i u s ul ol li h1 h2 h3 blockquote br span img".split(
  " ",
);

/** Block elements except lists (HTML, section 15.3). In pasted content, `tr` ends a line, all others a paragraph. */
export const OTHER_BLOCK_TAGS: readonly string[] =
  "address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form h4 h5 h6 header hgroup hr legend listing main nav optgroup option plaintext pre search section summary table tbody td tfoot th thead tr xmp".split(
    " ",
  );

/** The text that separates the cells of a table's row, since rich text has no tables. */
export const CELL_SEPARATOR = " · ";

/** The maximum number of levels of an indent or of a nested list. */
export const MAX_INDENT_LEVELS = 8;
/** The width of one level of indent in the editor, in pixels. */
export const INDENT_STEP_PX = 20;

export const DATA_PICTURE_PATTERN = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/=\s]+$/i;

/** Returns a picture's address if it is a data URL or a URL that `toSafePictureUrl` accepts, else undefined. */
export const filterRichPicture = (address: string): string | undefined =>
  DATA_PICTURE_PATTERN.test(address) ? address : toSafePictureUrl(address);

const COLOR_PATTERN =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/-]{1,40}\)|[a-z]{3,20})$/i;
const ALIGNMENT_PATTERN = /^(?:left|right|center|justify)$/;

const filterColor = (value: string) => (COLOR_PATTERN.test(value) ? value : undefined);
const filterAlignment = (value: string) => (ALIGNMENT_PATTERN.test(value) ? value : undefined);

/** The allowed styles. Each function returns the value in its allowed form, or undefined if the value isn't allowed. */
const STYLE_FILTERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  color: filterColor,
  "background-color": filterColor,
  "text-align": filterAlignment,
  "margin-left": normalizeRichIndent,
  "padding-left": normalizeRichIndent,
};

/** The number of characters of a `style` or `class` attribute that are read; the rest is ignored. */
const MAX_STYLE_LENGTH = 2000;

/** Returns a `style` attribute with the allowed styles, including those of Quill's classes; empty without any. */
export function normalizeRichStyle(style = "", className = ""): string {
  const styles = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_LENGTH).split(";")) {
    const colonIndex = declaration.indexOf(":");
    const name = declaration.slice(0, Math.max(0, colonIndex)).trim().toLowerCase();
    const value = Object.hasOwn(STYLE_FILTERS, name)
      ? STYLE_FILTERS[name]?.(declaration.slice(colonIndex + 1).trim())
      : undefined;
    if (value) styles.set(name, value);
  }
  for (const [name, value] of parseQuillStyles(className.slice(0, MAX_STYLE_LENGTH)))
    if (!styles.has(name)) styles.set(name, value);
  return Array.from(styles, ([name, value]) => `${name}:${value}`).join(";");
}

/** Rounds an indent to steps of 10 px or 1 em, up to eight levels; undefined if it is invalid or rounds to zero. */
export function normalizeRichIndent(value: string): string | undefined {
  const [, amount = "", unit = ""] = /^(\d{1,4}(?:\.\d{1,4})?)(px|pt|r?em)$/i.exec(value) ?? [];
  if (unit === "") return undefined;
  if (/em$/i.test(unit))
    return formatCappedLength(Math.round(Number(amount)), MAX_INDENT_LEVELS, "em");
  const pixels = Number(amount) * (/pt/i.test(unit) ? 4 / 3 : 1);
  return formatCappedLength(10 * Math.round(pixels / 10), MAX_INDENT_LEVELS * INDENT_STEP_PX, "px");
}

const formatCappedLength = (count: number, max: number, unit: string) =>
  count > 0 ? `${Math.min(count, max)}${unit}` : undefined;

/** Yields the styles for the classes that Quill, an earlier editor, used for indents and alignment. */
function* parseQuillStyles(className: string): Generator<[string, string]> {
  const [, levels] = /(?:^|\s)ql-indent-(\d{1,2})(?:\s|$)/.exec(className) ?? [];
  const indentLevels = Math.min(Number(levels ?? 0), MAX_INDENT_LEVELS);
  if (indentLevels > 0) yield ["margin-left", `${indentLevels * INDENT_STEP_PX}px`];
  const [, side] = /(?:^|\s)ql-align-(left|right|center|justify)(?:\s|$)/.exec(className) ?? [];
  if (side) yield ["text-align", side];
}
