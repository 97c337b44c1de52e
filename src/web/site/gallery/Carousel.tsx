/** The arrows and bars under a carousel; a wide page has a grid instead and hides them. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { scrollBehavior } from "../parts/scrolling.ts";
import { Chevron } from "./Arrows.tsx";

// A row of cards that scrolls by touch, wheel and keys, and by arrows that wrap at both ends.

/** The row's state: which card is in front, and how to bring another there. */
interface Carousel {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly index: number;
  readonly onScroll: () => void;
  /** Any whole number: after the last comes the first (spec section 2, Highlights). */
  readonly go: (index: number) => void;
}

/** How long a row that was set in motion is still before it has arrived, in milliseconds. */
const STILL = 150;

/** Makes a carousel of `count` cards. */
export function useCarousel(count: number): Carousel {
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  // Runs while an arrow or a bar moves the row: the next press counts from where it is going.
  const moving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(() => {
    moving.current = undefined;
    if (list.current) setIndex(inFront(list.current));
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
      row.scrollTo({ left: place(row, row.children[next]!), behavior: scrollBehavior() });
    },
    [count, hold],
  );
  return { list, index, onScroll, go };
}

/** Where the row has to scroll to for a card to be in front; the last ones share the row's end. */
function place(row: Element, card: Element): number {
  const first = row.children[0] as HTMLElement;
  return (card as HTMLElement).offsetLeft - first.offsetLeft;
}

function inFront(row: Element): number {
  const end = row.scrollWidth - row.clientWidth;
  if (end > 0 && row.scrollLeft >= end - 2) return row.children.length - 1;
  const distances = [...row.children].map((card) => Math.abs(place(row, card) - row.scrollLeft));
  return distances.indexOf(Math.min(...distances));
}

/** Shows one bar per card and the two arrows. */
export function CarouselControls({ index, go, count }: Carousel & { count: number }) {
  const bars = useRef<HTMLDivElement>(null);
  useEffect(() => keepInView(bars.current?.children[index]), [index]);
  if (count < 2) return null;
  return (
    <div className="carousel-controls">
      <div className="carousel-bars" ref={bars}>
        {Array.from({ length: count }, (_, place) => (
          <button
            key={place}
            type="button"
            aria-label={`Go to highlight ${place + 1}`}
            aria-current={place === index ? "true" : undefined}
            onClick={() => go(place)}
          />
        ))}
      </div>
      <button type="button" className="arrow" aria-label="Previous" onClick={() => go(index - 1)}>
        <Chevron to="left" />
      </button>
      <button type="button" className="arrow" aria-label="Next" onClick={() => go(index + 1)}>
        <Chevron to="right" />
      </button>
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
