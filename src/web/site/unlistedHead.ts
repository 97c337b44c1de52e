/** The head of pages that aren't public. It is separate from pageHead.ts, whose code the dashboard doesn't need. */

/** The elements of a page's head, in the router's format. */
export interface DocumentHead {
  readonly meta: Record<string, unknown>[];
  readonly links?: { rel: string; href: string; blocking?: "render" }[];
}

/** Asks search engines not to index a page. */
export const NOINDEX_META = { name: "robots", content: "noindex" };

export function createUnlistedHead(title: string): DocumentHead {
  return { meta: [{ title }, NOINDEX_META] };
}
