/** Sorts rows by dragging. Keeps the focus when rows move or disappear. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Returns the ids in the order of a drag in progress. `onDrop` gets the final order and the id of the moved row. */
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
          // By default, the library focuses the pressed handle, which prevents dragging.
          handleNodeFocus: () => {},
        },
      });
    };
    // If the library fails to load, buttons still move rows. It is loaded again when the pointer enters the list.
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

/** Focuses a row's Edit button after the row's form has closed. `editedId` is the row with an open form. */
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

/** After a move, focuses the moved button again. After a deletion, focuses the next row's Delete button. */
export function useFocusAcrossMoves(listRef: RefObject<HTMLElement | null>): void {
  const focusedRef = useRef<FocusedElement | null>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || !focusedRef.current) return;
    const { element, rowIndex } = focusedRef.current;
    // The button still exists, but moving its row in the DOM has removed the focus.
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

/** Returns the Delete button at `index`, or the last one. Returns the primary button of an empty list. */
function findDeleteButton(list: HTMLElement | null, index: number): HTMLElement | null | undefined {
  const rows = list?.children ?? [];
  const row = rows[Math.min(index, rows.length - 1)];
  if (row) return row.querySelector<HTMLElement>('.row-actions [aria-label^="Delete "]');
  return list?.closest(".card")?.querySelector<HTMLElement>("[data-adds], .empty .ui-button");
}
