/** Converts blocks that rich text doesn't support into paragraphs, as the editor does (specification, section 5.8). */
import { CELL_SEPARATOR, OTHER_BLOCK_TAGS } from "../../schema/kinds/richTextRules.ts";

/** The elements that mark unsupported blocks in sanitized HTML, until `convertToParagraphs` converts them. */
export const BLOCK_MARKERS = ["div", "td", "pre"] as const;

export const MARKER_BY_TAG: Readonly<Record<string, string>> = Object.fromEntries(
  OTHER_BLOCK_TAGS.map((name) => {
    if (name === "td" || name === "th") return [name, "td"];
    return [name, name === "pre" || name === "listing" ? "pre" : "div"];
  }),
);

const MARKER_PATTERN = /^(?:div|td|pre)$/;
const BLOCK_PATTERN = /^(?:p|h[1-3]|ul|ol|li|blockquote)$/;
/** Matches elements whose lines are separated by line breaks instead of paragraphs. */
const LINE_CONTAINER_PATTERN = /^(?:p|h[1-3]|li)$/;

/** Returns sanitized HTML in which each line of a marker has become a paragraph. */
export function convertToParagraphs(html: string): string {
  if (!BLOCK_MARKERS.some((marker) => html.includes(`<${marker}`))) return html;
  const writer = new ParagraphWriter();
  const [before = "", ...pieces] = html.split("<");
  writer.writeText(before);
  for (const piece of pieces) {
    const end = piece.indexOf(">");
    writer.writeTag(piece.slice(0, end));
    writer.writeText(piece.slice(end + 1));
  }
  return writer.finish();
}

interface OpenBlock {
  readonly name: string;
  readonly style: string;
  /** If true, the block's next line begins with a line break. */
  hasText: boolean;
}

class ParagraphWriter {
  #html = "";
  readonly #blocks: OpenBlock[] = [];
  /** The tags of open links and emphases, outermost first. The result contains the first `#writtenMarkCount`. */
  readonly #marks: string[] = [];
  #writtenMarkCount = 0;
  /** The element of the current line; undefined if no line has begun. */
  #lineElement: "p" | "li" | undefined;
  #hasPendingBreak = false;

  finish(): string {
    this.#endLine();
    return this.#html;
  }

  writeTag(tag: string): void {
    const [, slash, name = ""] = /^(\/?)([a-z\d]*)/.exec(tag) ?? [];
    if (name === "br") this.#breakLine();
    else if (name === "img") this.#writeInLine(`<${tag}>`);
    else if (MARKER_PATTERN.test(name) || BLOCK_PATTERN.test(name))
      if (slash) this.#endBlock(name);
      else this.#startBlock(name, tag);
    else if (slash) this.#endMark();
    else this.#marks.push(tag);
  }

  writeText(text: string): void {
    if (text === "" || (text.trim() === "" && this.#isBetweenLines())) return;
    const isPreformatted = this.#blocks.some(({ name }) => name === "pre");
    this.#writeInLine(isPreformatted ? text.replaceAll("\n", "<br />") : text);
  }

  #startBlock(name: string, tag: string): void {
    const { style: outerStyle = "" } = this.#blocks.at(-1) ?? {};
    const [, style = outerStyle] = /( style="[^"]*")/.exec(tag) ?? [];
    if (name === "td" && this.#lineElement) {
      this.#suspendMarks();
      this.#html += CELL_SEPARATOR;
    } else this.#endLine();
    if (BLOCK_PATTERN.test(name))
      this.#html += /^(?:p|h[1-3])$/.test(name) ? `<${name}${style}>` : `<${tag}>`;
    this.#blocks.push({ name, style: MARKER_PATTERN.test(name) ? style : "", hasText: false });
  }

  #endBlock(name: string): void {
    if (name !== "td") this.#endLine();
    if (BLOCK_PATTERN.test(name)) this.#html += `</${name}>`;
    this.#blocks.pop();
    if (BLOCK_PATTERN.test(name)) this.#hasPendingBreak = false;
  }

  #endMark(): void {
    const tag = this.#marks.pop() ?? "";
    if (this.#writtenMarkCount <= this.#marks.length) return;
    this.#html += createClosingTag(tag);
    this.#writtenMarkCount = this.#marks.length;
  }

  #breakLine(): void {
    if (!this.#isBetweenLines()) this.#writeInLine("<br />");
  }

  #isBetweenLines(): boolean {
    if (this.#lineElement) return false;
    const { name } = this.#blocks.at(-1) ?? {};
    return name === undefined || !LINE_CONTAINER_PATTERN.test(name);
  }

  #writeInLine(html: string): void {
    // Skips markers, which have no element in the result.
    const innermostBlock = this.#blocks.findLast(({ name }) => BLOCK_PATTERN.test(name));
    const lastBlock = this.#blocks.at(-1);
    if (innermostBlock && LINE_CONTAINER_PATTERN.test(innermostBlock.name)) {
      if (this.#hasPendingBreak && innermostBlock.hasText) this.#html += "<br />";
      innermostBlock.hasText = true;
    } else if (!this.#lineElement) {
      this.#lineElement = /^[uo]l$/.test(innermostBlock?.name ?? "") ? "li" : "p";
      this.#html += `<${this.#lineElement}${lastBlock?.style ?? ""}>`;
    }
    this.#hasPendingBreak = false;
    for (const tag of this.#marks.slice(this.#writtenMarkCount)) this.#html += `<${tag}>`;
    this.#writtenMarkCount = this.#marks.length;
    this.#html += html;
  }

  #endLine(): void {
    this.#suspendMarks();
    if (this.#lineElement) this.#html += `</${this.#lineElement}>`;
    this.#lineElement = undefined;
    this.#hasPendingBreak = true;
  }

  #suspendMarks(): void {
    for (const tag of this.#marks.slice(0, this.#writtenMarkCount).toReversed())
      this.#html += createClosingTag(tag);
    this.#writtenMarkCount = 0;
  }
}

const createClosingTag = (tag: string) => `</${/^\w+/.exec(tag)?.[0] ?? ""}>`;
