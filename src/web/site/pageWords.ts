/** What each page is called and how it is summed up, for titles, search results and shared links. */
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { Content } from "../../schema/index.ts";

/** Both are plain text. */
export interface PageWords {
  readonly title: string;
  readonly description: string;
}

/** Of /. */
export function homeWords(name: string, hero: Content<"hero"> | undefined): PageWords {
  const parts = (hero?.tagline ?? "").split("•").map((part) => part.trim());
  const tagline = parts.filter(Boolean).join(", ");
  const about = [tagline, hero?.subtitle].filter((words) => words && words !== name).join(". ");
  return {
    title: tagline ? `${name} – ${tagline}` : name,
    description: `The official website of ${name}${about ? `: ${about}` : ""}.`,
  };
}

/** Of /coaching. */
export function coachingWords(name: string, hero: Content<"coachingHero"> | undefined): PageWords {
  const tagline = hero && coachingWordsOf(hero).tagline.replace(/[.\s]+$/, "");
  return {
    title: `Personal Coaching | ${name}`,
    description: `Personal coaching and mentoring with ${name}${tagline ? `. ${tagline}` : ""}.`,
  };
}

/** Of /privacy-policy. */
export function policyWords(name: string): PageWords {
  return {
    title: `Privacy Policy | ${name}`,
    description: `What ${name}'s website learns of its visitors, why, and what they can do about it.`,
  };
}
