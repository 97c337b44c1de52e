/** Dragging rows by their grip; its code comes when a list is shown. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** The sequence while a row is dragged, and what to do when it is let go. */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onDrop: (ids: readonly string[]) => void,
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
          onDragend: () => drop(latest.current, setDragged),
          // Its own answer to focus on the pressed grip is that the row can't be dragged any more.
          handleNodeFocus: () => {},
        },
      });
    };
    void start();
    return () => {
      left = true;
      stop();
    };
  }, [list]);
  return dragged ?? ids;
}

function drop(
  {
    ids,
    dragged,
    onDrop,
  }: {
    ids: readonly string[];
    dragged: readonly string[] | null;
    onDrop: (ids: readonly string[]) => void;
  },
  setDragged: (ids: null) => void,
): void {
  setDragged(null);
  if (dragged && dragged.some((id, at) => id !== ids[at])) onDrop(dragged);
}
