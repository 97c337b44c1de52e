/**
 * The head of pages that aren't public. It isn't in pageHead.ts, so that the dashboard's first file has no code for
 * public pages.
 */

/** The elements of a page's head, in the router's format. */
export interface DocumentHead {
  readonly meta: Record<string, unknown>[];
  readonly links?: { rel: string; href: string; blocking?: "render" }[];
}

/** Asks search engines not to index a page. */
export const NOINDEX_META = { name: "robots", content: "noindex" };

/** Creates the head of a page that must not be indexed. */
export function createUnlistedHead(title: string): DocumentHead {
  return { meta: [{ title }, NOINDEX_META] };
}
