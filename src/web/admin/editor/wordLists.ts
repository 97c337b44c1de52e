/**
 * Rebuilds the lists of Word and Slack: on Word's desktop (and in Outlook) their items are paragraphs with a level
 * and a marker of their own, in its web version each is a list of its own, and in Slack each level is.
 */

interface Item {
  readonly element: Element;
  /** 1 is the outermost. */
  readonly level: number;
  readonly isOrdered: boolean;
}

/** Replaces each run of items by nested lists. */
export function rebuildWordLists(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll(".ListContainerWrapper"))
    wrapper.replaceWith(...wrapper.childNodes);
  const runs: Item[][] = [];
  for (const element of body.querySelectorAll("p, div, ul, ol")) {
    const item = element.matches("ul, ol") ? webItem(element) : deskItem(element);
    if (!item) continue;
    const last = runs.at(-1);
    if (last && previousOf(element) === last.at(-1)?.element) last.push(item);
    else runs.push([item]);
  }
  for (const run of runs) nest(run);
}

/** The element before, unless there is text between. */
function previousOf(element: Element): Element | undefined {
  let node = element.previousSibling;
  while (node && node.nodeType !== Node.ELEMENT_NODE && !isText(node)) node = node.previousSibling;
  return node instanceof Element || node?.nodeType === Node.ELEMENT_NODE
    ? (node as Element)
    : undefined;
}

const isText = (node: Node) =>
  node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "";

/** Word in the browser: a list with one item, which has its level. In Slack the list has it, from 0. */
function webItem(list: Element): Item | undefined {
  const indent = list.getAttribute("data-indent");
  if (indent !== null)
    return {
      element: list,
      level: levelOf(`${Number(indent) + 1}`),
      isOrdered: list.matches("ol"),
    };
  const [item, ...others] = list.children;
  const level = item?.getAttribute("data-aria-level") ?? item?.getAttribute("aria-level");
  if (!item || !level || others.some((each) => !each.hasAttribute("data-aria-level")))
    return undefined;
  return { element: list, level: levelOf(level), isOrdered: list.matches("ol") };
}

/** Word on the desktop: a paragraph whose style names the list and the level. */
function deskItem(paragraph: Element): Item | undefined {
  const style = paragraph.getAttribute("style")?.slice(0, 4000) ?? "";
  const [, level] = /mso-list:\s*\w+\s+level(\d{1,2})/i.exec(style) ?? [];
  if (!level) return undefined;
  return {
    element: paragraph,
    level: levelOf(level),
    isOrdered: isNumber(removeMarker(paragraph)),
  };
}

const levelOf = (text: string) => Math.min(9, Math.max(1, Number(text) || 1));

/** "1.", "a)", "(iv)" or "2.1", and no bullet: Word's second one is the letter o. */
const isNumber = (marker: string) =>
  /^\(?(?:\d{1,4}|[a-z]{1,6})(?:\.\d{1,3})*[.)]+$|^\d{1,4}(?:\.\d{1,3})*$/i.test(marker);

function removeMarker(paragraph: Element): string {
  const marked = paragraph.querySelector(
    "[style*='mso-list:Ignore' i], [style*='mso-list: Ignore' i]",
  );
  if (marked) {
    marked.remove();
    return textOf(marked);
  }
  // Without a style the marker is what older readers shall show.
  const [start, end] = [
    commentIn(paragraph, "[if !supportLists]"),
    commentIn(paragraph, "[endif]"),
  ];
  if (!start || !end) return "";
  const range = paragraph.ownerDocument.createRange();
  range.setStartAfter(start);
  range.setEndBefore(end);
  const removed = range.cloneContents();
  range.deleteContents();
  return textOf(removed);
}

const textOf = ({ textContent }: Node) => (textContent ?? "").replaceAll(/\s/g, "");

function commentIn(paragraph: Element, text: string): Node | null {
  const comments = paragraph.ownerDocument.createNodeIterator(paragraph, NodeFilter.SHOW_COMMENT);
  let comment = comments.nextNode();
  while (comment && comment.textContent?.trim() !== text) comment = comments.nextNode();
  return comment;
}

/** Puts a run's items into lists: a deeper level is a list in the item before. */
function nest(run: readonly Item[]): void {
  const [first] = run;
  if (!first) return;
  const document = first.element.ownerDocument;
  const placeholder = document.createElement("div");
  first.element.before(placeholder);
  const open: { readonly list: Element; readonly level: number }[] = [];
  for (const { element, level, isOrdered } of run) {
    const tag = isOrdered ? "ol" : "ul";
    while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const current = open.at(-1);
    const isNext = current && (level <= current.level || open.length === 0);
    if (!isNext || (level === current.level && current.list.localName !== tag)) {
      const isDeeper = current && level > current.level;
      if (current && !isDeeper) open.pop();
      const list = document.createElement(tag);
      (open.at(-1)?.list.lastElementChild ?? placeholder).append(list);
      open.push({ list, level });
    }
    const items = element.matches("ul, ol")
      ? [...element.children]
      : [document.createElement("li")];
    if (!element.matches("ul, ol")) items[0]?.append(...element.childNodes);
    open.at(-1)?.list.append(...items);
    element.remove();
  }
}
