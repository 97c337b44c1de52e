/** Titles and descriptions of pages, for browsers, search results and shared links. */
import { applyCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../schema/index.ts";
import { visibleTaglineParts, splitTagline } from "../../schema/sections/tagline.ts";
import { coachingHeroDefaults } from "../shared/headings.ts";
import type { Words } from "../words/en.ts";
import { fillPlaceholders } from "../words/fill.ts";
import type { DocumentHead } from "./unlistedHead.ts";

/** The details of a page that browsers, search engines and shared links show: plain text and a picture. */
export interface PageMetadata {
  readonly title: string;
  readonly description: string;
  /** The owner's picture for shared links; without one it is drawn (schema/looks/sharePicturePaths.ts). */
  readonly picture?: string | null | undefined;
}

type Sharing = Content<"sharing"> | undefined;

/** The site's name, and the texts in its language. */
export interface SiteNaming {
  readonly name: string;
  readonly words: Words;
}

/** The owner's text and picture for shared links; empty ones are made from the page. */
export function createHomeMetadata(
  { name, words }: SiteNaming,
  hero: Content<"hero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline = splitTagline(hero?.tagline ?? "").join(", ");
  const parts = hero && [visibleTaglineParts(hero).join(", "), hero.subtitle];
  const about = parts?.filter((part) => part && part !== name).join(". ");
  return {
    title: sharing?.homeTitle || (tagline ? `${name} – ${tagline}` : name),
    description:
      sharing?.homeDescription ||
      `${fillPlaceholders(words.head.home, { name })}${about ? `: ${about}` : ""}.`,
    picture: sharing?.homePicture,
  };
}

/** Like `createHomeMetadata`, for /coaching. */
export function createCoachingMetadata(
  { name, words }: SiteNaming,
  hero: Content<"coachingHero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline =
    hero &&
    applyCoachingDefaults(hero, coachingHeroDefaults(words)).tagline.replace(
      /(?<![.\s])[.\s]+$/,
      "",
    );
  return {
    title: sharing?.coachingTitle || fillPlaceholders(words.head.coachingTitle, { name }),
    description:
      sharing?.coachingDescription ||
      `${fillPlaceholders(words.head.coaching, { name })}${tagline ? `. ${tagline}` : ""}.`,
    picture: sharing?.coachingPicture,
  };
}

/** For a form with its own path: its title, and the text below that. */
export function createFormMetadata(
  { name, words }: SiteNaming,
  {
    title,
    subtitle,
    description,
  }: Pick<Content<"forms">[number], "title" | "subtitle" | "description">,
): PageMetadata {
  const texts = [subtitle, description].map((text) => text.replaceAll(/\s+/g, " ").trim());
  return {
    title: `${title} | ${name}`,
    description: texts.filter(Boolean).join(". ") || fillPlaceholders(words.head.home, { name }),
  };
}

/** The head of /privacy-policy, which owners don't write. */
export function createPolicyMetadata({ name, words }: SiteNaming): PageMetadata {
  return {
    title: fillPlaceholders(words.head.policyTitle, { name }),
    description: fillPlaceholders(words.head.policy, { name }),
  };
}

/** The head for people and their browsers; social.ts adds what other programs read. */
export function createHead({ title, description }: PageMetadata): DocumentHead {
  return {
    meta: [
      { title },
      { name: "description", content: description },
      { property: "og:title", content: title },
    ],
  };
}
