/** One picture at full size in a dialog; arrow keys, buttons and swipes move on to the others. */
import { useEffect, useRef } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Photo } from "../parts/Photo.tsx";
import { Chevron } from "./Arrows.tsx";
import type { GalleryItem } from "./PictureGallery.tsx";

// Moves by arrow keys and by sideways swipes, for the whole window while something modal is open.

/** How far a finger travels sideways for a swipe, in CSS pixels. */
const DISTANCE = 40;

/** Calls back with 1 for onwards (right arrow, a swipe to the left) and -1 for back. */
export function useMoves(active: boolean, onMove: (by: 1 | -1) => void): void {
  const latest = useRef(onMove);
  useEffect(() => {
    latest.current = onMove;
  });
  useEffect(() => {
    if (!active) return;
    const away = new AbortController();
    listen(away.signal, (by) => latest.current(by));
    return () => away.abort();
  }, [active]);
}

function listen(signal: AbortSignal, onMove: (by: 1 | -1) => void): void {
  let start: Touch | undefined;
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onMove(-1);
    if (key === "ArrowRight") onMove(1);
  };
  const onStart = ({ touches }: TouchEvent) => {
    start = touches.length === 1 ? touches[0] : undefined;
  };
  const onEnd = ({ changedTouches }: TouchEvent) => {
    const end = changedTouches[0];
    if (!start || !end) return;
    const across = end.clientX - start.clientX;
    if (Math.abs(across) < DISTANCE || Math.abs(across) < Math.abs(end.clientY - start.clientY))
      return;
    onMove(across < 0 ? 1 : -1);
  };
  addEventListener("keydown", onKey, { signal });
  addEventListener("touchstart", onStart, { signal, passive: true });
  addEventListener("touchend", onEnd, { signal, passive: true });
}

/** `index` is the picture shown; `onIndex` asks for another. */
export interface LargePictureProps {
  readonly items: readonly GalleryItem[];
  readonly pictures: Pictures;
  readonly kind: "dialog" | "lightbox";
  readonly open: boolean;
  readonly index: number;
  readonly onIndex: (index: number) => void;
  readonly onClose: () => void;
}

/** Shows the large view; it wraps at both ends. */
export function LargePicture(props: LargePictureProps) {
  const { items, pictures, kind, open, index, onIndex, onClose } = props;
  const { imageUrl, title, subtitle } = items[index]!;
  const move = (by: number) => onIndex((index + by + items.length) % items.length);
  useMoves(open && items.length > 1, move);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      titleHidden={kind === "lightbox"}
      size="large"
      className={`large-picture large-picture-${kind}`}
    >
      <div className="large-picture-stage">
        <Photo key={imageUrl} src={imageUrl} pictures={pictures} sizes="100vw" alt={title} eager />
        {items.length > 1 && <Arrows move={move} />}
      </div>
      {subtitle && kind === "dialog" && <p className="large-picture-subtitle">{subtitle}</p>}
      <p className="ui-hidden" aria-live="polite">
        {`${title}, picture ${index + 1} of ${items.length}`}
      </p>
    </Dialog>
  );
}

function Arrows({ move }: { move: (by: number) => void }) {
  return (
    <>
      <button type="button" className="arrow" aria-label="Previous" onClick={() => move(-1)}>
        <Chevron to="left" />
      </button>
      <button
        type="button"
        className="arrow"
        aria-label="Next"
        data-autofocus=""
        onClick={() => move(1)}
      >
        <Chevron to="right" />
      </button>
    </>
  );
}
