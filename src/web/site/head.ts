/** Titles and descriptions of the public pages; the server adds what only other programs read. */
import type { LoadedPage } from "../content.ts";
import type { Shell } from "../shell.ts";
import { coachingWords, homeWords, policyWords, type PageWords } from "./pageWords.ts";

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
