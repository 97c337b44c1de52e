/** Writes paragraphs, lists and quotes, in which nothing is nested that browsers wouldn't nest. */
import { MOST_LEVELS } from "../../../schema/kinds/richTextRules.ts";
import type { Mark } from "./pastedStyles.ts";

/** The format of a text to write. */
export interface TextStyle {
  readonly marks: readonly Mark[];
  /** Whether line breaks count as such. */
  readonly isPreformatted: boolean;
}

export class PastedWriter {
  readonly #page = document.implementation.createHTMLDocument();
  readonly #root = this.#page.body;
  /** The parent of new blocks: the root, a quote, a list or an item. */
  #container: HTMLElement = this.#root;
  /** The parent of new text; null between blocks. */
  #line: HTMLElement | null = null;
  /** The kind of the next line, and its style. */
  #tag = "p";
  #style = "";
  #isOneLine = false;
  /** The last text in the line ended with a space, or the line is empty. */
  #isSpaced = true;
  /** The elements around the last text, the outermost first. */
  #open: { readonly key: string; readonly element: HTMLElement }[] = [];

  html(): string {
    this.#endLine();
    return this.#root.innerHTML;
  }

  text(raw: string, { marks, isPreformatted }: TextStyle): void {
    const preservesBreaks = isPreformatted && !this.#isOneLine;
    const lines = preservesBreaks ? raw.split(/\r\n?|[\n\v\u2028\u2029]/) : [raw];
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.br();
      const collapsed = line.replaceAll(/[ \t\r\n\f]+/g, " ");
      const written = this.#isSpaced ? collapsed.replace(/^ /, "") : collapsed;
      if (written === "") continue;
      this.#ensureContainer(marks).append(written);
      this.#isSpaced = written.endsWith(" ");
    }
  }

  br(): void {
    if (this.#isOneLine) return this.#space();
    if (!this.#line) return;
    this.#ensureContainer([]).append(this.#page.createElement("br"));
    this.#isSpaced = true;
  }

  picture(src: string, alt: string): void {
    const picture = this.#page.createElement("img");
    picture.setAttribute("src", src);
    if (alt) picture.setAttribute("alt", alt);
    this.#ensureContainer([]).append(picture);
    this.#isSpaced = false;
  }

  /** A paragraph or heading, with an allowed style; a block in a heading is part of it. */
  block(tag: string, write: () => void, style = ""): void {
    if (this.#isOneLine) {
      this.#space();
      write();
      return this.#space();
    }
    const [outerTag, outerStyle] = [this.#tag, this.#style];
    this.#endLine();
    if (tag !== "p" || !isHeading(outerTag)) this.#tag = tag;
    this.#style = style || outerStyle;
    write();
    this.#endLine();
    this.#tag = outerTag;
    this.#style = outerStyle;
  }

  /** A line in which blocks and breaks are spaces. */
  oneLine(write: () => void): void {
    this.block("p", () => {
      this.#isOneLine = true;
      write();
      this.#isOneLine = false;
    });
  }

  /** Puts something between two parts of a line. */
  between(separator: string): void {
    const line = this.#needLine();
    trim(line);
    this.#open = [];
    line.append(separator);
    this.#isSpaced = true;
  }

  quote(write: () => void): void {
    if (this.#isOneLine || this.#container !== this.#root) return this.block("p", write);
    this.#within(this.#page.createElement("blockquote"), this.#root, write);
  }

  list(tag: "ul" | "ol", write: () => void): void {
    if (this.#isOneLine) return this.block("p", write);
    this.#endLine();
    const around = this.#container;
    // A list in a list belongs to the item before.
    const parent = isList(around) ? ((around.lastElementChild as HTMLElement) ?? around) : around;
    if (depthOf(parent) < MOST_LEVELS)
      return this.#within(this.#page.createElement(tag), parent, write);
    const deepest = parent.closest<HTMLElement>("ul, ol") ?? parent;
    this.#into(deepest, write);
  }

  item(write: () => void, style = ""): void {
    if (this.#isOneLine) return this.block("p", write);
    if (!isList(this.#container)) return this.list("ul", () => this.item(write, style));
    const item = this.#page.createElement("li");
    if (style) item.setAttribute("style", style);
    this.#within(item, this.#container, write);
  }

  /** Writes into a new element, which is removed if it is empty then. */
  #within(element: HTMLElement, parent: HTMLElement, write: () => void): void {
    this.#endLine();
    parent.append(element);
    this.#into(element, write);
    if (isEmpty(element)) element.remove();
  }

  #into(container: HTMLElement, write: () => void): void {
    const outer = this.#container;
    this.#endLine();
    this.#container = container;
    write();
    this.#endLine();
    this.#container = outer;
  }

  #endLine(): void {
    if (this.#line) trim(this.#line);
    if (this.#line && this.#line !== this.#container && isEmpty(this.#line)) this.#line.remove();
    this.#line = null;
    this.#open = [];
    this.#isSpaced = true;
  }

  #needLine(): HTMLElement {
    if (this.#line) return this.#line;
    const { localName, lastChild } = this.#container;
    if (isList(this.#container)) {
      // Text between items belongs to the one before.
      const item = (this.#container.lastElementChild as HTMLElement) ?? this.#addTo("li");
      if (item.lastChild && !isList(item.lastChild)) item.append(this.#page.createElement("br"));
      this.#line = item;
    } else if (localName === "li") {
      // An item contains its lines directly: the first, and others after a break.
      if (lastChild && !isList(lastChild)) this.#addTo("br");
      this.#line = this.#container;
    } else {
      this.#line = this.#addTo(this.#tag);
      if (this.#style) this.#line.setAttribute("style", this.#style);
    }
    return this.#line;
  }

  #addTo(tag: string): HTMLElement {
    const element = this.#page.createElement(tag);
    this.#container.append(element);
    return element;
  }

  /** The parent for text with these marks: within those that are open already. */
  #ensureContainer(marks: readonly Mark[]): HTMLElement {
    const line = this.#needLine();
    const wanted = marks.filter(({ tag }) => tag !== "strong" || !isHeading(line.localName));
    const other = this.#open.findIndex(({ key }, at) => key !== keyOf(wanted[at]));
    if (other >= 0) this.#open.length = other;
    for (const mark of wanted.slice(this.#open.length)) {
      const element = this.#page.createElement(mark.tag);
      if (mark.address) element.setAttribute("href", mark.address);
      (this.#open.at(-1)?.element ?? line).append(element);
      this.#open.push({ key: keyOf(mark), element });
    }
    return this.#open.at(-1)?.element ?? line;
  }

  #space(): void {
    if (this.#line && !this.#isSpaced) this.#line.append(" ");
    this.#isSpaced = true;
    this.#open = [];
  }
}

const keyOf = (mark?: Mark) => (mark ? `${mark.tag} ${mark.address ?? ""}` : "");
const isHeading = (tag: string) => /^h[1-3]$/.test(tag);
const isList = (node: Node) => /^[uo]l$/i.test(node.nodeName);
const isEmpty = (element: Element) =>
  element.textContent.trim() === "" && !element.querySelector("img");

function depthOf(element: Element): number {
  let depth = 0;
  for (let each: Element | null = element; each; each = each.parentElement)
    if (isList(each)) depth++;
  return depth;
}

/** Removes spaces and line breaks at the end, and what is empty then. */
function trim(line: HTMLElement): void {
  for (let last = line.lastChild; last; last = line.lastChild) {
    if (last.nodeType === Node.TEXT_NODE) {
      last.textContent = (last.textContent ?? "").trimEnd();
      if (last.textContent) return;
    } else if (last.nodeName !== "BR") {
      if (isList(last) || last.nodeName === "IMG") return;
      trim(last as HTMLElement);
      if (last.hasChildNodes()) return;
    }
    last.remove();
  }
}
