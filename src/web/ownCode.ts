/** Tells the inline code that the page's own components wrote from any that content may have smuggled in. */

/** The inline code of a page. */
export interface OwnCode {
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
