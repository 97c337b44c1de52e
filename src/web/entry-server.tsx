/** Renders a path to finished HTML: the one door through which the server reaches the web code. */
import {
  createRequestHandler,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import type { PlainEnquiryState } from "../schema/enquiry.ts";
import type { ContentSource } from "./content.ts";
import { createSiteRouter } from "./router.tsx";
import type { Shell } from "./shell.ts";

/** A rendered path. */
export interface RenderedPage {
  readonly status: number;
  readonly html: string;
}

/**
 * Renders `path` (lower case, no query) with content from `source`, the enquiry form where a post has
 * led. Rejects when rendering fails.
 */
export async function renderPage(
  path: string,
  source: ContentSource,
  shell: Shell,
  enquiryState?: PlainEnquiryState,
): Promise<RenderedPage> {
  const handle = createRequestHandler({
    request: new Request(`http://localhost${path}`),
    createRouter: () => createSiteRouter({ source, shell, enquiryState }),
    getRouterManifest: () => ({ routes: { __root__: entryOf(shell) } }),
  });
  const response = await handle(({ router, responseHeaders }) =>
    renderRouterToString({ router, responseHeaders, children: <RouterServer router={router} /> }),
  );
  return { status: response.status, html: await response.text() };
}

function entryOf({ assets }: Shell) {
  return {
    preloads: [...assets.preloads],
    scripts: [{ attrs: { type: "module", async: true, src: assets.script } }],
  };
}

export { coachingWords, homeWords, type PageWords, policyWords } from "./site/pageWords.ts";
export type { ContentSource } from "./content.ts";
export type { Shell, ShellAssets } from "./shell.ts";
export { themeCss } from "./theme.ts";
