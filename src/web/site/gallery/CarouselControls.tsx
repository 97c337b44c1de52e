/** The arrows and bars under a carousel; a wide page has a grid instead and hides them. */
import { useEffect, useRef } from "react";
import { Chevron } from "./Chevron.tsx";
import type { Carousel } from "./useCarousel.ts";

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
