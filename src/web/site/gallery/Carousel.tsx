/** A row of cards that scrolls by touch, wheel and keys, and by arrows and bars that wrap at both ends. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { scrollBehavior } from "../parts/scrolling.ts";
import { Arrows } from "./Arrows.tsx";

/** The state of a row: the card in front, and how to bring another there. */
export interface Carousel {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly index: number;
  readonly onScroll: () => void;
  /** Takes any whole number: after the last card comes the first. */
  readonly go: (index: number) => void;
}

/** How long a row that was set in motion is still before it has arrived, in milliseconds. */
const STILL = 150;

/** Makes a carousel of `count` cards: `list` and `onScroll` go onto the row. */
export function useCarousel(count: number): Carousel {
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  // Runs while an arrow or a bar moves the row: the next press counts from where it is going.
  const moving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(() => {
    moving.current = undefined;
    if (list.current) setIndex(cardInFront(list.current));
  }, []);
  const hold = useCallback(() => {
    clearTimeout(moving.current);
    moving.current = setTimeout(look, STILL);
  }, [look]);
  const onScroll = useCallback(() => (moving.current ? hold() : look()), [hold, look]);
  const go = useCallback(
    (wanted: number) => {
      const next = (wanted + count) % count;
      const row = list.current!;
      setIndex(next);
      hold();
      row.scrollTo({ left: offsetOf(row, row.children[next]!), behavior: scrollBehavior() });
    },
    [count, hold],
  );
  return { list, index, onScroll, go };
}

function cardInFront(row: Element): number {
  const end = row.scrollWidth - row.clientWidth;
  if (end > 0 && row.scrollLeft >= end - 2) return row.children.length - 1;
  const distances = [...row.children].map((card) => Math.abs(offsetOf(row, card) - row.scrollLeft));
  return distances.indexOf(Math.min(...distances));
}

/** How far the row has to scroll for a card to be in front; the last ones share the row's end. */
function offsetOf(row: Element, card: Element): number {
  const first = row.children[0] as HTMLElement;
  return (card as HTMLElement).offsetLeft - first.offsetLeft;
}

/** Shows a bar for each card and the arrows, for two cards or more; a wide page has a grid instead. */
export function CarouselControls({ index, go, count }: Carousel & { count: number }) {
  const bars = useRef<HTMLDivElement>(null);
  useEffect(() => keepInView(bars.current?.children[index]), [index]);
  if (count < 2) return null;
  return (
    <div className="carousel-controls">
      <div className="carousel-bars" ref={bars}>
        {Array.from({ length: count }, (_, at) => (
          <button
            key={at}
            type="button"
            aria-label={`Go to highlight ${at + 1}`}
            aria-current={at === index ? "true" : undefined}
            onClick={() => go(at)}
          />
        ))}
      </div>
      <Arrows onMove={(by) => go(index + by)} />
    </div>
  );
}

/** With more bars than fit, the current one stands in the middle of their row. */
function keepInView(bar: Element | undefined): void {
  const row = bar?.parentElement;
  if (!row) return;
  const { offsetLeft, offsetWidth } = bar as HTMLElement;
  row.scrollLeft = offsetLeft + offsetWidth / 2 - row.clientWidth / 2;
}
