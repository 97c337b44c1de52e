/** The inline styles of messages, since many mail programs ignore style sheets. Converts rich text for messages. */
import { isRightToLeft } from "../../../schema/core/direction.ts";
import type { MessageBranding } from "../../shared/message.ts";

export const FONT_STACK = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

const TEXT_STYLE = {
  margin: "0 0 16px",
  color: "#24292e",
  fontFamily: FONT_STACK,
  fontSize: 16,
  lineHeight: "24px",
  overflowWrap: "anywhere",
} as const;

const QUIET_TEXT_STYLE = {
  ...TEXT_STYLE,
  margin: "0 0 4px",
  color: "#5c6670",
  fontSize: 13,
  lineHeight: "18px",
} as const;

export const MESSAGE_STYLES = {
  card: { maxWidth: 600, background: "#ffffff", borderRadius: 10 },
  content: { padding: "24px 28px 12px", borderRadius: 10, fontFamily: FONT_STACK },
  /** The lines below the message's box, as wide as the text in the box. */
  footer: {
    maxWidth: 544,
    margin: "16px auto 0",
    padding: "0 28px",
    textAlign: "center",
    textWrap: "balance",
  },
  title: { ...TEXT_STYLE, margin: "0 0 18px", color: "#15181b", fontSize: 22, lineHeight: "28px" },
  heading: { ...TEXT_STYLE, margin: "24px 0 10px", color: "#15181b", fontSize: 18 },
  text: TEXT_STYLE,
  quiet: QUIET_TEXT_STYLE,
  quote: {
    ...QUIET_TEXT_STYLE,
    margin: "0 0 16px",
    padding: "0 14px",
    borderInlineStart: "3px solid #c9ced4",
    fontSize: 15,
    lineHeight: "22px",
  },
  button: {
    display: "inline-block",
    padding: "13px 22px",
    borderRadius: 8,
    fontFamily: FONT_STACK,
    fontSize: 16,
    fontWeight: 600,
    textDecoration: "none",
  },
  line: { margin: "8px 0 24px", border: 0, borderTop: "1px solid #dfe2e6" },
  /** The preview text, which inboxes show beside the subject. It is hidden in the message itself. */
  hidden: { display: "none", maxHeight: 0, overflow: "hidden" },
} as const;

/** The declarations for dark mode, by class. */
const DARK_STYLES = {
  page: "background: #111315",
  card: "background: #1b1e21",
  text: "color: #e8eaed",
  "text a": "color: #9fc5ff",
  quiet: "color: #a9afb6",
  quote: "color: #a9afb6; border-color: #3a3f45",
  line: "border-color: #3a3f45",
};

/** Returns the rules for dark mode twice: Outlook.com recolors messages, and marks the elements with `data-ogsc`. */
export function createDarkModeCss(): string {
  return `@media (prefers-color-scheme: dark) {\n${formatDarkRules("")}\n}\n${formatDarkRules("[data-ogsc] ")}`;
}

const formatDarkRules = (prefix: string) =>
  Object.entries(DARK_STYLES)
    .map(
      ([name, rule]) => `${prefix}.${name} { ${rule.replaceAll(";", " !important;")} !important; }`,
    )
    .join("\n");

const RTL_LANGUAGES_PATTERN = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/i;

/** Returns a text's direction by its first letter, else by its language: few mail programs support `dir="auto"`. */
export function getTextDirection(text: string, language: string): "ltr" | "rtl" {
  return (isRightToLeft(text) ?? RTL_LANGUAGES_PATTERN.test(language)) ? "rtl" : "ltr";
}

/** The styles of elements in an owner's rich text. An element's own `style` follows and overrides them. */
const RICH_TEXT_STYLES: Readonly<Record<string, string>> = {
  p: "margin:0 0 16px",
  h1: "margin:24px 0 10px;font-size:22px;line-height:28px",
  h2: "margin:24px 0 10px;font-size:20px;line-height:26px",
  h3: "margin:20px 0 8px;font-size:17px;line-height:24px",
  // The padding is on both sides, since right-to-left lists have their markers on the right.
  ul: "margin:0 0 16px;padding:0 24px",
  ol: "margin:0 0 16px;padding:0 24px",
  li: "margin:0 0 6px",
  blockquote: "margin:0 0 16px;padding:0 14px;border-inline-start:3px solid #c9ced4",
  a: "color:#0b57d0",
  img: "display:block;max-width:100%;height:auto;border-radius:6px",
};

/** Adds inline styles to sanitized HTML, makes its URLs absolute, and adapts its pictures to mail programs. */
export function inlineStyles(
  html: string,
  { siteUrl = "", findPictureByName }: Pick<MessageBranding, "siteUrl" | "findPictureByName">,
): string {
  const rewriter = new HTMLRewriter();
  rewriter.on("img", {
    element(element) {
      const [, name = ""] = UPLOAD_PATH_PATTERN.exec(element.getAttribute("src") ?? "") ?? [];
      const picture = findPictureByName?.(name);
      if (!picture) return;
      if (picture.filename) element.setAttribute("src", `${siteUrl}/uploads/${picture.filename}`);
      // Outlook for Windows uses only `width`. The editor's `height` would distort a picture whose width is limited.
      const editorWidth = Number(element.getAttribute("width")) || picture.width;
      element.setAttribute("width", String(Math.min(editorWidth, picture.width)));
      element.removeAttribute("height");
    },
  });
  for (const [tag, style] of Object.entries(RICH_TEXT_STYLES))
    rewriter.on(tag, {
      element(element) {
        element.setAttribute("style", [style, element.getAttribute("style") ?? ""].join(";"));
        for (const name of ["href", "src"]) {
          const url = element.getAttribute(name);
          if (url?.startsWith("/")) element.setAttribute(name, siteUrl + url);
        }
      },
    });
  return rewriter.transform(html);
}

/** Matches the URL of an uploaded picture or of a scaled copy of it, at any origin. */
const UPLOAD_PATH_PATTERN = /\/uploads\/([0-9a-f]{32})(?:-\d{2,4})?\.[a-z]{3,4}$/;

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** Matches a link. Its text ends at the next `<a` or `</a`, so matching many unclosed links takes linear time. */
const LINK_PATTERN = /<a\b([^<>]*)>((?:[^<]|<(?!\/?a\b))*)<\/a>/g;

/** Converts sanitized HTML to plain text with paragraphs, dashes for list items, and URLs after their links. */
export function convertHtmlToPlainText(html: string, siteUrl = ""): string {
  return html
    .replace(/\s+/g, (whitespace) => (whitespace.includes("\n") ? " " : whitespace))
    .replace(LINK_PATTERN, (link, attributes: string, text: string) => {
      const href = /\bhref="([^"]*)"/.exec(attributes)?.[1];
      if (href === undefined) return link;
      const url = href.startsWith("/") ? siteUrl + href : href;
      return url === text.trim() ? url : `${text} (${url})`;
    })
    .replace(/<img\b[^<>]*>/g, (tag) => tag.replace(/^.*?\balt="([^"]+)".*$/s, "[$1]"))
    .replace(/<li\b[^<>]*>/g, "\n- ")
    .replace(/<br\b[^<>]*>/g, "\n")
    .replace(/<\/(?:p|h[1-3]|ul|ol|blockquote)>/g, "\n\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => HTML_ENTITIES[entity] ?? entity)
    .replace(/[ \t\n]+/g, (whitespace) =>
      whitespace.includes("\n") ? whitespace.replace(/[ \t]+/g, "") : whitespace,
    )
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
