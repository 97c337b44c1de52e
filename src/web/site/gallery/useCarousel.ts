/** A row of cards that scrolls by touch, wheel and keys, and by arrows that wrap at both ends. */
import { type RefObject, useCallback, useRef, useState } from "react";
import { scrollBehaviour } from "../scrolling.ts";

/** The row's state: which card is in front, and how to bring another there. */
export interface Carousel {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly index: number;
  readonly onScroll: () => void;
  /** Any whole number: after the last comes the first (spec section 2, Highlights). */
  readonly go: (index: number) => void;
}

/** Makes a carousel of `count` cards. */
export function useCarousel(count: number): Carousel {
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const onScroll = useCallback(() => list.current && setIndex(inFront(list.current)), []);
  const go = useCallback(
    (wanted: number) => {
      const next = (wanted + count) % count;
      const row = list.current!;
      row.scrollTo({ left: place(row, row.children[next]!), behavior: scrollBehaviour() });
    },
    [count],
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
