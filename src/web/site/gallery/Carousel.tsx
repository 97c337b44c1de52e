/** A row of cards that scrolls by touch, wheel and keys, and by arrows and bars that wrap at both ends. */
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { scrollBehavior } from "../parts/scrolling.ts";
import { Arrows } from "./Arrows.tsx";

/** The state of a row: the card in front, and how to bring another there. */
export interface Carousel {
  /** Goes onto the list of cards. */
  readonly row: RowProps;
  readonly index: number;
  /** Takes any whole number: after the last card comes the first. */
  readonly go: (index: number) => void;
}

type RowProps = Pick<
  ComponentProps<"ul">,
  "ref" | "onScroll" | "onScrollEnd" | "onPointerDown" | "onWheel" | "onKeyDown" | "onFocus"
>;

/** Makes a carousel of `count` cards. */
export function useCarousel(count: number): Carousel {
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  // The card that an arrow or a bar sends the row to: the next press counts from it, not from where
  // the row is on its way. A busy device may set out late, so only arriving or the visitor's hand ends it.
  const target = useRef<number>(undefined);
  const onScroll = () => {
    const row = list.current!;
    if (target.current === undefined) setIndex(cardInFront(row));
    else if (hasReached(row, target.current)) target.current = undefined;
  };
  // Where the row snaps may be a little off the card.
  const onScrollEnd = () => {
    if (cardInFront(list.current!) === target.current) target.current = undefined;
  };
  const letGo = () => {
    target.current = undefined;
  };
  const go = (wanted: number) => {
    const next = (wanted + count) % count;
    const row = list.current!;
    target.current = next;
    setIndex(next);
    row.scrollTo({ left: offsetOf(row, row.children[next]!), behavior: scrollBehavior() });
  };
  const row = {
    ref: list,
    onScroll,
    onScrollEnd,
    onPointerDown: letGo,
    onWheel: letGo,
    onKeyDown: letGo,
    onFocus: letGo,
  };
  return { row, index, go };
}

function hasReached(row: Element, index: number): boolean {
  const left = Math.min(offsetOf(row, row.children[index]!), row.scrollWidth - row.clientWidth);
  return Math.abs(row.scrollLeft - left) < 2;
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
