/** The highlights: posters in a carousel on narrow pages, in a grid on wide ones. */
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { ARROW_PATHS } from "../../ui/markup.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
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
      <ul
        className="posters"
        data-count={highlights.length <= MAX_ROW_LENGTH ? highlights.length : undefined}
        data-gallery="dialog"
      >
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

/** Up to this number, the highlights share one row (specification, section 2.3). */
const MAX_ROW_LENGTH = 3;

/** The bars and arrows that scroll the row of cards (inline/carousel.ts). A wide page has a grid instead. */
function CarouselControls({ count }: { count: number }) {
  const { words, lang } = useWords();
  if (count < 2) return null;
  return (
    <div className="carousel-controls">
      <div className="carousel-bars">
        {Array.from({ length: count }, (_, index) => (
          <button
            key={index}
            type="button"
            lang={lang}
            aria-label={fillPlaceholders(words.gallery.goTo, { number: index + 1 })}
            aria-current={index === 0 ? "true" : undefined}
          />
        ))}
      </div>
      <Arrows />
    </div>
  );
}

function Arrows() {
  const { words, lang } = useWords();
  return ARROW_PATHS.map(({ to, path }) => (
    <button
      key={to}
      type="button"
      className="arrow"
      data-to={to}
      lang={lang}
      aria-label={words.gallery[to]}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none">
        <path d={path} stroke="currentColor" strokeWidth="1.75" />
      </svg>
    </button>
  ));
}
