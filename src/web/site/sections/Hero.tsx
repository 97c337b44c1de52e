/** The first screen of the home page. */
import { useLayoutEffect, useRef } from "react";
import { toSafePictureUrl } from "../../../schema/core/safeUrl.ts";
import { findVisibleTaglineParts } from "../../../schema/sections/tagline.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { useWords } from "../../words/siteWords.ts";
import { Announcement } from "../extras/Announcement.tsx";
import { HeroActions } from "../parts/CallToAction.tsx";
import { createPhotoTitleFitStyle } from "../parts/fitTitle.ts";
import { TextLine } from "../parts/TextLine.tsx";
import { createHeroAttributes, HeroPicture } from "./HeroPicture.tsx";

interface HeroProps extends LoadedPage {
  readonly sectionIdsBelow?: readonly string[];
}

/** Renders the first screen. Scripts hide it until its picture has loaded or failed (specification, section 2.3). */
export function Hero({ content, pictures, sectionIdsBelow }: HeroProps) {
  const hero = getSingletonValue(content, "hero");
  const { words, lang } = useWords();
  const sectionRef = useRef<HTMLElement>(null);
  const pictureUrl = toSafePictureUrl(hero.backgroundImage);
  useLayoutEffect(() => {
    if (sectionRef.current) return trackPictureArrival(sectionRef.current, pictureUrl);
  }, [sectionRef, pictureUrl]);
  const [nextSectionId] = sectionIdsBelow ?? ["about"];
  const hasHighlights = sectionIdsBelow?.includes("highlights") ?? content.highlights?.length;
  const scrollTarget = hasHighlights
    ? { id: "highlights", label: words.hero.seeHighlights }
    : undefined;
  return (
    <section
      id="hero"
      className="hero"
      dir="auto"
      {...createHeroAttributes(pictureUrl, pictures, hero.mainTitle)}
      ref={sectionRef}
    >
      <Announcement content={content} />
      {pictureUrl && (
        <HeroPicture src={pictureUrl} pictures={pictures} title={hero.mainTitle} isTracked />
      )}
      <div className="hero-text">
        <h1 className="hero-title fitted" style={createPhotoTitleFitStyle(hero.mainTitle)}>
          <TextLine text={hero.mainTitle} />
        </h1>
        <p className="hero-subtitle" dir="auto">
          <TextLine text={hero.subtitle} />
        </p>
        <Tagline phrases={findVisibleTaglineParts(hero)} />
        <HeroActions action={hero} scrollTarget={scrollTarget} />
      </div>
      {nextSectionId && (
        <a className="scroll-cue" href={`#${nextSectionId}`}>
          <span lang={lang} dir="auto">
            {words.hero.scrollDown}
          </span>
        </a>
      )}
    </section>
  );
}

/** The interval at which a loading picture is checked, in milliseconds. */
const CHECK_INTERVAL_MS = 80;
const MAX_EMPTY_CHECKS = 3;

/**
 * Sets the state of the picture like inline/pictureArrival.ts, which doesn't run in a hero that a script inserts. The
 * state is polled, since listeners aren't called in the frames of previews. Returns a function that stops the polling.
 */
function trackPictureArrival(hero: HTMLElement, address: string | undefined): () => void {
  if (hero.dataset["state"] === undefined) hero.dataset["seen"] = "";
  const picture = address === undefined ? null : hero.querySelector("img");
  let emptyChecks = 0;
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  check();
  return () => clearInterval(timer);

  function check(): void {
    // In a new frame, a picture reports `complete` before it is requested.
    if (picture?.complete && picture.naturalWidth === 0) emptyChecks += 1;
    const hasArrived = picture === null || (picture.complete && picture.naturalWidth > 0);
    const hasFailed = emptyChecks === MAX_EMPTY_CHECKS;
    hero.dataset["state"] = hasArrived ? "loaded" : hasFailed ? "failed" : "loading";
    if (hasArrived || hasFailed) clearInterval(timer);
  }
}

/** The parts of the tagline, with bullets between them: in a row, or in two columns on a narrow page. */
function Tagline({ phrases }: { phrases: readonly string[] }) {
  if (phrases.length === 0) return null;
  return (
    <ul className="tagline" dir="auto">
      {phrases.map((part) => (
        <li key={part}>
          <TextLine text={part} />
        </li>
      ))}
    </ul>
  );
}
