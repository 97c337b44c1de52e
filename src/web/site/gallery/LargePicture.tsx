/** One picture at full size in a dialog; arrow keys, buttons and swipes move on to the others. */
import { useEffect, useRef } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Photo } from "../parts/Photo.tsx";
import { Arrows } from "./Arrows.tsx";
import type { GalleryItem } from "./Poster.tsx";

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

/** Shows one picture large; after the last comes the first. */
export function LargePicture(props: LargePictureProps) {
  const { items, pictures, kind, open, index, onIndex, onClose } = props;
  const { imageUrl, title, subtitle } = items[index]!;
  const move = (by: number) => onIndex((index + by + items.length) % items.length);
  useKeysAndSwipes(open && items.length > 1, move);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      titleHidden
      size="large"
      className={`large-picture large-picture-${kind}`}
    >
      <div className="large-picture-stage">
        <Photo key={imageUrl} src={imageUrl} pictures={pictures} sizes="100vw" alt={title} eager />
        {items.length > 1 && <Arrows onMove={move} focused="next" />}
      </div>
      <div className="large-picture-caption" aria-hidden="true">
        <p dir="auto">
          <strong>{title}</strong>
          {subtitle && ` ${subtitle}`}
        </p>
        {items.length > 1 && (
          <p className="large-picture-count">{`${index + 1} / ${items.length}`}</p>
        )}
      </div>
      <p className="ui-hidden" aria-live="polite">
        {[title, subtitle, `picture ${index + 1} of ${items.length}`].filter(Boolean).join(", ")}
      </p>
    </Dialog>
  );
}

/** How far a finger travels sideways for a swipe, in CSS pixels. */
const DISTANCE = 40;

/**
 * While `active`, calls back with 1 for onwards (right arrow, a swipe to the left) and -1 for back,
 * wherever on the page it happens.
 */
function useKeysAndSwipes(active: boolean, onMove: (by: 1 | -1) => void): void {
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
