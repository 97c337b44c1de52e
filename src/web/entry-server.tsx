/** Renders a path to finished HTML: the one door through which the server reaches the web code. */
import {
  createRequestHandler,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import type { PlainEnquiryState } from "../schema/enquiry.ts";
import type { ContentSource } from "./content.ts";
import { createSiteRouter, NOWHERE } from "./router.tsx";
import type { Shell, ShellAssets } from "./shell.ts";

// Tells the inline code that the page's own components wrote from any that content may have smuggled in.

/** The inline code of a page. */
interface OwnCode {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const ELEMENT = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/**
 * Takes out of finished HTML what carries `nonce`, a word that nobody could know before it was drawn,
 * and gives the HTML without it: the page is kept for all visitors, who are given hashes instead.
 */
export function ownCode(html: string, nonce: string): OwnCode & { readonly html: string } {
  const mark = ` nonce="${nonce}"`;
  const own = [...html.matchAll(ELEMENT)]
    .filter(([, , attributes, text]) => attributes!.includes(mark) && text !== "")
    .map(([, name, , text]) => ({ name: name!.toLowerCase(), text: text! }));
  const texts = (name: string) => own.filter((each) => each.name === name).map(({ text }) => text);
  return {
    html: html.replaceAll(mark, "").replace(`<meta property="csp-nonce" content="${nonce}"/>`, ""),
    scripts: texts("script"),
    styles: texts("style"),
  };
}

/** A rendered path, and the inline code in it that may run. */
interface RenderedPage extends OwnCode {
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
    getRouterManifest: () => ({ routes: { __root__: entryOf(shell, path) } }),
  });
  let leadsNowhere = false;
  const response = await handle(({ router, responseHeaders }) => {
    leadsNowhere = router.state.matches.some(({ routeId }) => routeId === NOWHERE);
    return renderRouterToString({
      router,
      responseHeaders,
      children: <RouterServer router={router} />,
    });
  });
  const status = leadsNowhere ? 404 : response.status;
  return { status, ...ownCode(await response.text(), nonce) };
}

/**
 * Starts the browser's entry and the page's own code once the page is painted with its pictures, or at
 * the first touch: the page is whole without scripts, so its words, pictures and fonts share the line
 * with nothing. A page whose pictures never end, or a tab that nobody looks at, starts after three
 * seconds. Without the entry the page stays as it is.
 */
function entryOf({ assets }: Shell, path: string) {
  if (path.startsWith("/admin")) return ownersEntry(assets);
  const urls = JSON.stringify([assets.script, assets.chunks[path]].filter(Boolean));
  const start =
    `const start=()=>{for(const url of ${urls})import(url).catch(()=>{})},` +
    "frame=requestAnimationFrame;" +
    'addEventListener("load",()=>frame(()=>frame(()=>setTimeout(start,50))));' +
    'for(const touch of ["pointerdown","keydown","scroll"])addEventListener(touch,start,{once:true,passive:true});' +
    "setTimeout(start,3000)";
  return { scripts: [{ attrs: { type: "module" }, children: start }] };
}

/** The owner's screens are drawn by their scripts: these come at once, and together. */
function ownersEntry({ script, chunks }: ShellAssets) {
  const urls = [script, chunks["/admin"]!];
  return { scripts: urls.map((src) => ({ attrs: { type: "module", async: true, src } })) };
}

export { coachingWords, homeWords, type PageWords, policyWords } from "./site/head.ts";
export type { ContentSource } from "./content.ts";
export type { Shell, ShellAssets } from "./shell.ts";
export { themeCss } from "./theme.ts";
