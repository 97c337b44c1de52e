/** The first screen of the home page. */
import { useLayoutEffect, useRef } from "react";
import { safePictureUrl } from "../../../schema/safeUrl.ts";
import { type LoadedPage, valueOf } from "../../content.ts";
import { fitted } from "../parts/fitted.ts";
import { HeroPicture } from "./HeroPicture.tsx";
import { ARRIVAL_SCRIPT, watchArrival } from "./pictureArrival.ts";

// The hero's tagline: its parts between bullets.

/** Shows the parts in a row; on a narrow page in two columns (spec section 2, Hero). */
export function Tagline({ text }: { text: string }) {
  const parts = text.split("•").map((part) => part.trim());
  return (
    <ul className="tagline">
      {parts.filter(Boolean).map((part) => (
        <li key={part}>{part}</li>
      ))}
    </ul>
  );
}

/**
 * Shows the hero's words over its picture. Until the picture has loaded or failed there is only the
 * hero's colour (spec section 2); without scripts the words are there at once.
 */
export function Hero({ content, pictures }: LoadedPage) {
  const hero = valueOf(content, "hero");
  const section = useRef<HTMLElement>(null);
  const picture = safePictureUrl(hero.backgroundImage);
  useLayoutEffect(() => watchArrival(section.current!, picture), [section, picture]);
  return (
    <section id="hero" className="hero" ref={section} suppressHydrationWarning>
      {picture && <HeroPicture src={picture} pictures={pictures} script={ARRIVAL_SCRIPT} />}
      <div className="hero-words">
        <h1 className="hero-title fitted" style={fitted(hero.mainTitle)}>
          {hero.mainTitle}
        </h1>
        <p className="hero-subtitle">{hero.subtitle}</p>
        <Tagline text={hero.tagline} />
      </div>
      <a className="scroll-cue" href="#about">
        Scroll
      </a>
    </section>
  );
}
