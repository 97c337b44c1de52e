/** The two round arrows of the carousel, which inline/carousel.ts follows. */
import { ARROWS } from "../../ui/arrows.ts";
import { useWords } from "../../words/siteWords.ts";

/** Back and forth; nothing of theirs runs here, so that they work on a page that doesn't live. */
export function Arrows() {
  const { words, lang } = useWords();
  return ARROWS.map(({ to, path }) => (
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
