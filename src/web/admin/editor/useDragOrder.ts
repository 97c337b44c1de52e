/** Dragging rows by their grip; its code comes when a list is shown. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** The sequence while a row is dragged; `onDrop` gets the new one and the id that was moved. */
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
