/** Inserts HTML at the cursor without nesting blocks in blocks. */
import type { IJodit } from "jodit/esm/types/jodit";

/** Replaces the selection by sanitized HTML. A single paragraph continues the block at the cursor. */
export function insertPasted(editor: IJodit, html: string): void {
  const { range } = editor.s;
  range.deleteContents();
  const block = findBlock(editor.editor, range.startContainer);
  const nodes = createNodes(editor, html, block !== undefined);
  const last = nodes.at(-1);
  if (!last) return;
  if (block && nodes.some((node) => BLOCK_TAG_PATTERN.test(node.nodeName)))
    splitBlock(block, range, nodes);
  else {
    const fragment = editor.createInside.fragment();
    fragment.append(...nodes);
    range.insertNode(fragment);
  }
  const cursor = editor.ed.createRange();
  if (BLOCK_TAG_PATTERN.test(last.nodeName)) cursor.selectNodeContents(findLastLine(last));
  else cursor.setStartAfter(last);
  cursor.collapse(!BLOCK_TAG_PATTERN.test(last.nodeName));
  editor.s.selectRange(cursor);
  editor.synchronizeValues();
}

/** Inside a block, the content of a single paragraph without the paragraph; outside, only blocks. */
function createNodes(editor: IJodit, html: string, isInBlock: boolean): readonly ChildNode[] {
  const holder = editor.createInside.div();
  holder.innerHTML = html;
  const nodes = [...holder.childNodes];
  const [only] = nodes;
  if (isInBlock) return nodes.length === 1 && only?.nodeName === "P" ? [...only.childNodes] : nodes;
  if (nodes.length === 0 || nodes.some((node) => BLOCK_TAG_PATTERN.test(node.nodeName)))
    return nodes;
  const paragraph = editor.createInside.element("p");
  paragraph.append(...nodes);
  return [paragraph];
}

/** Splits a block at the cursor and inserts the nodes between its halves. */
function splitBlock(block: ChildNode, range: Range, nodes: readonly ChildNode[]): void {
  const rest = range.cloneRange();
  rest.setEndAfter(block);
  const after = [...rest.extractContents().childNodes];
  block.after(...nodes, ...after);
  const [cut] = after;
  if (cut instanceof Element) removeIfEmpty(cut.querySelector("li"));
  if (block instanceof Element) removeIfEmpty([...block.querySelectorAll("li")].at(-1));
  for (const each of [block, ...after]) removeIfEmpty(each);
}

const BLOCK_TAG_PATTERN = /^(?:P|H[1-3]|UL|OL|BLOCKQUOTE)$/;

/** The editor's direct child that contains `node`. */
function findBlock(root: HTMLElement, node: Node): ChildNode | undefined {
  let at: Node | null = node;
  while (at && at.parentNode !== root) at = at.parentNode;
  return at && BLOCK_TAG_PATTERN.test(at.nodeName) ? (at as ChildNode) : undefined;
}

/** The last item of a list or the last paragraph of a quote. */
function findLastLine(node: Node): Node {
  let at = node;
  while (at.lastChild && /^(?:UL|OL|BLOCKQUOTE)$/.test(at.nodeName)) at = at.lastChild;
  return at;
}

function removeIfEmpty(node: ChildNode | null | undefined): void {
  if (!node || (node.textContent ?? "").trim() !== "") return;
  if (!(node instanceof Element && node.querySelector("img"))) node.remove();
}
