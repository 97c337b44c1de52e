/** The parts of a public page around its content, such as theme and fonts. The owner's pages don't have them. */
import { useRouter } from "@tanstack/react-router";
import { createFontStylesheetHref } from "../../schema/sections/fonts.ts";
import { findFontFamilies } from "../shared/fontLinks.ts";
import type { PageContext } from "../shared/pageContext.ts";
import { TONE_FILTER_SVG } from "../shared/toneFilter.ts";

interface PublicDocumentProps {
  readonly pageContext: PageContext;
}

export function PublicHead({ pageContext }: PublicDocumentProps) {
  const { ssr, context } = useRouter().options;
  return (
    <>
      {pageContext.fontPreloads.map((href) => (
        <link
          key={href}
          rel="preload"
          href={href}
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
      ))}
      <link rel="stylesheet" href={pageContext.assets.siteStyles} />
      <InlineStyle css={pageContext.themeCss} nonce={ssr?.nonce} />
      {context.server && <InlineStyle css={context.server.fontCss} nonce={ssr?.nonce} />}
    </>
  );
}

function InlineStyle({ css, nonce }: { css: string; nonce: string | undefined }) {
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />;
}

export function PublicBodyEnd({ pageContext }: PublicDocumentProps) {
  return (
    <>
      {/* Style sheets apply this filter to all pictures. */}
      {pageContext.styles.pictures === "oneTone" && (
        <div dangerouslySetInnerHTML={{ __html: TONE_FILTER_SVG }} />
      )}
      <FontStylesheets pageContext={pageContext} />
    </>
  );
}

/**
 * The style sheets of fonts from another site, after the page's content so that nothing waits for them. Meanwhile,
 * local fallbacks with the same metrics are shown. The rules of the site's own fonts are in the page
 * (server/pages/fonts.ts).
 */
function FontStylesheets({ pageContext }: PublicDocumentProps) {
  if (pageContext.fontProvider.startsWith("/")) return null;
  return findFontFamilies(pageContext.styles).map((family) => (
    <link
      key={family}
      rel="stylesheet"
      href={createFontStylesheetHref(family, pageContext.fontProvider)}
      data-font={family}
    />
  ));
}

/** Returns speculation rules: the browser prefetches a page when the pointer rests on a link to it, or on touch. */
export function createPrefetchRules(paths: readonly string[]): string {
  return JSON.stringify({ prefetch: [{ where: { href_matches: paths }, eagerness: "moderate" }] });
}
