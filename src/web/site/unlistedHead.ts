/** The head of pages that aren't public; separate, since the dashboard needs only this at first. */

/** A head in the router's format. */
export interface Head {
  readonly meta: Record<string, unknown>[];
  readonly links?: { rel: string; href: string }[];
}

/** For pages that must not be indexed. */
export function unlistedHead(title: string): Head {
  return { meta: [{ title }, { name: "robots", content: "noindex" }] };
}
