/** Cleans pasted HTML to what the site keeps (specification, section 5.8): text and its meaning. */
import { safePictureUrl, safeUrl } from "../../../schema/safeUrl.ts";

/** Kept without attributes. */
const KEPT = new Set("P H1 H2 H3 UL OL LI BLOCKQUOTE BR A STRONG B EM I U S IMG".split(" "));
/** Removed with their content. */
const GONE = new Set(
  "SCRIPT STYLE META LINK TITLE HEAD SVG MATH IFRAME OBJECT EMBED TEMPLATE NOSCRIPT SELECT BUTTON INPUT TEXTAREA".split(
    " ",
  ),
);
/** Turned into paragraphs unless they contain a block. */
const BLOCKS =
  "P, H1, H2, H3, H4, H5, H6, UL, OL, LI, BLOCKQUOTE, DIV, TABLE, PRE, SECTION, ARTICLE";

/** Separates a row's cells. */
const BETWEEN = " · ";

/** Clipboard HTML for the editor: tables as lines, without pictures of other sites. */
export function cleanPasted(html: string): string {
  // CSP reports a stylesheet even if nothing is rendered.
  const plain = html.replaceAll(/<style[\s>](?:[^<]|<(?!\/?style))*<\/style>/gi, "");
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  for (const table of body.querySelectorAll("table")) table.replaceWith(...linesOf(table));
  clean(body);
  return body.innerHTML.trim();
}

/** A paragraph per row, with its cells. */
function linesOf(table: HTMLTableElement): HTMLElement[] {
  return [...table.rows].flatMap((row) => {
    const cells = [...row.cells].map(({ textContent }) => textContent.replace(/\s+/g, " ").trim());
    const line = document.createElement("p");
    line.textContent = cells.filter(Boolean).join(BETWEEN);
    return line.textContent ? [line] : [];
  });
}

function clean(parent: Element): void {
  for (const node of parent.childNodes) if (node.nodeType === Node.COMMENT_NODE) node.remove();
  for (const child of Array.from(parent.children)) {
    if (GONE.has(child.tagName)) {
      child.remove();
      continue;
    }
    clean(child);
    settle(child);
  }
}

/** Keeps an element without attributes, or replaces it by its meaning. */
function settle(element: Element): void {
  const { tagName } = element;
  if (tagName === "IMG") return keepPicture(element as HTMLImageElement);
  if (tagName === "A") return keepLink(element as HTMLAnchorElement);
  if (KEPT.has(tagName)) return strip(element);
  if (/^(?:H[4-6]|PRE)$/.test(tagName)) return become(element, "p");
  if (/^(?:DEL|STRIKE)$/.test(tagName)) return become(element, "s");
  if (element.matches(BLOCKS) && !element.querySelector(BLOCKS)) return become(element, "p");
  const { fontWeight, fontStyle } = (element as HTMLElement).style ?? {};
  if (Number(fontWeight) >= 600 || fontWeight === "bold") return become(element, "strong");
  if (fontStyle === "italic") return become(element, "em");
  element.replaceWith(...element.childNodes);
}

function become(element: Element, name: string): void {
  const kept = document.createElement(name);
  kept.append(...element.childNodes);
  element.replaceWith(kept);
}

function strip(element: Element): void {
  for (const { name } of Array.from(element.attributes)) element.removeAttribute(name);
}

/** Only this site's pictures: every visitor would request another's. */
function keepPicture(picture: HTMLImageElement): void {
  const [source, alt] = [picture.getAttribute("src") ?? "", picture.alt];
  if (!source.startsWith("/") || !safePictureUrl(source)) return picture.remove();
  strip(picture);
  picture.setAttribute("src", source);
  if (alt) picture.setAttribute("alt", alt);
}

function keepLink(link: HTMLAnchorElement): void {
  const address = safeUrl(link.getAttribute("href") ?? "");
  if (!address) return link.replaceWith(...link.childNodes);
  strip(link);
  link.setAttribute("href", address);
}
