/** The data of every page in addition to its own content. */
import { rootRouteId, useMatch } from "@tanstack/react-router";
import type { Content } from "../../schema/index.ts";
import type { WordGroup } from "../words/scriptWords.ts";

/** The URLs of the built files that a page links to. */
export interface PageAssets {
  readonly enquiryScript: string;
  /** The first code of the login and the dashboard, in one file. */
  readonly ownerScript: string;
  readonly siteStyles: string;
  /** An additional style sheet for heroes with a person in the picture (site/sections/HeroFigure.css). */
  readonly portraitStyles: string;
  /** An additional style sheet for the pages of site/NotFound.tsx, such as the error page. */
  readonly notFoundStyles: string;
  /** For the dashboard's previews: `heroStyles` of the home page's hero, `previewStyles` of the other sections. */
  readonly heroStyles: string;
  readonly previewStyles: string;
  readonly adminStyles: string;
  /** The style sheets of extras by key, for the dashboard's previews. */
  readonly extraStyles: Readonly<Record<string, string>>;
  /** Bundled pictures by file name without extension. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** The bundled inline scripts of src/web/inline. */
export interface BundledInlineScripts {
  readonly firstScreen: string;
  readonly pictureArrival: string;
  /** The scripts of inline/inlineScripts.ts. */
  readonly parts: readonly {
    /** Beginnings of attributes: a page with one of them needs the script. Null if every page needs it. */
    readonly attributes: readonly string[] | null;
    /** The groups of texts that the script uses (words/scriptWords.ts). */
    readonly wordGroups: readonly WordGroup[];
    readonly code: string;
  }[];
  /** The script of an owner's page. It loads the URL in the constant SCRIPT, which the page declares before it. */
  readonly ownerScript: string;
}

/** The inline code of pages: their scripts, and the style sheets of extras by key. */
export interface InlineCode extends BundledInlineScripts {
  readonly extraStyles: Readonly<Record<string, string>>;
}

/** The data that the root route loads on the server, and that the page contains. */
export interface PageContext {
  readonly site: Content<"site">;
  readonly styles: Content<"styles">;
  readonly assets: PageAssets;
  /** The public address without a trailing slash; null when SITE_URL is not set. */
  readonly siteUrl: string | null;
  /** The styles as CSS custom properties (theme.ts). */
  readonly themeCss: string;
  /** The attributes of the root element by which style sheets select rules (theme.ts). */
  readonly themeAttributes: Readonly<Record<string, string>>;
  /** The URL of the owner's icon; null if the site uses /favicon.svg. */
  readonly icon: string | null;
  /** The source of font style sheets: "/fonts", or a provider's URL. */
  readonly fontProvider: string;
  /** The URLs of the font files to preload for the first paint. */
  readonly fontPreloads: readonly string[];
  /** The date of rendering in ISO format, for the privacy policy and the year in the footer. */
  readonly today: string;
  readonly zone: string;
  /** Services outside the site's own server, for the privacy policy. */
  readonly externalServices: {
    /** The origin of pictures; null if it is the site's. */
    readonly pictureOrigin: string | null;
    /** Whether submissions are stored in a database on another machine. */
    readonly hasDatabase: boolean;
    /** Whether encrypted backups are stored elsewhere. */
    readonly hasBackups: boolean;
  };
  /** The number of days for which visitors' IP addresses and browser names are stored, for the privacy policy. */
  readonly retentionDays: number;
  /** The active extras, for the dashboard's tabs; undefined on public pages. */
  readonly extras?: readonly string[];
  /** The announcement at the top of public pages; its text is null if there is none. */
  readonly announcement?: Content<"announcement">;
  /** The ids of dates that are over; undefined in the dashboard. */
  readonly pastEventIds?: readonly string[];
  /** The paths of forms with their own page; undefined in the dashboard. */
  readonly formPaths?: readonly string[];
  /** True for a site with neither an owner nor content yet, which search engines are asked not to index. */
  readonly isUnlisted?: boolean;
  /** Whether letters to the mailing list are published on the site, at /letters. */
  readonly hasLetters: boolean;
}

export function usePageContext(): PageContext {
  return useMatch({ from: rootRouteId, select: (match) => match.loaderData as PageContext });
}
