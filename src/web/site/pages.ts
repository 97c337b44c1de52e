/**
 * The public pages: an entry here and a component make one. The router, the chunks of the build, the
 * sitemap, the navigation bar and the footer follow (docs/adding-a-section.md).
 */
import type { ComponentType, ReactNode } from "react";
import { FIVE_MINUTES } from "../../schema/fiveMinutes.ts";
import type { EntityKey } from "../../schema/index.ts";
import type { ContentSource, PageContent, ServerState } from "../shared/content.ts";
import { coachingWords, homeWords, type PageWords, policyWords } from "./head.ts";
import { HomePending } from "./HomePending.tsx";

/** What the file of a page's component exports. */
export interface PageModule {
  /** Is given the content that it reads, the pictures in it, and what `readMore` returns. */
  readonly Page: ComponentType<never>;
  /** The entities that it shows. */
  readonly READS?: readonly EntityKey[];
  /** Reads what is no entity as a whole; on the server, where the page has to be finished at once. */
  readonly readMore?: (source: ContentSource, server?: ServerState) => Promise<object>;
}

export interface PublicPage {
  /** Lower case, without a slash at its end. */
  readonly path: string;
  /** The component, loaded when it is wanted: an import and nothing else, since the build reads it too. */
  readonly module: () => Promise<PageModule>;
  /** Title, description and picture; parts of `content` may not be there yet. */
  readonly words: (siteName: string, content: PageContent) => PageWords;
  /** Whose picture its first screen begins with: fetched ahead of whoever is about to come. */
  readonly hero?: "hero" | "coachingHero";
  /** Where on it the owner's portrait is what one sees first: fetched ahead of whoever is led there. */
  readonly portraitAt?: `#${string}`;
  /** What its link says, in the navigation bar or in the footer. Default: no link. */
  readonly link?: { readonly in: "bar" | "footer"; readonly label: string };
  /** Stands in while the content is on its way. Default: nothing. */
  readonly Pending?: () => ReactNode;
  /** How long its content is kept once it has been left, in milliseconds. Default: the router's own time. */
  readonly keptFor?: number;
}

export const PAGES = [
  {
    path: "/",
    module: () => import("./Home.tsx"),
    words: (name, { hero, sharing }) => homeWords(name, hero, sharing),
    hero: "hero",
    Pending: HomePending,
    // About and statistics stay fresh for five minutes, so the page does.
    keptFor: FIVE_MINUTES,
  },
  {
    path: "/coaching",
    module: () => import("./Coaching.tsx"),
    words: (name, { coachingHero, sharing }) => coachingWords(name, coachingHero, sharing),
    hero: "coachingHero",
    portraitAt: "#enquiry",
    link: { in: "bar", label: "Coaching" },
    // Its transformations are always fresh; the rest comes from the cache of api.ts.
    keptFor: 0,
  },
  {
    path: "/privacy-policy",
    module: () => import("./PrivacyPolicy.tsx"),
    words: (name) => policyWords(name),
    link: { in: "footer", label: "Privacy Policy" },
  },
] as const satisfies readonly PublicPage[];
