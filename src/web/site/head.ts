/** What each page is called and how it is summed up, for titles, search results and shared links. */
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { Content } from "../../schema/index.ts";
import { shownTagline, taglineParts } from "../../schema/tagline.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/fill.ts";
import type { Head } from "./unlistedHead.ts";

/** Plain text, and the picture that goes with it. */
export interface PageWords {
  readonly title: string;
  readonly description: string;
  /** The owner's own for shared links; without one it is drawn (schema/drawnPictures.ts). */
  readonly picture?: string | null | undefined;
}

type Sharing = Content<"sharing"> | undefined;

/** Whose site it is, and the words that it says of itself. */
export interface Named {
  readonly name: string;
  readonly words: Words;
}

/** The owner's own words and picture for shared links; what is empty is made from the page. */
export function homeWords(
  { name, words }: Named,
  hero: Content<"hero"> | undefined,
  sharing?: Sharing,
): PageWords {
  const tagline = taglineParts(hero?.tagline ?? "").join(", ");
  const said = hero && [shownTagline(hero).join(", "), hero.subtitle];
  const about = said?.filter((part) => part && part !== name).join(". ");
  return {
    title: sharing?.homeTitle || (tagline ? `${name} – ${tagline}` : name),
    description:
      sharing?.homeDescription || `${fill(words.head.home, { name })}${about ? `: ${about}` : ""}.`,
    picture: sharing?.homePicture,
  };
}

/** As `homeWords`, for /coaching. */
export function coachingWords(
  { name, words }: Named,
  hero: Content<"coachingHero"> | undefined,
  sharing?: Sharing,
): PageWords {
  const tagline =
    hero && coachingWordsOf(hero, words.coaching).tagline.replace(/(?<![.\s])[.\s]+$/, "");
  return {
    title: sharing?.coachingTitle || fill(words.head.coachingTitle, { name }),
    description:
      sharing?.coachingDescription ||
      `${fill(words.head.coaching, { name })}${tagline ? `. ${tagline}` : ""}.`,
    picture: sharing?.coachingPicture,
  };
}

/** Of a form with an address of its own: its title, and what it says below that. */
export function formWords(
  { name, words }: Named,
  {
    title,
    subtitle,
    description,
  }: Pick<Content<"forms">[number], "title" | "subtitle" | "description">,
): PageWords {
  const said = [subtitle, description].map((text) => text.replaceAll(/\s+/g, " ").trim());
  return {
    title: `${title} | ${name}`,
    description: said.filter(Boolean).join(". ") || fill(words.head.home, { name }),
  };
}

/** The words of /privacy-policy in its head, which no owner writes. */
export function policyWords({ name, words }: Named): PageWords {
  return {
    title: fill(words.head.policyTitle, { name }),
    description: fill(words.head.policy, { name }),
  };
}

/** The head that people and their browsers read; social.ts adds what only other programs read. */
export function headOf({ title, description }: PageWords): Head {
  return {
    meta: [
      { title },
      { name: "description", content: description },
      { property: "og:title", content: title },
    ],
  };
}
