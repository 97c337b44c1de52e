/** Sorts rows by dragging, and keeps the focus while rows move or disappear. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Returns the ids in the order of the current drag. `onDrop` gets the final order and the moved id. */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onDrop: (ids: readonly string[], moved: string) => void,
): readonly string[] {
  const [dragged, setDragged] = useState<readonly string[] | null>(null);
  const latest = useRef({ ids, dragged, onDrop });
  useLayoutEffect(() => {
    latest.current = { ids, dragged, onDrop };
  });
  useEffect(() => {
    const parent = list.current;
    if (!parent) return;
    let left = false;
    let stop = () => {};
    const start = async () => {
      const { dragAndDrop, tearDown } = await import("@formkit/drag-and-drop");
      if (left) return;
      stop = () => tearDown(parent);
      dragAndDrop<string>({
        parent,
        getValues: () => [...(latest.current.dragged ?? latest.current.ids)],
        setValues: (values) => {
          latest.current.dragged = values;
          setDragged(values);
        },
        config: {
          dragHandle: ".grip",
          draggingClass: "row-dragging",
          synthDraggingClass: "row-dragging",
          onDragend: ({ draggedNode }) => {
            const { ids: before, dragged: after } = latest.current;
            setDragged(null);
            if (after && after.some((id, at) => id !== before[at]))
              latest.current.onDrop(after, draggedNode.data.value);
          },
          // By default, focusing the pressed handle would prevent dragging.
          handleNodeFocus: () => {},
        },
      });
    };
    // If the code fails to load, the buttons still work. Pointing at the list retries.
    const tryStart = () => {
      start().catch(() => parent.addEventListener("pointerenter", tryStart, { once: true }));
    };
    tryStart();
    return () => {
      left = true;
      parent.removeEventListener("pointerenter", tryStart);
      stop();
    };
  }, [list]);
  return dragged ?? ids;
}

/** After a form closes, focuses its row's Edit button. `editing` is the id of the row with an open form. */
export function useFocusAfterEditing(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  editing: string | undefined,
): void {
  const last = useRef(editing);
  useLayoutEffect(() => {
    const closed = editing === undefined ? last.current : undefined;
    last.current = editing;
    if (closed === undefined || document.activeElement !== document.body) return;
    const row = list.current?.children[ids.indexOf(closed)];
    row?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  }, [list, ids, editing]);
}

interface FocusedElement {
  readonly element: HTMLElement;
  readonly rowIndex: number;
}

/** After a move, focuses the same button again; after a deletion, the next row's Delete button. */
export function useFocusAcrossMoves(list: RefObject<HTMLElement | null>): void {
  const focused = useRef<FocusedElement | null>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || !focused.current) return;
    const { element, rowIndex } = focused.current;
    // Moving a row in the DOM removes the focus from its button.
    if (element.isConnected) element.focus();
    else findDeleteButton(list.current, rowIndex)?.focus();
  });
  useLayoutEffect(() => {
    const rememberFocused = ({ target }: FocusEvent) => {
      const element = target as HTMLElement;
      const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(element));
      focused.current = at < 0 ? null : { element, rowIndex: at };
    };
    const clearFocused = ({ target }: PointerEvent) => {
      if (!list.current?.contains(target as Node)) focused.current = null;
    };
    document.addEventListener("focusin", rememberFocused);
    document.addEventListener("pointerdown", clearFocused);
    return () => {
      document.removeEventListener("focusin", rememberFocused);
      document.removeEventListener("pointerdown", clearFocused);
    };
  }, [list]);
}

/** The Delete button at this position or of the last row; without rows, the list's primary action. */
function findDeleteButton(list: HTMLElement | null, index: number): HTMLElement | null | undefined {
  const rows = list?.children ?? [];
  const row = rows[Math.min(index, rows.length - 1)];
  if (row) return row.querySelector<HTMLElement>('.row-actions [aria-label^="Delete "]');
  return list?.closest(".card")?.querySelector<HTMLElement>("[data-adds], .empty .ui-button");
}
