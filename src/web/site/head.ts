/** Titles and descriptions of the public pages; the server adds what only other programs read. */
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { Content } from "../../schema/index.ts";
import type { LoadedPage } from "../content.ts";
import type { Shell } from "../shell.ts";

// What each page is called and how it is summed up, for titles, search results and shared links.

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

type Head = { meta: Record<string, unknown>[] };

/** The head of /. */
export function homeHead({ site }: Shell, page: LoadedPage | undefined): Head {
  return headOf(homeWords(site.name, page?.content.hero));
}

/** The head of /coaching: title, description and social title (spec section 2). */
export function coachingHead({ site }: Shell, page: LoadedPage | undefined): Head {
  return headOf(coachingWords(site.name, page?.content.coachingHero));
}

/** The head of /privacy-policy. */
export function policyHead({ site }: Shell): Head {
  return headOf(policyWords(site.name));
}

/** The head of an address that leads nowhere. */
export function notFoundHead({ site }: Shell): Head {
  return { meta: [{ title: `Page Not Found | ${site.name}` }] };
}

/** What every address has while the page with a head of its own is on its way. */
export function rootHead(shell: Shell | undefined): Head {
  return { meta: shell ? [{ title: shell.site.name }] : [] };
}

function headOf({ title, description }: PageWords): Head {
  return {
    meta: [
      { title },
      { name: "description", content: description },
      { property: "og:title", content: title },
    ],
  };
}
