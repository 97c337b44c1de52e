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
import type { PageContext } from "./shared/pageContext.ts";
import { SiteWordsProvider } from "./words/siteWords.ts";

export function Document({ children }: { children: ReactNode }) {
  const pageContext = useMatch({
    from: rootRouteId,
    select: (match) => match.loaderData as PageContext,
  });
  const isAdmin = useMatches({ select: (matches) => matches.some((m) => m.routeId === "/admin") });
  const { ssr, context } = useRouter().options;
  // The browser never renders a public page, and has no `publicDocument`.
  const site = isAdmin ? undefined : context.server?.publicDocument;
  return (
    <html
      lang={isAdmin ? "en" : pageContext.site.language}
      data-theme="dark"
      {...(site && pageContext.themeAttributes)}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <HeadContent />
        {site ? (
          <site.PublicHead pageContext={pageContext} />
        ) : (
          <link rel="stylesheet" href={pageContext.assets.adminStyles} />
        )}
        <FaviconLinks icon={pageContext.icon} />
        <link rel="manifest" href={`${isAdmin ? "/admin" : ""}/manifest.webmanifest`} />
        <meta
          name="theme-color"
          content={isAdmin ? "#0A0B0D" : pageContext.styles.backgroundColor}
        />
      </head>
      <body>
        <SiteWordsProvider value={context.server?.siteWords}>{children}</SiteWordsProvider>
        {site && <site.PublicBodyEnd pageContext={pageContext} />}
        <InlineScript type="module" code={context.server?.inlineScript} nonce={ssr?.nonce} />
        {site && (
          <InlineScript
            type="speculationrules"
            code={site.createPrefetchRules([
              ...context.pages.map(({ path }) => path),
              ...(pageContext.formPaths ?? []),
            ])}
            nonce={ssr?.nonce}
          />
        )}
        <Scripts />
      </body>
    </html>
  );
}

function FaviconLinks({ icon }: { icon: string | null }) {
  if (icon === null) return <link rel="icon" href="/favicon.svg" type="image/svg+xml" />;
  return (
    <>
      <link rel="icon" href={icon} />
      <link rel="apple-touch-icon" href={icon} />
    </>
  );
}

/** Renders an inline script from the server. In the browser, where it has already run, `code` is empty. */
function InlineScript({
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
