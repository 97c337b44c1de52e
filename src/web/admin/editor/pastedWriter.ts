/** Builds the HTML of pasted content: paragraphs, lists and quotes, with only the nesting that HTML allows. */
import { MAX_INDENT_LEVELS } from "../../../schema/kinds/richTextRules.ts";
import type { TextMark } from "./pastedStyles.ts";

export interface TextStyle {
  readonly marks: readonly TextMark[];
  readonly isPreformatted: boolean;
}

export class PastedWriter {
  readonly #document = document.implementation.createHTMLDocument();
  readonly #root = this.#document.body;
  /** The parent of new blocks: the root, a quote, a list or an item. */
  #container: HTMLElement = this.#root;
  /** The parent of new text. Null between blocks. */
  #textBlock: HTMLElement | null = null;
  /** The tag of the next block. */
  #blockTag = "p";
  #blockStyle = "";
  #isOneLine = false;
  /** True after a space and at the start of a line, where another space is skipped. */
  #isAfterSpace = true;
  /** The inline elements around the last text, outermost first. */
  #openElements: { readonly key: string; readonly element: HTMLElement }[] = [];

  toHtml(): string {
    this.#endLine();
    return this.#root.innerHTML;
  }

  writeText(raw: string, { marks, isPreformatted }: TextStyle): void {
    const hasPreservedBreaks = isPreformatted && !this.#isOneLine;
    const lines = hasPreservedBreaks ? raw.split(/\r\n?|[\n\v\u2028\u2029]/) : [raw];
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.writeBreak();
      const collapsed = line.replaceAll(/[ \t\r\n\f]+/g, " ");
      const text = this.#isAfterSpace ? collapsed.replace(/^ /, "") : collapsed;
      if (text === "") continue;
      this.#openInlineElements(marks).append(text);
      this.#isAfterSpace = text.endsWith(" ");
    }
  }

  writeBreak(): void {
    if (this.#isOneLine) return this.#writeSpace();
    if (!this.#textBlock) return;
    this.#openInlineElements([]).append(this.#document.createElement("br"));
    this.#isAfterSpace = true;
  }

  writePicture(src: string, alt: string): void {
    const picture = this.#document.createElement("img");
    picture.setAttribute("src", src);
    if (alt) picture.setAttribute("alt", alt);
    this.#openInlineElements([]).append(picture);
    this.#isAfterSpace = false;
  }

  /** Writes a block. `style` must be one that the site stores. A block inside a heading becomes part of the heading. */
  writeBlock(tag: string, writeContent: () => void, style = ""): void {
    if (this.#isOneLine) {
      this.#writeSpace();
      writeContent();
      return this.#writeSpace();
    }
    const [outerTag, outerStyle] = [this.#blockTag, this.#blockStyle];
    this.#endLine();
    if (tag !== "p" || !isHeading(outerTag)) this.#blockTag = tag;
    this.#blockStyle = style || outerStyle;
    writeContent();
    this.#endLine();
    this.#blockTag = outerTag;
    this.#blockStyle = outerStyle;
  }

  /** Writes a single line, with spaces instead of blocks and line breaks. */
  writeOneLine(writeContent: () => void): void {
    this.writeBlock("p", () => {
      this.#isOneLine = true;
      writeContent();
      this.#isOneLine = false;
    });
  }

  writeSeparator(separator: string): void {
    const line = this.#openTextBlock();
    trimLineEnd(line);
    this.#openElements = [];
    line.append(separator);
    this.#isAfterSpace = true;
  }

  writeQuote(writeContent: () => void): void {
    if (this.#isOneLine || this.#container !== this.#root)
      return this.writeBlock("p", writeContent);
    this.#writeWithin(this.#document.createElement("blockquote"), this.#root, writeContent);
  }

  writeList(tag: "ul" | "ol", writeContent: () => void): void {
    if (this.#isOneLine) return this.writeBlock("p", writeContent);
    this.#endLine();
    const container = this.#container;
    // A list directly inside another list belongs to the item before it.
    const parent = isListElement(container)
      ? ((container.lastElementChild as HTMLElement) ?? container)
      : container;
    if (measureListDepth(parent) < MAX_INDENT_LEVELS)
      return this.#writeWithin(this.#document.createElement(tag), parent, writeContent);
    const deepest = parent.closest<HTMLElement>("ul, ol") ?? parent;
    this.#writeInto(deepest, writeContent);
  }

  writeItem(writeContent: () => void, style = ""): void {
    if (this.#isOneLine) return this.writeBlock("p", writeContent);
    if (!isListElement(this.#container))
      return this.writeList("ul", () => this.writeItem(writeContent, style));
    const item = this.#document.createElement("li");
    if (style) item.setAttribute("style", style);
    this.#writeWithin(item, this.#container, writeContent);
  }

  /** Appends a new element and writes into it. Removes it again if it remains empty. */
  #writeWithin(element: HTMLElement, parent: HTMLElement, write: () => void): void {
    this.#endLine();
    parent.append(element);
    this.#writeInto(element, write);
    if (isEmptyElement(element)) element.remove();
  }

  #writeInto(container: HTMLElement, write: () => void): void {
    const outerContainer = this.#container;
    this.#endLine();
    this.#container = container;
    write();
    this.#endLine();
    this.#container = outerContainer;
  }

  #endLine(): void {
    if (this.#textBlock) trimLineEnd(this.#textBlock);
    if (this.#textBlock && this.#textBlock !== this.#container && isEmptyElement(this.#textBlock))
      this.#textBlock.remove();
    this.#textBlock = null;
    this.#openElements = [];
    this.#isAfterSpace = true;
  }

  #openTextBlock(): HTMLElement {
    if (this.#textBlock) return this.#textBlock;
    const { localName, lastChild } = this.#container;
    if (isListElement(this.#container)) {
      // Text between two items belongs to the item before it.
      const item = (this.#container.lastElementChild as HTMLElement) ?? this.#addBlock("li");
      if (item.lastChild && !isListElement(item.lastChild))
        item.append(this.#document.createElement("br"));
      this.#textBlock = item;
    } else if (localName === "li") {
      // The lines of an item are separated by <br>, not by paragraphs.
      if (lastChild && !isListElement(lastChild)) this.#addBlock("br");
      this.#textBlock = this.#container;
    } else {
      this.#textBlock = this.#addBlock(this.#blockTag);
      if (this.#blockStyle) this.#textBlock.setAttribute("style", this.#blockStyle);
    }
    return this.#textBlock;
  }

  #addBlock(tag: string): HTMLElement {
    const element = this.#document.createElement(tag);
    this.#container.append(element);
    return element;
  }

  /** Returns the innermost element for text with these marks. Reuses the elements around the last text if possible. */
  #openInlineElements(marks: readonly TextMark[]): HTMLElement {
    const line = this.#openTextBlock();
    const wanted = marks.filter(({ tag }) => tag !== "strong" || !isHeading(line.localName));
    const firstDifferent = this.#openElements.findIndex(
      ({ key }, index) => key !== createMarkKey(wanted[index]),
    );
    if (firstDifferent >= 0) this.#openElements.length = firstDifferent;
    for (const mark of wanted.slice(this.#openElements.length)) {
      const element = this.#document.createElement(mark.tag);
      if (mark.address) element.setAttribute("href", mark.address);
      (this.#openElements.at(-1)?.element ?? line).append(element);
      this.#openElements.push({ key: createMarkKey(mark), element });
    }
    return this.#openElements.at(-1)?.element ?? line;
  }

  #writeSpace(): void {
    if (this.#textBlock && !this.#isAfterSpace) this.#textBlock.append(" ");
    this.#isAfterSpace = true;
    this.#openElements = [];
  }
}

const createMarkKey = (mark?: TextMark) => (mark ? `${mark.tag} ${mark.address ?? ""}` : "");
const isHeading = (tag: string) => /^h[1-3]$/.test(tag);
const isListElement = (node: Node) => /^[uo]l$/i.test(node.nodeName);
const isEmptyElement = (element: Element) =>
  element.textContent.trim() === "" && !element.querySelector("img");

function measureListDepth(element: Element): number {
  let depth = 0;
  for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement)
    if (isListElement(ancestor)) depth++;
  return depth;
}

/** Removes spaces, line breaks and empty elements at the end of a line. */
function trimLineEnd(line: HTMLElement): void {
  for (let last = line.lastChild; last; last = line.lastChild) {
    if (last.nodeType === Node.TEXT_NODE) {
      last.textContent = (last.textContent ?? "").trimEnd();
      if (last.textContent) return;
    } else if (last.nodeName !== "BR") {
      if (isListElement(last) || last.nodeName === "IMG") return;
      trimLineEnd(last as HTMLElement);
      if (last.hasChildNodes()) return;
    }
    last.remove();
  }
}
