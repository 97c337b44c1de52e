/** The first screen of the coaching page. */
import { applyCoachingDefaults } from "../../../schema/sections/coachingDefaults.ts";
import { toSafePictureUrl } from "../../../schema/core/safeUrl.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { createCoachingHeroDefaults } from "../../shared/headings.ts";
import { useWords } from "../../words/siteWords.ts";
import { Announcement } from "../extras/Announcement.tsx";
import { HeroActions } from "../parts/CallToAction.tsx";
import { createPhotoTitleFitStyle } from "../parts/fitTitle.ts";
import { TextLine } from "../parts/TextLine.tsx";
import { createHeroAttributes, HeroPicture } from "./HeroPicture.tsx";

/** The text over the picture, or over dark gray without a picture (specification, section 2.4). */
export function CoachingHero({ content, pictures }: LoadedPage) {
  const { words, lang } = useWords();
  const hero = getSingletonValue(content, "coachingHero");
  const { mainTitle, subtitle, tagline } = applyCoachingDefaults(
    hero,
    createCoachingHeroDefaults(words),
  );
  const pictureUrl = toSafePictureUrl(hero.backgroundImage);
  // Both lines have the size in which the longer line fits.
  const titleStyle = createPhotoTitleFitStyle(mainTitle, subtitle);
  const scrollTarget = content.transformations?.length
    ? { id: "transformations", label: words.hero.seeResults }
    : undefined;
  return (
    <section
      id="coaching-hero"
      className="hero coaching-hero"
      dir="auto"
      {...createHeroAttributes(pictureUrl, pictures, mainTitle)}
      data-plain={pictureUrl ? undefined : ""}
      aria-labelledby="coaching-title"
    >
      <Announcement content={content} />
      {pictureUrl && <HeroPicture src={pictureUrl} pictures={pictures} title={mainTitle} />}
      <div className="hero-text">
        <h1 id="coaching-title" className="hero-title fitted" style={titleStyle}>
          <TextLine text={mainTitle} />{" "}
          <span className="hero-outline">
            <TextLine text={subtitle} />
          </span>
        </h1>
        <p className="hero-lead" dir="auto" lang={hero.tagline.trim() ? undefined : lang}>
          <TextLine text={tagline} />
        </p>
        <HeroActions action={hero} scrollTarget={scrollTarget} />
      </div>
    </section>
  );
}
