/** Renders a path to finished HTML: the one door through which the server reaches the web code. */
import {
  createRequestHandler,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import type { PlainEnquiryState } from "../schema/enquiry.ts";
import type { ContentSource } from "./content.ts";
import { type OwnCode, ownCode } from "./ownCode.ts";
import { createSiteRouter } from "./router.tsx";
import type { Shell } from "./shell.ts";

/** A rendered path, and the inline code in it that may run. */
export interface RenderedPage extends OwnCode {
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
  const nonce = crypto.randomUUID();
  const handle = createRequestHandler({
    request: new Request(`http://localhost${path}`),
    createRouter: () => createSiteRouter({ source, shell, enquiryState }, nonce),
    getRouterManifest: () => ({ routes: { __root__: entryOf(shell) } }),
  });
  const response = await handle(({ router, responseHeaders }) =>
    renderRouterToString({ router, responseHeaders, children: <RouterServer router={router} /> }),
  );
  return { status: response.status, ...ownCode(await response.text(), nonce) };
}

/**
 * Starts the browser's entry after the first paint: the page is whole without scripts, so its words,
 * pictures and fonts come first and share the line with nothing. A tab that nobody looks at is never
 * painted; there it starts after a second.
 */
function entryOf({ assets }: Shell) {
  const start =
    `const start=()=>import(${JSON.stringify(assets.script)});` +
    "requestAnimationFrame(()=>setTimeout(start));setTimeout(start,1000)";
  return { scripts: [{ attrs: { type: "module" }, children: start }] };
}

export { coachingWords, homeWords, type PageWords, policyWords } from "./site/pageWords.ts";
export type { ContentSource } from "./content.ts";
export type { Shell, ShellAssets } from "./shell.ts";
export { themeCss } from "./theme.ts";
