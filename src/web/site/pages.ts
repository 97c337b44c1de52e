/**
 * The public pages: each is an entry here and a component. The router, the sitemap, the navigation bar and the footer
 * follow (docs/adding-a-section.md).
 */
import type { ComponentType } from "react";
import type { EnquiryTree, NoScriptState } from "../../schema/enquiry/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pagePaths.ts";
import type { ContentSource, PageContent } from "../shared/content.ts";
import type { Words } from "../words/en.ts";
import * as coaching from "./Coaching.tsx";
import {
  createCoachingMetadata,
  createHomeMetadata,
  type SiteNaming,
  type PageMetadata,
  createPolicyMetadata,
} from "./head.ts";
import * as home from "./Home.tsx";
import * as privacyPolicy from "./PrivacyPolicy.tsx";

export interface PageModule {
  /** Gets the content that it reads, the pictures in it, and the result of `readMore`. */
  readonly Page: ComponentType<never>;
  /** The entities that it shows. */
  readonly READS?: readonly EntityKey[];
  /** Reads the enquiry form; `enquiryState` is the result of posting it without scripts. */
  readonly readMore?: (
    source: ContentSource,
    enquiryState?: NoScriptState,
  ) => Promise<{ readonly enquiry: EnquiryTree | null }>;
}

export interface PublicPage {
  /** Lower case, without a trailing slash. */
  readonly path: string;
  /** Its component's file. */
  readonly module: PageModule;
  /** Title, description and picture; parts of `content` may be missing. */
  readonly createMetadata: (content: PageContent, named: SiteNaming) => PageMetadata;
  /** The hero whose picture the first screen shows; preloaded on other pages. */
  readonly hero?: "hero" | "coachingHero";
  /** The place where the page shows the owner's portrait first; preloaded on pages that link there. */
  readonly portraitAt?: `#${string}`;
  /** The text of its link in the navigation bar or the footer. Default: no link. */
  readonly link?: { readonly in: "bar" | "footer"; readonly label: (words: Words) => string };
}

export const PUBLIC_PAGES = [
  {
    path: "/",
    module: home,
    createMetadata: ({ hero, sharing }, named) => createHomeMetadata(named, hero, sharing),
    hero: "hero",
  },
  {
    path: COACHING_PATH,
    module: coaching,
    createMetadata: ({ coachingHero, sharing }, named) =>
      createCoachingMetadata(named, coachingHero, sharing),
    hero: "coachingHero",
    portraitAt: "#enquiry",
    link: { in: "bar", label: ({ navigation }) => navigation.coaching },
  },
  {
    path: "/privacy-policy",
    module: privacyPolicy,
    createMetadata: (_, named) => createPolicyMetadata(named),
    link: { in: "footer", label: ({ footer }) => footer.privacyPolicy },
  },
] as const satisfies readonly PublicPage[];
