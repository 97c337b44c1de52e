/** The preview on phones: a bottom sheet that opens by dragging or by buttons. */
import ChevronUp from "lucide-react/icons/chevron-up";
import X from "lucide-react/icons/x";
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { setSheetHeight, type SheetHeight, useSheetHeight } from "../data/previewSheet.ts";
import { Badge } from "../parts/Card.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./PreviewSheet.css" with { type: "text" };

export interface PreviewSheetProps {
  /** A warning in the sheet's head, such as "Not saved yet". */
  readonly note?: string | undefined;
  /** The text in the head if there is no `note`. */
  readonly hint?: string;
  readonly children: ReactNode;
}

/** A finger may move this far in a tap. A longer movement is a drag. */
const DRAG_TOLERANCE_PX = 8;

/** Renders its content only while the sheet is open or being dragged. Escape closes it. */
export function PreviewSheet({
  note,
  hint = "Matches the live site",
  children,
}: PreviewSheetProps) {
  useStylesheet(css);
  const height = useSheetHeight() ?? "closed";
  const isOpen = height !== "closed";
  const sheetRef = useRef<HTMLElement>(null);
  const { draggedHeight, handlers } = useSheetDrag(sheetRef);
  useEffect(() => {
    setSheetHeight("closed");
    return () => setSheetHeight(null);
  }, []);
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && !document.querySelector("dialog[open]")) setSheetHeight("closed");
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [isOpen]);
  return (
    <section
      ref={sheetRef}
      className="preview-sheet"
      aria-label="Preview"
      data-height={height}
      data-pulled={draggedHeight === null ? undefined : ""}
      style={draggedHeight === null ? undefined : { height: draggedHeight }}
    >
      <div className="preview-sheet-head gap-4 row" {...handlers}>
        <span className="preview-sheet-handle" aria-hidden="true" />
        <button
          type="button"
          className="preview-sheet-title grow row"
          aria-expanded={isOpen}
          onClick={() => setSheetHeight(isOpen ? "closed" : "half")}
        >
          <strong>Preview</strong>
          {note ? <Badge tone="warn">{note}</Badge> : <span className="quiet">{hint}</span>}
        </button>
        {height !== "full" && (
          <IconButton
            icon={ChevronUp}
            label={isOpen ? "Larger preview" : "Show preview"}
            onClick={() => setSheetHeight(isOpen ? "full" : "half")}
          />
        )}
        {isOpen && (
          <IconButton icon={X} label="Close preview" onClick={() => setSheetHeight("closed")} />
        )}
      </div>
      {(isOpen || draggedHeight !== null) && <div className="preview-sheet-body">{children}</div>}
    </section>
  );
}

/** The sheet follows the finger, then moves to the nearest of its three heights. */
function useSheetDrag(sheetRef: { current: HTMLElement | null }) {
  const [draggedHeight, setDraggedHeight] = useState<number | null>(null);
  const wasDraggedRef = useRef(false);
  const onPointerDown = ({ clientY }: PointerEvent) => {
    if (!sheetRef.current) return;
    const initialHeight = sheetRef.current.offsetHeight;
    let height = initialHeight;
    wasDraggedRef.current = false;
    const abortController = new AbortController();
    const handleMove = (event: globalThis.PointerEvent) => {
      const distance = clientY - event.clientY;
      if (!wasDraggedRef.current && Math.abs(distance) < DRAG_TOLERANCE_PX) return;
      wasDraggedRef.current = true;
      height = Math.max(CLOSED_HEIGHT_PX, initialHeight + distance);
      setDraggedHeight(height);
    };
    const endDrag = () => {
      abortController.abort();
      if (wasDraggedRef.current) setSheetHeight(findNearestHeight(height));
      setDraggedHeight(null);
    };
    // The listeners are on the window, since the finger may leave the sheet's head.
    window.addEventListener("pointermove", handleMove, { signal: abortController.signal });
    window.addEventListener("pointerup", endDrag, { signal: abortController.signal });
    window.addEventListener("pointercancel", endDrag, { signal: abortController.signal });
  };
  const handlers = {
    onPointerDown,
    // The click at the end of a drag must not press the button under the finger.
    onClickCapture: (event: { stopPropagation: () => void }) =>
      wasDraggedRef.current && event.stopPropagation(),
  };
  return { draggedHeight, handlers };
}

/** The height of the closed sheet. PreviewSheet.css has the same value. */
const CLOSED_HEIGHT_PX = 72;

function findNearestHeight(height: number): SheetHeight {
  const share = height / window.innerHeight;
  if (share > 0.7) return "full";
  return share > 0.28 ? "half" : "closed";
}
