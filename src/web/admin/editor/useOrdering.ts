/** Sorts rows by dragging. Keeps the focus when rows move or disappear. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * Returns the ids in the order that a drag in progress has created. `onDrop` receives the final order and the id of the
 * moved row.
 */
export function useDragOrder(
  listRef: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onDrop: (ids: readonly string[], movedId: string) => void,
): readonly string[] {
  const [draggedIds, setDraggedIds] = useState<readonly string[] | null>(null);
  const latestRef = useRef({ ids, dragged: draggedIds, onDrop });
  useLayoutEffect(() => {
    latestRef.current = { ids, dragged: draggedIds, onDrop };
  });
  useEffect(() => {
    const parent = listRef.current;
    if (!parent) return;
    let isUnmounted = false;
    let stop = () => {};
    const setUpDrag = async () => {
      const { dragAndDrop, tearDown } = await import("@formkit/drag-and-drop");
      if (isUnmounted) return;
      stop = () => tearDown(parent);
      dragAndDrop<string>({
        parent,
        getValues: () => [...(latestRef.current.dragged ?? latestRef.current.ids)],
        setValues: (values) => {
          latestRef.current.dragged = values;
          setDraggedIds(values);
        },
        config: {
          dragHandle: ".grip",
          draggingClass: "row-dragging",
          synthDraggingClass: "row-dragging",
          onDragend: ({ draggedNode }) => {
            const { ids: before, dragged: after } = latestRef.current;
            setDraggedIds(null);
            if (after && after.some((id, index) => id !== before[index]))
              latestRef.current.onDrop(after, draggedNode.data.value);
          },
          // Overrides the library's default, which focuses the pressed handle and thereby prevents dragging.
          handleNodeFocus: () => {},
        },
      });
    };
    // If the library fails to load, the buttons still move rows. Loading is tried again when the pointer enters the
    // list.
    const tryStart = () => {
      setUpDrag().catch(() => parent.addEventListener("pointerenter", tryStart, { once: true }));
    };
    tryStart();
    return () => {
      isUnmounted = true;
      parent.removeEventListener("pointerenter", tryStart);
      stop();
    };
  }, [listRef]);
  return draggedIds ?? ids;
}

/**
 * Focuses the Edit button of a row after the row's form has closed. `editedId` is the id of the row whose form is open.
 */
export function useFocusAfterEditing(
  listRef: RefObject<HTMLElement | null>,
  ids: readonly string[],
  editedId: string | undefined,
): void {
  const previousEditedIdRef = useRef(editedId);
  useLayoutEffect(() => {
    const closedId = editedId === undefined ? previousEditedIdRef.current : undefined;
    previousEditedIdRef.current = editedId;
    if (closedId === undefined || document.activeElement !== document.body) return;
    const row = listRef.current?.children[ids.indexOf(closedId)];
    row?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
  }, [listRef, ids, editedId]);
}

interface FocusedElement {
  readonly element: HTMLElement;
  readonly rowIndex: number;
}

/** After a move, focuses the moved button again. After a deletion, focuses the Delete button of the next row. */
export function useFocusAcrossMoves(listRef: RefObject<HTMLElement | null>): void {
  const focusedRef = useRef<FocusedElement | null>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || !focusedRef.current) return;
    const { element, rowIndex } = focusedRef.current;
    // After a move the button still exists, but moving its row in the DOM has removed the focus.
    if (element.isConnected) element.focus();
    else findDeleteButton(listRef.current, rowIndex)?.focus();
  });
  useLayoutEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      const element = target as HTMLElement;
      const rowIndex = [...(listRef.current?.children ?? [])].findIndex((row) =>
        row.contains(element),
      );
      focusedRef.current = rowIndex < 0 ? null : { element, rowIndex };
    };
    const clearFocus = ({ target }: PointerEvent) => {
      if (!listRef.current?.contains(target as Node)) focusedRef.current = null;
    };
    document.addEventListener("focusin", rememberFocus);
    document.addEventListener("pointerdown", clearFocus);
    return () => {
      document.removeEventListener("focusin", rememberFocus);
      document.removeEventListener("pointerdown", clearFocus);
    };
  }, [listRef]);
}

/**
 * Returns the Delete button of the row at `index`, or of the last row. If the list is empty, returns the list's primary
 * button.
 */
function findDeleteButton(list: HTMLElement | null, index: number): HTMLElement | null | undefined {
  const rows = list?.children ?? [];
  const row = rows[Math.min(index, rows.length - 1)];
  if (row) return row.querySelector<HTMLElement>('.row-actions [aria-label^="Delete "]');
  return list?.closest(".card")?.querySelector<HTMLElement>("[data-adds], .empty .ui-button");
}
