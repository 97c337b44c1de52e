/** The highlights: posters in a carousel on narrow pages, in a grid on wide ones. */
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { CarouselControls } from "../gallery/CarouselControls.tsx";
import { Poster } from "../gallery/Poster.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";

/** Renders nothing without highlights (specification, section 2.3). */
export function Highlights({ content, pictures }: LoadedPage) {
  const highlights = content.highlights ?? [];
  if (highlights.length === 0) return null;
  return (
    <SectionShell
      id="highlights"
      className="highlights"
      settings={getSingletonValue(content, "highlightSettings")}
    >
      <ul className="posters" data-count={columnCount(highlights.length)} data-gallery="dialog">
        {highlights.map((highlight) => (
          <li key={highlight.id}>
            <Poster item={highlight} pictures={pictures} columns={highlights.length} />
          </li>
        ))}
      </ul>
      <CarouselControls count={highlights.length} />
    </SectionShell>
  );
}

/** Returns the number of columns if up to three highlights fill a row (specification, section 2.3). */
function columnCount(length: number): number | undefined {
  return length <= 3 ? length : undefined;
}
