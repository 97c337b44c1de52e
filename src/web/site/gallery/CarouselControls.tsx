/** The bars and arrows below a row of cards; inline/carousel.ts moves the row by them. */
import { fill } from "../../words/fill.ts";
import { useWords } from "../../words/siteWords.ts";
import { Arrows } from "./Arrows.tsx";

/** Shows a bar for each card and the arrows, for two cards or more; a wide page has a grid instead. */
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
            aria-label={fill(words.gallery.goTo, { number: at + 1 })}
            aria-current={at === 0 ? "true" : undefined}
          />
        ))}
      </div>
      <Arrows />
    </div>
  );
}
