/** What each page is called and how it is summed up, for titles, search results and shared links. */
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { Content } from "../../schema/index.ts";
import { taglineParts } from "../../schema/tagline.ts";

/** Plain text, and the picture that goes with it. */
export interface PageWords {
  readonly title: string;
  readonly description: string;
  /** The owner's own for shared links; without one it is drawn (schema/drawnPictures.ts). */
  readonly picture?: string | null | undefined;
}

type Sharing = Content<"sharing"> | undefined;

/** The owner's own words and picture for shared links; what is empty is made from the page. */
export function homeWords(
  name: string,
  hero: Content<"hero"> | undefined,
  sharing?: Sharing,
): PageWords {
  const tagline = taglineParts(hero?.tagline ?? "").join(", ");
  const about = [tagline, hero?.subtitle].filter((words) => words && words !== name).join(". ");
  return {
    title: sharing?.homeTitle || (tagline ? `${name} – ${tagline}` : name),
    description:
      sharing?.homeDescription || `The official website of ${name}${about ? `: ${about}` : ""}.`,
    picture: sharing?.homePicture,
  };
}

/** As `homeWords`, for /coaching. */
export function coachingWords(
  name: string,
  hero: Content<"coachingHero"> | undefined,
  sharing?: Sharing,
): PageWords {
  const tagline = hero && coachingWordsOf(hero).tagline.replace(/(?<![.\s])[.\s]+$/, "");
  return {
    title: sharing?.coachingTitle || `Personal Coaching | ${name}`,
    description:
      sharing?.coachingDescription ||
      `Personal coaching and mentoring with ${name}${tagline ? `. ${tagline}` : ""}.`,
    picture: sharing?.coachingPicture,
  };
}

/** The words of /privacy-policy in its head, which no owner writes. */
export function policyWords(name: string): PageWords {
  return {
    title: `Privacy Policy | ${name}`,
    description: `What ${name}'s website learns about its visitors, why, and what they can do about it.`,
  };
}

/** A head as the router writes it. */
export interface Head {
  readonly meta: Record<string, unknown>[];
  readonly links?: { rel: string; href: string }[];
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

/** For pages that nobody is to find. */
export function unlistedHead(title: string): Head {
  return { meta: [{ title }, { name: "robots", content: "noindex" }] };
}
