/** Makes paragraphs of the blocks that rich text doesn't have, by the same rule as the editor (specification, 5.8). */
import { BETWEEN_CELLS, OTHER_BLOCKS } from "../../schema/kinds/richTextRules.ts";

/** The elements that represent them in sanitized HTML, until `withParagraphs` has rewritten it. */
export const MARKERS = ["div", "td", "pre"] as const;

/** The marker of each such element. */
export const markerOf: ReadonlyMap<string, string> = new Map(
  OTHER_BLOCKS.map((name) => {
    if (name === "td" || name === "th") return [name, "td"];
    return [name, name === "pre" || name === "listing" ? "pre" : "div"];
  }),
);

const IS_MARKER = /^(?:div|td|pre)$/;
const IS_BLOCK = /^(?:p|h[1-3]|ul|ol|li|blockquote)$/;
/** They hold lines, which a break separates. */
const HOLDS_LINES = /^(?:p|h[1-3]|li)$/;

/** The sanitized HTML with a paragraph for each line of a marker. */
export function withParagraphs(html: string): string {
  if (!MARKERS.some((marker) => html.includes(`<${marker}`))) return html;
  const writer = new ParagraphWriter();
  const [before = "", ...pieces] = html.split("<");
  writer.text(before);
  for (const piece of pieces) {
    const end = piece.indexOf(">");
    writer.tag(piece.slice(0, end));
    writer.text(piece.slice(end + 1));
  }
  return writer.finish();
}

interface OpenBlock {
  readonly name: string;
  readonly style: string;
  /** The last line has text, so that the next one needs a break. */
  hasText: boolean;
}

class ParagraphWriter {
  #html = "";
  readonly #blocks: OpenBlock[] = [];
  /** Open emphases and links, as tags; the first `#written` of them are open in the result. */
  readonly #marks: string[] = [];
  #written = 0;
  /** The element of a line that isn't in the input; undefined between lines. */
  #line: "p" | "li" | undefined;
  #isBroken = false;

  finish(): string {
    this.#endLine();
    return this.#html;
  }

  tag(tag: string): void {
    const [, slash, name = ""] = /^(\/?)([a-z\d]*)/.exec(tag) ?? [];
    if (name === "br") this.#break();
    else if (name === "img") this.#inLine(`<${tag}>`);
    else if (IS_MARKER.test(name) || IS_BLOCK.test(name))
      if (slash) this.#endBlock(name);
      else this.#startBlock(name, tag);
    else if (slash) this.#endMark();
    else this.#marks.push(tag);
  }

  text(text: string): void {
    if (text === "" || (text.trim() === "" && this.#isBetweenLines())) return;
    const isPreformatted = this.#blocks.some(({ name }) => name === "pre");
    this.#inLine(isPreformatted ? text.replaceAll("\n", "<br />") : text);
  }

  #startBlock(name: string, tag: string): void {
    const { style: outer = "" } = this.#blocks.at(-1) ?? {};
    const [, style = outer] = /( style="[^"]*")/.exec(tag) ?? [];
    if (name === "td" && this.#line) {
      this.#suspendMarks();
      this.#html += BETWEEN_CELLS;
    } else this.#endLine();
    if (IS_BLOCK.test(name))
      this.#html += /^(?:p|h[1-3])$/.test(name) ? `<${name}${style}>` : `<${tag}>`;
    this.#blocks.push({ name, style: IS_MARKER.test(name) ? style : "", hasText: false });
  }

  #endBlock(name: string): void {
    if (name !== "td") this.#endLine();
    if (IS_BLOCK.test(name)) this.#html += `</${name}>`;
    this.#blocks.pop();
    if (IS_BLOCK.test(name)) this.#isBroken = false;
  }

  #endMark(): void {
    const tag = this.#marks.pop() ?? "";
    if (this.#written <= this.#marks.length) return;
    this.#html += closing(tag);
    this.#written = this.#marks.length;
  }

  #break(): void {
    if (this.#isBetweenLines()) return;
    this.#inLine("<br />");
  }

  /** The block of the result around what comes next. */
  #holder = (): OpenBlock | undefined => this.#blocks.findLast(({ name }) => IS_BLOCK.test(name));

  #isBetweenLines(): boolean {
    if (this.#line) return false;
    const { name } = this.#blocks.at(-1) ?? {};
    return name === undefined || !HOLDS_LINES.test(name);
  }

  #inLine(html: string): void {
    const holder = this.#holder();
    const last = this.#blocks.at(-1);
    if (holder && HOLDS_LINES.test(holder.name)) {
      if (this.#isBroken && holder.hasText) this.#html += "<br />";
      holder.hasText = true;
    } else if (!this.#line) {
      this.#line = /^[uo]l$/.test(holder?.name ?? "") ? "li" : "p";
      this.#html += `<${this.#line}${last?.style ?? ""}>`;
    }
    this.#isBroken = false;
    for (const tag of this.#marks.slice(this.#written)) this.#html += `<${tag}>`;
    this.#written = this.#marks.length;
    this.#html += html;
  }

  #endLine(): void {
    this.#suspendMarks();
    if (this.#line) this.#html += `</${this.#line}>`;
    this.#line = undefined;
    this.#isBroken = true;
  }

  #suspendMarks(): void {
    for (const tag of this.#marks.slice(0, this.#written).toReversed()) this.#html += closing(tag);
    this.#written = 0;
  }
}

const closing = (tag: string) => `</${/^\w+/.exec(tag)?.[0] ?? ""}>`;
