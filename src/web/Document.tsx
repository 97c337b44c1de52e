/** The HTML around every page: head, theme, fonts, and scripts. */
import {
  HeadContent,
  rootRouteId,
  Scripts,
  useMatch,
  useMatches,
  useRouter,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { fontStylesheetHref } from "../schema/fonts.ts";
import { familiesOf } from "./shared/fontLinks.ts";
import type { Shell } from "./shared/shell.ts";
import { SiteWordsProvider } from "./words/siteWords.ts";
import { TONE_FILTER } from "./shared/tone.ts";

/** The whole document; `children` is the matched page. */
export function Document({ children }: { children: ReactNode }) {
  const shell = useMatch({ from: rootRouteId, select: (match) => match.loaderData as Shell });
  const isAdmin = useMatches({ select: (matches) => matches.some((m) => m.routeId === "/admin") });
  const { ssr, context } = useRouter().options;
  const styles = isAdmin ? shell.assets.adminStyles : shell.assets.siteStyles;
  return (
    <html
      lang={isAdmin ? "en" : shell.site.language}
      data-theme="dark"
      {...(isAdmin ? {} : shell.themeAttributes)}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <HeadContent />
        {!isAdmin && <FontPreloads hrefs={shell.fontPreloads} />}
        <link rel="stylesheet" href={styles} />
        {!isAdmin && <Style css={shell.themeCss} nonce={ssr?.nonce} />}
        {!isAdmin && context.server && <Style css={context.server.fontCss} nonce={ssr?.nonce} />}
        <SmallIcon icon={shell.icon} />
        <link rel="manifest" href={`${isAdmin ? "/admin" : ""}/manifest.webmanifest`} />
        <meta name="theme-color" content={isAdmin ? "#0A0B0D" : shell.styles.backgroundColor} />
      </head>
      <body>
        <SiteWordsProvider value={context.server?.words}>{children}</SiteWordsProvider>
        {!isAdmin && shell.styles.pictures === "oneTone" && <Tone />}
        {!isAdmin && <FontSheets shell={shell} />}
        <Program type="module" code={context.server?.program} nonce={ssr?.nonce} />
        {!isAdmin && (
          <Program
            type="speculationrules"
            code={rulesFor([...context.pages.map(({ path }) => path), ...(shell.formPaths ?? [])])}
            nonce={ssr?.nonce}
          />
        )}
        <Scripts />
      </body>
    </html>
  );
}

/** The owner's picture for the browser's tab and the home screen, or the drawn one. */
function SmallIcon({ icon }: { icon: string | null }) {
  if (icon === null) return <link rel="icon" href="/favicon.svg" type="image/svg+xml" />;
  return (
    <>
      <link rel="icon" href={icon} />
      <link rel="apple-touch-icon" href={icon} />
    </>
  );
}

function Style({ css, nonce }: { css: string; nonce: string | undefined }) {
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />;
}

/** Code that the server put into the page; on an owner's page, re-rendered by the browser, it has already run. */
function Program({
  code = "",
  ...attributes
}: {
  type: string;
  code?: string | undefined;
  nonce: string | undefined;
}) {
  return (
    <script {...attributes} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />
  );
}

/** Prefetches the other pages while a pointer rests on their links, or on touch. */
function rulesFor(paths: readonly string[]): string {
  return JSON.stringify({ prefetch: [{ where: { href_matches: paths }, eagerness: "moderate" }] });
}

/** The filter for three-tone pictures, which the stylesheet names. */
function Tone() {
  return <div dangerouslySetInnerHTML={{ __html: TONE_FILTER }} />;
}

function FontPreloads({ hrefs }: { hrefs: readonly string[] }) {
  return hrefs.map((href) => (
    <link
      key={href}
      rel="preload"
      href={href}
      as="font"
      type="font/woff2"
      crossOrigin="anonymous"
    />
  ));
}

/**
 * The stylesheets of font families from another site, after the page's content so that nothing waits for them. Local
 * fallbacks with the same metrics hold their place. If the site itself provides them, the page includes the fonts'
 * rules (server/pages/fonts.ts) and needs no more.
 */
function FontSheets({ shell }: { shell: Shell }) {
  if (shell.fontProvider.startsWith("/")) return null;
  return familiesOf(shell.styles).map((family) => (
    <link
      key={family}
      rel="stylesheet"
      href={fontStylesheetHref(family, shell.fontProvider)}
      data-font={family}
    />
  ));
}
