/** What every page knows besides its own content. */
import { rootRouteId, useMatch } from "@tanstack/react-router";
import type { Content } from "../../schema/index.ts";
import type { WordGroup } from "../words/programWords.ts";

/** The addresses of the built files that a page links to. */
export interface ShellAssets {
  /** What brings the enquiry form to life. */
  readonly enquiryScript: string;
  /** All that logging in and opening the dashboard run, in one file. */
  readonly ownerScript: string;
  readonly siteStyles: string;
  /** Besides, for a first screen with somebody in it. */
  readonly figureStyles: string;
  /** The home page's first screen alone, and the sections alone, for the dashboard's previews. */
  readonly heroStyles: string;
  readonly previewStyles: string;
  readonly adminStyles: string;
  /** The sheet of each extra that has one, by its key: linked where it stands. */
  readonly extraStyles: Readonly<Record<string, string>>;
  /** Bundled pictures by file name without its ending. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** The programs of src/web/inline, bundled, as they stand in a page. */
export interface InlineCode {
  readonly firstScreen: string;
  readonly pictureArrival: string;
  /** Those of inline/parts.ts, each with what asks for it in a page; null: every page has it. */
  readonly parts: readonly {
    readonly for: readonly string[] | null;
    /** The groups of words that it says something of (words/programWords.ts). */
    readonly words: readonly WordGroup[];
    readonly code: string;
  }[];
  /** Behind a declaration of the SCRIPT that it fetches. */
  readonly owner: string;
}

/** Given by the server to the root route; it rides in the page. */
export interface Shell {
  readonly site: Content<"site">;
  readonly styles: Content<"styles">;
  readonly assets: ShellAssets;
  /** The public address without a trailing slash, or null when SITE_URL is not set. */
  readonly address: string | null;
  /** The styles as CSS custom properties (theme.ts). */
  readonly themeCss: string;
  /** What of the styles is another arrangement, as attributes of the root element (theme.ts). */
  readonly themeAttributes: Readonly<Record<string, string>>;
  /** The owner's own small icon, or null for the one that is drawn. */
  readonly icon: string | null;
  /** Where font style sheets come from: "/fonts", or the address of a provider. */
  readonly fontProvider: string;
  /** Font files of the first paint, preloaded. */
  readonly fontPreloads: readonly string[];
  /** The day the page was rendered, as an ISO date: the policy's date and the footer's year. */
  readonly today: string;
  /** The time zone that the site goes by. */
  readonly zone: string;
  /** What isn't on the site's own server; the policy says so. */
  readonly elsewhere: {
    /** The origin that sends pictures, or null when it is the site itself. */
    readonly pictures: string | null;
    /** What visitors send lies in a database on another machine. */
    readonly data: boolean;
    /** Backups are sent away, encrypted. */
    readonly backups: boolean;
  };
  /** How long addresses and browsers of visitors are kept, in days: the policy says so. */
  readonly retentionDays: number;
  /** What the owner has added, for the dashboard's tabs; public pages do without. */
  readonly extras?: readonly string[];
  /** The line above everything, on public pages; its words are null where there is none. */
  readonly announcement?: Content<"announcement">;
  /** The ids of dates that are over, on public pages. */
  readonly over?: readonly string[];
  /** The paths of forms with a page of their own, on public pages. */
  readonly formPaths?: readonly string[];
  /** The letters to the mailing list are pages of the site, at /letters. */
  readonly hasLetters: boolean;
}

/** The shell of the page, for components: the site's name, styles, addresses and the day. */
export function useShell(): Shell {
  return useMatch({ from: rootRouteId, select: (match) => match.loaderData as Shell });
}
