/** Converts pasted HTML to the content that the site stores (specification, section 5.8). */
import {
  CELL_SEPARATOR,
  DATA_PICTURE_PATTERN,
  OTHER_BLOCK_TAGS,
  normalizeRichStyle,
} from "../../../schema/kinds/richTextRules.ts";
import { toSafePictureUrl, toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { hasBlockStyle, isHidden, findMarks, inlineStyleSheets } from "./pastedStyles.ts";
import { PastedWriter, type TextStyle } from "./pastedWriter.ts";
import { rebuildPastedLists } from "./pastedLists.ts";
import type { IJodit } from "jodit/esm/types/jodit";

/** Elements to remove with their content, by `localName`, since the `tagName` of SVG and MathML isn't uppercase. */
const REMOVED_TAGS = new Set(
  "script style meta link title head xml svg math iframe object embed template noscript select button input textarea canvas audio video".split(
    " ",
  ),
);

const BLOCK_TAGS = new Set(["p", ...OTHER_BLOCK_TAGS]);

interface PastedContent {
  /** The HTML to insert. Pictures from other sites are removed. */
  readonly html: string;
  /** Pictures that were embedded as data: URLs and must be uploaded. */
  readonly pictures: readonly File[];
}

export function cleanPastedHtml(html: string): PastedContent {
  // Style elements are removed before parsing, since CSP would report them although nothing is rendered.
  const sheets: string[] = [];
  const markup = html.replaceAll(/<style[\s>](?:[^<]|<(?!\/?style))*<\/style>/gi, (sheet) => {
    sheets.push(sheet.slice(sheet.indexOf(">") + 1, sheet.lastIndexOf("<")));
    return "";
  });
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  inlineStyleSheets(body, sheets);
  rebuildPastedLists(body);
  const writer = new PastedWriter();
  const pictures: File[] = [];
  readChildren(body, { writer, pictures, marks: [], isPreformatted: false });
  return { html: writer.toHtml(), pictures };
}

interface ReadingContext extends TextStyle {
  readonly writer: PastedWriter;
  readonly pictures: File[];
}

function readChildren(parent: Node, context: ReadingContext): void {
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) context.writer.writeText(node.textContent ?? "", context);
    else if (node.nodeType === Node.ELEMENT_NODE) readElement(node as HTMLElement, context);
  }
}

function readElement(element: HTMLElement, outerContext: ReadingContext): void {
  const { tagName } = element;
  const { writer } = outerContext;
  if (REMOVED_TAGS.has(element.localName) || isHidden(element)) return;
  const context = { ...outerContext, ...readElementStyle(element, outerContext) };
  const readContent = () => readChildren(element, context);
  // Only classes of the editor Quill are kept, converted to styles.
  const style = normalizeRichStyle("", element.className);
  if (tagName === "BR")
    return element.className === "Apple-interchange-newline" ? undefined : writer.writeBreak();
  if (tagName === "IMG") return writePicture(element as HTMLImageElement, context);
  if (tagName === "TABLE") return readTable(element as HTMLTableElement, context);
  if (tagName === "UL" || tagName === "OL" || tagName === "MENU" || tagName === "DIR")
    return writer.writeList(tagName === "OL" ? "ol" : "ul", readContent);
  if (tagName === "LI") return writer.writeItem(readContent, style);
  if (tagName === "BLOCKQUOTE") return writer.writeQuote(readContent);
  if (/^H[1-3]$/.test(tagName)) return writer.writeBlock(tagName.toLowerCase(), readContent, style);
  if (BLOCK_TAGS.has(element.localName) || hasBlockStyle(element))
    return writer.writeBlock("p", readContent, style);
  readContent();
}

function readElementStyle(element: HTMLElement, { marks, isPreformatted }: ReadingContext) {
  const { whiteSpace } = element.style;
  const preservesBreaks =
    /^pre|break-spaces/.test(whiteSpace) || /^(?:PRE|XMP|LISTING)$/.test(element.tagName);
  const isLink = element.tagName === "A";
  const address = isLink ? toSafeUrl(element.getAttribute("href")) : undefined;
  const otherMarks = isLink ? marks.filter(({ tag }) => tag !== "a") : marks;
  return {
    marks: findMarks(element, address ? [...otherMarks, { tag: "a", address }] : otherMarks),
    isPreformatted: preservesBreaks || (isPreformatted && !/^(?:normal|nowrap)$/.test(whiteSpace)),
  };
}

/** Writes one line per row of a table. Rows used only for layout are written as blocks. */
function readTable(table: HTMLTableElement, context: ReadingContext): void {
  const { writer } = context;
  const { caption } = table;
  if (caption) writer.writeBlock("p", () => readChildren(caption, context));
  for (const row of table.rows) {
    const cells = [...row.cells].filter(({ textContent }) => textContent.trim() !== "");
    const isLayout = cells.length < 2 || cells.some((cell) => cell.querySelector("table, ul, ol"));
    if (isLayout) for (const cell of row.cells) readElement(cell, context);
    else
      writer.writeOneLine(() => {
        for (const [index, cell] of cells.entries()) {
          if (index > 0) writer.writeSeparator(CELL_SEPARATOR);
          readChildren(cell, { ...context, ...readElementStyle(cell, context) });
        }
      });
  }
}

/**
 * Writes a picture stored on this site. Pictures from other sites are removed, since visitors' browsers would request
 * them there. A picture of an emoji becomes text. Pictures of controls, such as the checkboxes of Google Docs, aren't
 * part of the text.
 */
function writePicture(picture: HTMLImageElement, context: ReadingContext): void {
  const [source, { alt }] = [picture.getAttribute("src") ?? "", picture];
  const isControl = picture.hasAttribute("aria-roledescription");
  const embeddedPicture = isControl ? undefined : decodePicture(source);
  // Browsers replace the path of a copied picture with the full URL.
  const { origin } = window.location;
  const path = source.startsWith(`${origin}/`) ? source.slice(origin.length) : source;
  if (path.startsWith("/") && toSafePictureUrl(path)) context.writer.writePicture(path, alt);
  else if (alt.length <= 16 && /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(alt))
    context.writer.writeText(alt, context);
  else if (embeddedPicture) context.pictures.push(embeddedPicture);
}

/** Matches the header of a GIF or PNG of one pixel. */
// oxlint-disable-next-line no-control-regex -- The files contain these control characters.
const ONE_PIXEL_PATTERN = /^(?:GIF8[79]a\x01\0\x01\0|\x89PNG[^]{12}\0\0\0\x01\0\0\0\x01)/;

/** Decodes a data: URL. Undefined for a picture of one pixel, which sites use as a spacer. */
function decodePicture(url: string): File | undefined {
  if (!DATA_PICTURE_PATTERN.test(url)) return undefined;
  const [header = "", base64 = ""] = url.split(",", 2);
  const type = header.slice("data:".length, header.indexOf(";")).toLowerCase();
  try {
    const binary = atob(base64);
    if (ONE_PIXEL_PATTERN.test(binary)) return undefined;
    const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
    return new File([bytes], `picture.${type.slice("image/".length)}`, { type });
  } catch {
    return undefined;
  }
}

/** Converts text to HTML. Empty lines separate paragraphs. */
export function textToHtml(text: string): string {
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

/** Replaces the selection with sanitized HTML. A single paragraph continues the block at the cursor. */
export function insertPasted(editor: IJodit, html: string): void {
  const { range } = editor.s;
  deleteSelected(range);
  const block = findTopBlock(editor.editor, range.startContainer);
  const nodes = parseNodes(editor, html, block !== undefined);
  const last = nodes.at(-1);
  if (!last) return;
  const item = findLine(range.startContainer);
  const isListContinuation = nodes.length === 1 && item?.parentElement?.nodeName === last.nodeName;
  const end = findLastLine(last);
  if (isListContinuation) splitBlock(item, range, [...last.childNodes]);
  else if (block && nodes.some((node) => BLOCK_TAG_PATTERN.test(node.nodeName)))
    splitBlock(block, range, nodes);
  else {
    const fragment = editor.createInside.fragment();
    fragment.append(...nodes);
    range.insertNode(fragment);
  }
  const cursor = editor.ed.createRange();
  if (BLOCK_TAG_PATTERN.test(last.nodeName)) cursor.selectNodeContents(end);
  else cursor.setStartAfter(last);
  cursor.collapse(!BLOCK_TAG_PATTERN.test(last.nodeName));
  editor.s.selectRange(cursor);
  editor.synchronizeValues();
}

/** Moves or copies dragged content. The browser's own HTML would lack styles and change relative URLs. */
export function insertDragged(editor: IJodit, draggedRange: Range, isCopy: boolean): void {
  const { range } = editor.s;
  excludeUnselectedLine(draggedRange);
  const html = copyContent(draggedRange, editor.editor);
  if (html === "") return;
  if (!isCopy) {
    if (draggedRange.isPointInRange(range.startContainer, range.startOffset)) return;
    // Marks the position of the cursor while lines are joined.
    const cursor = editor.createInside.text("");
    range.insertNode(cursor);
    const line = findLine(draggedRange.startContainer);
    deleteSelected(draggedRange);
    pruneEmpty(line, cursor);
    range.selectNode(cursor);
    range.deleteContents();
    editor.s.selectRange(range);
  }
  insertPasted(editor, html);
}

/** Returns the HTML of a range, with the marks around text and the list or quote around blocks. */
function copyContent(range: Range, root: HTMLElement): string {
  const content = range.cloneContents();
  const hasBlocks = [...content.childNodes].some(({ nodeName }) =>
    BLOCK_TAG_PATTERN.test(nodeName),
  );
  const innermost = range.commonAncestorContainer;
  const limit = (hasBlocks ? null : findLine(innermost)) ?? root;
  for (
    let ancestor = getElement(innermost);
    ancestor && ancestor !== limit;
    ancestor = ancestor.parentElement
  ) {
    const copy = ancestor.cloneNode();
    copy.appendChild(content);
    content.append(copy);
    if (/^(?:UL|OL|BLOCKQUOTE)$/.test(ancestor.nodeName)) break;
  }
  const container = document.createElement("div");
  container.append(content);
  return container.innerHTML;
}

const getElement = (node: Node) => (node instanceof Element ? node : node.parentElement);

/** Deletes the selection and joins what is left of its first and last line, with the cursor between them. */
function deleteSelected(range: Range): void {
  excludeUnselectedLine(range);
  const { startContainer, startOffset, endContainer } = range;
  const [firstLine, lastLine] = [findLine(startContainer), findLine(endContainer)];
  if (!firstLine || firstLine === lastLine) {
    range.deleteContents();
    for (const mark of [startContainer, endContainer].map(getElement))
      if (mark?.textContent === "") pruneEmpty(mark, range.startContainer);
    return;
  }
  const rest = range.cloneRange();
  rest.collapse();
  if (lastLine) rest.setEnd(lastLine, lastLine.childNodes.length);
  const remaining = rest.extractContents();
  range.deleteContents();
  // The start may be inside a mark, and a nested list may follow, so the rest is inserted after this child.
  const start = [...firstLine.childNodes].findIndex((node) => node.contains(startContainer));
  range.setStart(firstLine, start < 0 ? startOffset : start + 1);
  range.collapse(true);
  range.insertNode(remaining);
  range.collapse(true);
  pruneEmpty(lastLine, firstLine);
}

/** Removes the last line from a selection that ends at its start: a triple click selects up to the next line. */
function excludeUnselectedLine(range: Range): void {
  const [first, last] = [findLine(range.startContainer), findLine(range.endContainer)];
  if (!first || !last || first.contains(last) || last.contains(first)) return;
  const isAtStart = (line: Node, node: Node, offset: number) => {
    const before = range.cloneRange();
    before.setStart(line, 0);
    before.setEnd(node, offset);
    return isEmpty(before.cloneContents());
  };
  if (
    isAtStart(first, range.startContainer, range.startOffset) &&
    isAtStart(last, range.endContainer, range.endOffset)
  )
    range.setEndBefore(last);
}

/** Returns the paragraph, heading or list item around a node. Null, for example, between two list items. */
function findLine(node: Node): HTMLElement | null {
  const textBlock = getElement(node)?.closest<HTMLElement>(
    ".jodit-wysiwyg :is(p, h1, h2, h3, li, ul, ol)",
  );
  return textBlock && !/^[UO]L$/.test(textBlock.nodeName) ? textBlock : null;
}

/** Parses HTML for insertion. Inside a block, a single paragraph is replaced by its content. */
function parseNodes(editor: IJodit, html: string, isInBlock: boolean): readonly ChildNode[] {
  const container = editor.createInside.div();
  container.innerHTML = html;
  const nodes = [...container.childNodes];
  const [onlyNode] = nodes;
  if (isInBlock)
    return nodes.length === 1 && onlyNode?.nodeName === "P" ? [...onlyNode.childNodes] : nodes;
  if (nodes.length === 0 || nodes.some((node) => BLOCK_TAG_PATTERN.test(node.nodeName)))
    return nodes;
  const paragraph = editor.createInside.element("p");
  paragraph.append(...nodes);
  return [paragraph];
}

function splitBlock(block: ChildNode, range: Range, nodes: readonly ChildNode[]): void {
  const rest = range.cloneRange();
  rest.setEndAfter(block);
  const nodesAfter = [...rest.extractContents().childNodes];
  block.after(...nodes, ...nodesAfter);
  const [firstAfter] = nodesAfter;
  if (firstAfter instanceof Element) removeIfEmpty(firstAfter.querySelector("li"));
  if (block instanceof Element) removeIfEmpty([...block.querySelectorAll("li")].at(-1));
  for (const each of [block, ...nodesAfter]) removeIfEmpty(each);
}

const BLOCK_TAG_PATTERN = /^(?:P|H[1-3]|UL|OL|BLOCKQUOTE)$/;

/** Returns the direct child of the editor that contains `node`. Undefined if it isn't a block. */
function findTopBlock(root: HTMLElement, node: Node): ChildNode | undefined {
  let current: Node | null = node;
  while (current && current.parentNode !== root) current = current.parentNode;
  return current && BLOCK_TAG_PATTERN.test(current.nodeName) ? (current as ChildNode) : undefined;
}

/** Returns the last item of a list, the last paragraph of a quote, or any other node itself. */
function findLastLine(node: Node): Node {
  let current = node;
  while (current.lastChild && /^(?:UL|OL|BLOCKQUOTE)$/.test(current.nodeName))
    current = current.lastChild;
  return current;
}

function removeIfEmpty(node: ChildNode | null | undefined): void {
  if (node && isEmpty(node)) node.remove();
}

/** Removes an element and its ancestors while they are empty and don't contain `cursor`. */
function pruneEmpty(element: Element | null, cursor: Node): void {
  if (!element || element.contains(cursor) || !isEmpty(element)) return;
  const { parentElement } = element;
  element.remove();
  pruneEmpty(parentElement, cursor);
}

const isEmpty = (node: Node) =>
  (node.textContent ?? "").trim() === "" &&
  !(node instanceof HTMLImageElement) &&
  !("querySelector" in node && (node as ParentNode).querySelector("img"));
