/** Titles and metadata of the public pages (spec section 2; design.md section 7, SEO). */
import type { LoadedPage } from "../content.ts";
import type { Shell } from "../shell.ts";

type Head = { meta: Record<string, unknown>[]; links?: Record<string, string>[] };

/** The head of /. */
export function homeHead(shell: Shell, _page: LoadedPage | undefined): Head {
  return { meta: [{ title: shell.site.name }] };
}

/** The head of /coaching. */
export function coachingHead(shell: Shell, _page: LoadedPage | undefined): Head {
  return { meta: [{ title: `Personal Coaching | ${shell.site.name}` }] };
}

/** The head of /privacy-policy. */
export function policyHead(shell: Shell): Head {
  return { meta: [{ title: `Privacy Policy | ${shell.site.name}` }] };
}
