/**
 * Reads pasted HTML for what it means, and writes only what the site keeps (specification, section 5.8): styles count
 * before names, and what browsers show as a block ends a paragraph.
 */
import { richLink, richStyle } from "../../../schema/richTextRules.ts";
import { safePictureUrl } from "../../../schema/safeUrl.ts";
import { hasBlockStyle, isHidden, marksOf, spreadSheets } from "./pastedStyles.ts";
import { PastedWriter, type TextStyle } from "./pastedWriter.ts";
import { rebuildWordLists } from "./wordLists.ts";

/** Left out with their content. */
const GONE = new Set(
  "SCRIPT STYLE META LINK TITLE HEAD SVG MATH IFRAME OBJECT EMBED TEMPLATE NOSCRIPT SELECT BUTTON INPUT TEXTAREA CANVAS AUDIO VIDEO".split(
    " ",
  ),
);

/** Every element that browsers show as a block (HTML, section 15.3), but for lists and quotes. */
const BLOCKS = new Set(
  "ADDRESS ARTICLE ASIDE BODY CAPTION CENTER DD DETAILS DIALOG DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR LEGEND LISTING MAIN MENU NAV OPTGROUP OPTION P PLAINTEXT PRE SEARCH SECTION SUMMARY TBODY TD TFOOT TH THEAD TR XMP".split(
    " ",
  ),
);

/** Separates a row's cells. */
const BETWEEN = " · ";

/** Clipboard HTML for the editor: without looks, tables as lines, no pictures of other sites. */
export function cleanPasted(html: string): string {
  // CSP reports a stylesheet even if nothing is rendered.
  const sheets: string[] = [];
  const plain = html.replaceAll(/<style[\s>](?:[^<]|<(?!\/?style))*<\/style>/gi, (sheet) => {
    sheets.push(sheet.slice(sheet.indexOf(">") + 1, sheet.lastIndexOf("<")));
    return "";
  });
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  spreadSheets(body, sheets);
  rebuildWordLists(body);
  const writer = new PastedWriter();
  readAll(body, { writer, marks: [], isPreformatted: false });
  return writer.html();
}

interface Reading extends TextStyle {
  readonly writer: PastedWriter;
}

function readAll(parent: Node, reading: Reading): void {
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) reading.writer.text(node.textContent ?? "", reading);
    else if (node.nodeType === Node.ELEMENT_NODE) readElement(node as HTMLElement, reading);
  }
}

function readElement(element: HTMLElement, around: Reading): void {
  const { tagName } = element;
  const { writer } = around;
  if (GONE.has(tagName) || isHidden(element)) return;
  const reading = { ...around, ...meaningOf(element, around) };
  const inside = () => readAll(element, reading);
  // Of looks only what another editor says in classes.
  const style = richStyle("", element.className);
  if (tagName === "BR")
    return element.className === "Apple-interchange-newline" ? undefined : writer.br();
  if (tagName === "IMG") return writePicture(element as HTMLImageElement, reading);
  if (tagName === "TABLE") return readTable(element as HTMLTableElement, reading);
  if (tagName === "UL" || tagName === "OL" || tagName === "MENU" || tagName === "DIR")
    return writer.list(tagName === "OL" ? "ol" : "ul", inside);
  if (tagName === "LI") return writer.item(inside, style);
  if (tagName === "BLOCKQUOTE") return writer.quote(inside);
  if (/^H[1-3]$/.test(tagName)) return writer.block(tagName.toLowerCase(), inside, style);
  if (BLOCKS.has(tagName) || hasBlockStyle(element)) return writer.block("p", inside, style);
  inside();
}

function meaningOf(element: HTMLElement, { marks, isPreformatted }: Reading) {
  const { whiteSpace } = element.style;
  const keepsBreaks =
    /^pre|break-spaces/.test(whiteSpace) || /^(?:PRE|XMP|LISTING)$/.test(element.tagName);
  const isLink = element.tagName === "A";
  const address = isLink ? richLink(element.getAttribute("href")) : undefined;
  const others = isLink ? marks.filter(({ tag }) => tag !== "a") : marks;
  return {
    marks: marksOf(element, address ? [...others, { tag: "a", address }] : others),
    isPreformatted: keepsBreaks || (isPreformatted && !/^(?:normal|nowrap)$/.test(whiteSpace)),
  };
}

/** A line per row, with its cells; a row with one cell, or with tables in it, only arranges what it holds. */
function readTable(table: HTMLTableElement, reading: Reading): void {
  const { writer } = reading;
  const { caption } = table;
  if (caption) writer.block("p", () => readAll(caption, reading));
  for (const row of table.rows) {
    const cells = [...row.cells].filter(({ textContent }) => textContent.trim() !== "");
    const isLayout = cells.length < 2 || cells.some((cell) => cell.querySelector("table, ul, ol"));
    if (isLayout) for (const cell of row.cells) readElement(cell, reading);
    else
      writer.oneLine(() => {
        for (const [index, cell] of cells.entries()) {
          if (index > 0) writer.between(BETWEEN);
          readAll(cell, { ...reading, ...meaningOf(cell, reading) });
        }
      });
  }
}

/** Only this site's pictures: every visitor would request another's. An emoji is text. */
function writePicture(picture: HTMLImageElement, reading: Reading): void {
  const [source, { alt }] = [picture.getAttribute("src") ?? "", picture];
  if (source.startsWith("/") && safePictureUrl(source)) reading.writer.picture(source, alt);
  else if (alt.length <= 16 && /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(alt))
    reading.writer.text(alt, reading);
}

/** Pasted text as HTML: an empty line begins a paragraph, any other break a line. */
export function pastedText(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\r\n?|[\v\f\u2028\u2029]/g, "\n")
    .replaceAll("\0", "")
    .trimEnd();
  const paragraphs = escaped.split(/\n(?:[ \t]*\n)+/).map((each) => each.replaceAll("\n", "<br>"));
  return paragraphs.length === 1
    ? (paragraphs[0] ?? "")
    : paragraphs.map((each) => `<p>${each}</p>`).join("");
}
