/**
 * Rebuilds pasted lists. Word's desktop version and Outlook write each item as a paragraph with a level and a marker.
 * Word's web version writes each item as a list. Slack writes each level as a list.
 */

interface PastedListItem {
  readonly element: Element;
  /** The nesting level, counted from 1. */
  readonly level: number;
  readonly isOrdered: boolean;
}

export function rebuildPastedLists(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll(".ListContainerWrapper"))
    wrapper.replaceWith(...wrapper.childNodes);
  const groups: PastedListItem[][] = [];
  for (const element of body.querySelectorAll("p, div, ul, ol")) {
    const item = element.matches("ul, ol") ? parseWebItem(element) : parseDesktopItem(element);
    if (!item) continue;
    const last = groups.at(-1);
    if (last && findPreviousNode(element) === last.at(-1)?.element) last.push(item);
    else groups.push([item]);
  }
  for (const group of groups) nestItems(group);
}

/** Returns the sibling before `element`, skipping white space and comments. */
function findPreviousNode(element: Element): Node | null {
  let node = element.previousSibling;
  while (node && node.nodeType !== Node.ELEMENT_NODE && !isTextNode(node))
    node = node.previousSibling;
  return node;
}

const isTextNode = (node: Node) =>
  node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "";

/** Parses a list of Word's web version, whose items have levels from 1, or of Slack, whose lists have levels from 0. */
function parseWebItem(list: Element): PastedListItem | undefined {
  const indent = list.getAttribute("data-indent");
  if (indent !== null)
    return { element: list, level: parseLevel(Number(indent) + 1), isOrdered: list.matches("ol") };
  const [item, ...others] = list.children;
  const level = item?.getAttribute("data-aria-level") ?? item?.getAttribute("aria-level");
  if (!item || !level || others.some((each) => !each.hasAttribute("data-aria-level")))
    return undefined;
  return { element: list, level: parseLevel(Number(level)), isOrdered: list.matches("ol") };
}

/** Parses an item of Word's desktop version: a paragraph whose style names the level. */
function parseDesktopItem(paragraph: Element): PastedListItem | undefined {
  const style = paragraph.getAttribute("style")?.slice(0, 4000) ?? "";
  const [, level] = /mso-list:\s*\w+\s+level(\d{1,2})/i.exec(style) ?? [];
  if (!level) return undefined;
  return {
    element: paragraph,
    level: parseLevel(Number(level)),
    isOrdered: isNumberMarker(removeMarker(paragraph)),
  };
}

const parseLevel = (level: number) => Math.min(9, Math.max(1, level || 1));

/** Whether a marker is a number, such as "1.", "a)" or "2.1". Word writes its second bullet as the letter o. */
const isNumberMarker = (marker: string) =>
  /^\(?(?:\d{1,4}|[a-z]{1,6})(?:\.\d{1,3})*[.)]+$|^\d{1,4}(?:\.\d{1,3})*$/i.test(marker);

function removeMarker(paragraph: Element): string {
  const markerElement = paragraph.querySelector(
    "[style*='mso-list:Ignore' i], [style*='mso-list: Ignore' i]",
  );
  if (markerElement) {
    markerElement.remove();
    return getTrimmedText(markerElement);
  }
  // A marker without a style is between two conditional comments.
  const [start, end] = [
    findComment(paragraph, "[if !supportLists]"),
    findComment(paragraph, "[endif]"),
  ];
  if (!start || !end) return "";
  const range = paragraph.ownerDocument.createRange();
  range.setStartAfter(start);
  range.setEndBefore(end);
  const removed = range.cloneContents();
  range.deleteContents();
  return getTrimmedText(removed);
}

const getTrimmedText = ({ textContent }: Node) => (textContent ?? "").replaceAll(/\s/g, "");

function findComment(paragraph: Element, text: string): Node | null {
  const comments = paragraph.ownerDocument.createNodeIterator(paragraph, NodeFilter.SHOW_COMMENT);
  let comment = comments.nextNode();
  while (comment && comment.textContent?.trim() !== text) comment = comments.nextNode();
  return comment;
}

/** Replaces items with nested lists. A new list begins where numbers follow bullets, or the reverse. */
function nestItems(items: readonly PastedListItem[]): void {
  const [first] = items;
  if (!first) return;
  const document = first.element.ownerDocument;
  const placeholder = document.createElement("div");
  first.element.before(placeholder);
  const openLists: { readonly list: Element; readonly level: number }[] = [];
  for (const { element, level, isOrdered } of items) {
    const tag = isOrdered ? "ol" : "ul";
    while (openLists.length > 1 && (openLists.at(-1)?.level ?? 0) > level) openLists.pop();
    const last = openLists.at(-1);
    if (last?.level === level && last.list.localName !== tag) openLists.pop();
    const current = openLists.at(-1);
    if (!current || level > current.level) {
      const list = document.createElement(tag);
      (current?.list.lastElementChild ?? placeholder).append(list);
      openLists.push({ list, level });
    }
    const item = document.createElement("li");
    item.append(...element.childNodes);
    openLists.at(-1)?.list.append(...(element.matches("ul, ol") ? item.children : [item]));
    element.remove();
  }
}
