/** The head of a page that is none of the public ones; apart, since the dashboard needs no more than that at once. */

/** A head as the router writes it. */
export interface Head {
  readonly meta: Record<string, unknown>[];
  readonly links?: { rel: string; href: string }[];
}

/** For pages that nobody is to find. */
export function unlistedHead(title: string): Head {
  return { meta: [{ title }, { name: "robots", content: "noindex" }] };
}
