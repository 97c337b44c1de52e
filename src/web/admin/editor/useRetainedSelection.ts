/** Keeps the selection in a text when a save replaces it with what the server stored. */
import { useEffect, useLayoutEffect, useRef } from "react";

/** A position as the indexes of child nodes from the root, and an offset within the last node. */
interface Position {
  readonly path: readonly number[];
  readonly offset: number;
}

interface RetainedSelection {
  readonly content: ChildNode | null;
  readonly anchor: Position;
  readonly focus: Position;
}

/**
 * Call this in the parent of the component that writes a text into `root`: its layout effect runs before that, its
 * effect after it. Without this, the selection would be before the whole text, where the next command would apply.
 */
export function useRetainedSelection(root: HTMLElement | undefined): void {
  const retained = useRef<RetainedSelection | undefined>(undefined);
  useLayoutEffect(() => {
    retained.current = root && readSelection(root);
  });
  useEffect(() => {
    if (!root || !retained.current || root.firstChild === retained.current.content) return;
    const [anchor, focus] = [retained.current.anchor, retained.current.focus].map((each) =>
      findPosition(root, each),
    );
    if (anchor && focus) getSelection()?.setBaseAndExtent(...anchor, ...focus);
  });
}

function readSelection(root: HTMLElement): RetainedSelection | undefined {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
  if (!anchorNode || !focusNode || !root.contains(anchorNode) || !root.contains(focusNode))
    return undefined;
  return {
    content: root.firstChild,
    anchor: { path: pathTo(anchorNode, root), offset: anchorOffset ?? 0 },
    focus: { path: pathTo(focusNode, root), offset: focusOffset ?? 0 },
  };
}

function pathTo(node: Node, root: Node): number[] {
  const { parentNode } = node;
  if (node === root || !parentNode) return [];
  return [...pathTo(parentNode, root), [...parentNode.childNodes].indexOf(node as ChildNode)];
}

/** Undefined if the server changed the structure. */
function findPosition(root: Node, { path, offset }: Position): [Node, number] | undefined {
  let node: Node | undefined = root;
  for (const index of path) node = node?.childNodes[index];
  if (!node) return undefined;
  const { length } = node instanceof Text ? node : node.childNodes;
  return [node, Math.min(offset, length)];
}
