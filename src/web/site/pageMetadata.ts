/** Titles and descriptions of pages, for browsers, search results and shared links. */
import { applyCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../schema/index.ts";
import { findVisibleTaglineParts, splitTagline } from "../../schema/sections/tagline.ts";
import { createCoachingHeroDefaults } from "../shared/headings.ts";
import type { Words } from "../words/en.ts";
import { addColon, fillPlaceholders } from "../words/placeholders.ts";

/** The texts and the picture of a page for browsers, search engines and shared links. */
export interface PageMetadata {
  readonly title: string;
  readonly description: string;
  /** The owner's picture for shared links. Default: a drawn picture (schema/looks/sharePictures.ts). */
  readonly picture?: string | null | undefined;
}

type Sharing = Content<"sharing"> | undefined;

export interface SiteNameAndWords {
  readonly name: string;
  readonly words: Words;
}

/** Returns the owner's texts and picture for shared links of /. Texts made from the page replace empty texts. */
export function createHomeMetadata(
  { name, words }: SiteNameAndWords,
  hero: Content<"hero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline = splitTagline(hero?.tagline ?? "").join(", ");
  const parts = hero && [findVisibleTaglineParts(hero).join(", "), hero.subtitle];
  const details = parts?.filter((part) => part && part !== name).join(". ");
  const intro = fillPlaceholders(words.head.home, { name });
  return {
    title: sharing?.homeTitle || (tagline ? `${name} – ${tagline}` : name),
    description:
      sharing?.homeDescription || `${details ? `${addColon(intro, words)} ${details}` : intro}.`,
    picture: sharing?.homePicture,
  };
}

/** Like `createHomeMetadata`, for /coaching. */
export function createCoachingMetadata(
  { name, words }: SiteNameAndWords,
  hero: Content<"coachingHero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline =
    hero &&
    applyCoachingDefaults(hero, createCoachingHeroDefaults(words)).tagline.replace(
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

export function createFormMetadata(
  { name, words }: SiteNameAndWords,
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

/** Returns title and description of /privacy-policy, which the owner doesn't write. */
export function createPolicyMetadata({ name, words }: SiteNameAndWords): PageMetadata {
  return {
    title: fillPlaceholders(words.head.policyTitle, { name }),
    description: fillPlaceholders(words.head.policy, { name }),
  };
}
