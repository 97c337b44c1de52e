/** Interprets the styles of pasted HTML. */

export interface TextMark {
  readonly tag: "a" | "strong" | "em" | "u" | "s";
  readonly address?: string;
}

/** Tags that browsers display as emphasis, unless a style overrides them. */
const MARK_BY_TAG: Readonly<Record<string, TextMark["tag"]>> = {
  B: "strong",
  STRONG: "strong",
  I: "em",
  EM: "em",
  CITE: "em",
  DFN: "em",
  VAR: "em",
  U: "u",
  INS: "u",
  S: "s",
  STRIKE: "s",
  DEL: "s",
};

/** The order in which marks are nested, outermost first. */
const MARK_ORDER: readonly TextMark["tag"][] = ["a", "strong", "em", "u", "s"];

/** Returns the marks of an element's text, including `outerMarks`. A style takes precedence over the tag. */
export function findMarks(
  element: HTMLElement,
  outerMarks: readonly TextMark[],
): readonly TextMark[] {
  const { tagName, style } = element;
  const marks = new Map(outerMarks.map((mark) => [mark.tag, mark]));
  const setMark = (tag: TextMark["tag"], isOn: boolean | undefined) => {
    if (isOn === true) marks.set(tag, { tag });
    else if (isOn === false) marks.delete(tag);
  };
  const decoration = `${style.textDecoration} ${style.textDecorationLine}`;
  const hasLine = (line: "underline" | "line-through", tag: "u" | "s") => {
    if (decoration.includes(line)) return true;
    // "none" removes the underline or strikethrough of this element's tag, but not that of its parent.
    return decoration.includes("none") ? undefined : isMarkTag(tagName, tag);
  };
  setMark("strong", isBold(style.fontWeight) ?? isMarkTag(tagName, "strong"));
  setMark("em", isItalic(style.fontStyle) ?? isMarkTag(tagName, "em"));
  setMark("u", hasLine("underline", "u"));
  setMark("s", hasLine("line-through", "s"));
  // Links are always underlined.
  if (marks.has("a")) marks.delete("u");
  return MARK_ORDER.flatMap((tag) => marks.get(tag) ?? []);
}

const isMarkTag = (tagName: string, tag: TextMark["tag"]) =>
  MARK_BY_TAG[tagName] === tag ? true : undefined;

function isBold(weight: string): boolean | undefined {
  if (weight.startsWith("bold")) return true;
  if (/^(?:normal|lighter)$/.test(weight)) return false;
  return /^\d+$/.test(weight) ? Number(weight) >= 600 : undefined;
}

function isItalic(style: string): boolean | undefined {
  if (/^(?:italic|oblique)/.test(style)) return true;
  return style === "normal" ? false : undefined;
}

/** Whether an element isn't visible text: it is hidden, only for screen readers, or a reviewer's comment from Word. */
export const isHidden = (element: HTMLElement) =>
  element.hidden ||
  element.style.display === "none" ||
  element.style.visibility === "hidden" ||
  /^rect\((?:[01](?:px)?[, ]*){4}\)$/.test(element.style.clip) ||
  /(?:^|\s)(?:visually-hidden|sr-only|screen-reader-text|MsoCommentReference)(?:\s|$)/.test(
    element.className,
  ) ||
  /mso-(?:hide:\s*all|list:\s*ignore|element:\s*comment)/i.test(
    element.getAttribute("style")?.slice(0, 4000) ?? "",
  );

export const hasBlockStyle = ({ style }: HTMLElement) =>
  /^(?:block|flex|grid|list-item|table|table-row|flow-root)$/.test(style.display);

const MEANINGFUL_PROPERTIES = [
  "font-weight",
  "font-style",
  "text-decoration",
  "text-decoration-line",
  "display",
];

/**
 * Copies the rules of pasted stylesheets to the elements, unless their own `style` has the same property. The apps
 * Pages and Notes mark bold and underlined text only in stylesheets.
 */
export function inlineStyleSheets(body: HTMLElement, sheets: readonly string[]): void {
  for (const css of sheets) {
    const sheet = new CSSStyleSheet();
    // An HTML comment may surround the rules.
    sheet.replaceSync(css.replace(/^\s*<!--/, "").replace(/-->\s*$/, ""));
    for (const rule of sheet.cssRules) if (rule instanceof CSSStyleRule) inlineRule(body, rule);
  }
}

function inlineRule(body: HTMLElement, { selectorText, style }: CSSStyleRule): void {
  const properties = MEANINGFUL_PROPERTIES.filter((name) => style.getPropertyValue(name) !== "");
  if (properties.length === 0) return;
  for (const element of body.querySelectorAll<HTMLElement>(selectorText))
    for (const name of properties)
      if (!element.style.getPropertyValue(name) || element.hasAttribute(`data-${name}`)) {
        element.style.setProperty(name, style.getPropertyValue(name));
        element.setAttribute(`data-${name}`, "");
      }
}
