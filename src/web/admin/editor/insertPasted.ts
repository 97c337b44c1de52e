/** Inserts HTML at the cursor so that no block lands within another. */
import type { IJodit } from "jodit/esm/types/jodit";

/** Replaces the selection by clean HTML; one paragraph alone continues the one at the cursor. */
export function insertPasted(editor: IJodit, html: string): void {
  const holder = editor.createInside.div();
  holder.innerHTML = html;
  const only = holder.childNodes.length === 1 ? holder.firstElementChild : null;
  if (only?.localName === "p") only.replaceWith(...only.childNodes);
  const nodes = [...holder.childNodes];
  const last = nodes.at(-1);
  if (!last) return;
  const { range } = editor.s;
  range.deleteContents();
  const hasBlocks = nodes.some((node) => BLOCK.test(node.nodeName));
  const block = blockAt(editor.editor, range.startContainer);
  if (hasBlocks && block) {
    const rest = range.cloneRange();
    rest.setEndAfter(block);
    const after = [...rest.extractContents().childNodes];
    block.after(...nodes, ...after);
    for (const each of [block, ...after]) if (isEmpty(each)) each.remove();
  } else {
    const fragment = editor.createInside.fragment();
    fragment.append(...nodes);
    range.insertNode(fragment);
  }
  const cursor = editor.ed.createRange();
  if (last.nodeType === Node.TEXT_NODE || last.nodeName === "BR") cursor.setStartAfter(last);
  else cursor.selectNodeContents(last.nodeName === "IMG" ? last : endOf(last));
  cursor.collapse(false);
  editor.s.selectRange(cursor);
  editor.synchronizeValues();
}

const BLOCK = /^(?:P|H[1-3]|UL|OL|BLOCKQUOTE)$/;

/** The editor's child around a node. */
function blockAt(root: HTMLElement, node: Node): ChildNode | undefined {
  let at: Node | null = node;
  while (at && at.parentNode !== root) at = at.parentNode;
  return at && BLOCK.test(at.nodeName) ? (at as ChildNode) : undefined;
}

/** The last item of a list, the last paragraph of a quote. */
function endOf(node: Node): Node {
  let at = node;
  while (at.lastChild && /^(?:UL|OL|BLOCKQUOTE)$/.test(at.nodeName)) at = at.lastChild;
  return at;
}

const isEmpty = (node: ChildNode) =>
  (node.textContent ?? "").trim() === "" && !(node instanceof Element && node.querySelector("img"));
