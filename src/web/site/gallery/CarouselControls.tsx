/** The bars and arrows below a row of cards; inline/carousel.ts makes them scroll it. */
import { ARROW_PATHS } from "../../ui/markup.ts";
import { fillPlaceholders } from "../../words/fill.ts";
import { useWords } from "../../words/siteWords.ts";

/** A bar for each card and the arrows, for two cards or more; wide pages have a grid instead. */
export function CarouselControls({ count }: { count: number }) {
  const { words, lang } = useWords();
  if (count < 2) return null;
  return (
    <div className="carousel-controls">
      <div className="carousel-bars">
        {Array.from({ length: count }, (_, at) => (
          <button
            key={at}
            type="button"
            lang={lang}
            aria-label={fillPlaceholders(words.gallery.goTo, { number: at + 1 })}
            aria-current={at === 0 ? "true" : undefined}
          />
        ))}
      </div>
      <Arrows />
    </div>
  );
}

/** Back and forward; they need no hydration. */
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
