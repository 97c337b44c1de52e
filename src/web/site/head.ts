/** Titles and descriptions of pages, for browsers, search results and shared links. */
import { withCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../schema/index.ts";
import { shownTagline, taglineParts } from "../../schema/sections/tagline.ts";
import { coachingTexts } from "../shared/headings.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/fill.ts";
import type { Head } from "./unlistedHead.ts";

/** The details of a page that browsers, search engines and shared links show: plain text and a picture. */
export interface PageMetadata {
  readonly title: string;
  readonly description: string;
  /** The owner's picture for shared links; without one it is drawn (schema/looks/drawnPictures.ts). */
  readonly picture?: string | null | undefined;
}

type Sharing = Content<"sharing"> | undefined;

/** The site's name, and the texts in its language. */
export interface Named {
  readonly name: string;
  readonly words: Words;
}

/** The owner's text and picture for shared links; empty ones are made from the page. */
export function homeMetadata(
  { name, words }: Named,
  hero: Content<"hero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline = taglineParts(hero?.tagline ?? "").join(", ");
  const parts = hero && [shownTagline(hero).join(", "), hero.subtitle];
  const about = parts?.filter((part) => part && part !== name).join(". ");
  return {
    title: sharing?.homeTitle || (tagline ? `${name} – ${tagline}` : name),
    description:
      sharing?.homeDescription || `${fill(words.head.home, { name })}${about ? `: ${about}` : ""}.`,
    picture: sharing?.homePicture,
  };
}

/** Like `homeMetadata`, for /coaching. */
export function coachingMetadata(
  { name, words }: Named,
  hero: Content<"coachingHero"> | undefined,
  sharing?: Sharing,
): PageMetadata {
  const tagline =
    hero &&
    withCoachingDefaults(hero, coachingTexts(words)).tagline.replace(/(?<![.\s])[.\s]+$/, "");
  return {
    title: sharing?.coachingTitle || fill(words.head.coachingTitle, { name }),
    description:
      sharing?.coachingDescription ||
      `${fill(words.head.coaching, { name })}${tagline ? `. ${tagline}` : ""}.`,
    picture: sharing?.coachingPicture,
  };
}

/** For a form with its own path: its title, and the text below that. */
export function formMetadata(
  { name, words }: Named,
  {
    title,
    subtitle,
    description,
  }: Pick<Content<"forms">[number], "title" | "subtitle" | "description">,
): PageMetadata {
  const texts = [subtitle, description].map((text) => text.replaceAll(/\s+/g, " ").trim());
  return {
    title: `${title} | ${name}`,
    description: texts.filter(Boolean).join(". ") || fill(words.head.home, { name }),
  };
}

/** The head of /privacy-policy, which owners don't write. */
export function policyMetadata({ name, words }: Named): PageMetadata {
  return {
    title: fill(words.head.policyTitle, { name }),
    description: fill(words.head.policy, { name }),
  };
}

/** The head for people and their browsers; social.ts adds what other programs read. */
export function headOf({ title, description }: PageMetadata): Head {
  return {
    meta: [
      { title },
      { name: "description", content: description },
      { property: "og:title", content: title },
    ],
  };
}
