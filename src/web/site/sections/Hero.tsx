/** The first screen of the home page. */
import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { safePictureUrl } from "../../../schema/safeUrl.ts";
import { type LoadedPage, valueOf } from "../../content.ts";
import { fitted } from "../fitted.ts";
import { Photo } from "../Photo.tsx";
import { ARRIVAL_SCRIPT, watchArrival } from "./pictureArrival.ts";
import { Tagline } from "./Tagline.tsx";

/**
 * How wide a picture the hero asks for. It covers the screen, so on an upright one it is wider than the
 * screen; half of that is out of sight, and 85 % of its height is sharp enough for what is left.
 */
export const HERO_SIZES = "(orientation: portrait) 85vh, 100vw";

/**
 * Shows the hero's words over its picture. Until the picture has loaded or failed there is only the
 * hero's colour (spec section 2); without scripts the words are there at once.
 */
export function Hero({ content, pictures }: LoadedPage) {
  const hero = valueOf(content, "hero");
  const section = useRef<HTMLElement>(null);
  const nonce = useRouter({ warn: false })?.options.ssr?.nonce;
  const picture = safePictureUrl(hero.backgroundImage);
  useLayoutEffect(() => watchArrival(section.current!, picture), [section, picture]);
  return (
    <section id="hero" className="hero" ref={section} suppressHydrationWarning>
      {picture && (
        <>
          <Photo
            src={picture}
            pictures={pictures}
            sizes={HERO_SIZES}
            className="hero-picture"
            first
          />
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: ARRIVAL_SCRIPT }} />
        </>
      )}
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
