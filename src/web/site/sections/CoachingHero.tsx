/** The first screen of the coaching page. */
import { safePictureUrl } from "../../../schema/safeUrl.ts";
import { type LoadedPage, valueOf } from "../../content.ts";
import { fitted } from "../fitted.ts";
import { Photo } from "../Photo.tsx";
import { HERO_SIZES } from "./Hero.tsx";

/** Shows the words over the picture, or over dark grey when there is none (spec section 2). */
export function CoachingHero({ content, pictures }: LoadedPage) {
  const { mainTitle, subtitle, tagline, backgroundImage } = valueOf(content, "coachingHero");
  const picture = safePictureUrl(backgroundImage);
  // Both lines are set in one size, that of the longer word.
  const longer = fitted(`${mainTitle} ${subtitle}`);
  return (
    <section
      id="coaching-hero"
      className="hero coaching-hero"
      data-plain={picture ? undefined : ""}
      aria-labelledby="coaching-title"
    >
      {picture && (
        <Photo
          src={picture}
          pictures={pictures}
          sizes={HERO_SIZES}
          className="hero-picture"
          first
        />
      )}
      <div className="hero-words">
        <h1 id="coaching-title" className="hero-title fitted" style={longer}>
          {mainTitle} {subtitle && <span className="hero-outline">{subtitle}</span>}
        </h1>
        <p className="hero-lead">{tagline}</p>
      </div>
    </section>
  );
}
