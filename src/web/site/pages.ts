/** The public pages. Router, sitemap, bar and footer are derived from these entries (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { EnquiryTree, NoScriptState } from "../../schema/enquiry/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import type { ContentSource, PageContent } from "../shared/content.ts";
import type { Words } from "../words/en.ts";
import * as coaching from "./Coaching.tsx";
import {
  createCoachingMetadata,
  createHomeMetadata,
  type SiteNameAndWords,
  type PageMetadata,
  createPolicyMetadata,
} from "./pageMetadata.ts";
import * as home from "./Home.tsx";
import * as privacyPolicy from "./PrivacyPolicy.tsx";

export interface PageModule {
  /** The page's component. Its props are `content` (of `ENTITY_KEYS`), `pictures`, and the result of `readEnquiry`. */
  readonly Page: ComponentType<never>;
  readonly ENTITY_KEYS?: readonly EntityKey[];
  /** Reads the enquiry form that the page shows. `noScriptState` is the result of posting the form without scripts. */
  readonly readEnquiry?: (
    source: ContentSource,
    noScriptState?: NoScriptState,
  ) => Promise<{ readonly enquiry: EnquiryTree | null }>;
}

export interface PublicPage {
  /** Lower case, without a trailing slash. */
  readonly path: string;
  readonly module: PageModule;
  /** Returns title, description and picture. Parts of `content` may be missing. */
  readonly createMetadata: (content: PageContent, nameAndWords: SiteNameAndWords) => PageMetadata;
  /** The hero on this page's first screen. Other pages preload its picture. */
  readonly hero?: "hero" | "coachingHero";
  /** The anchor at which the page shows the owner's portrait. Pages with a link to this anchor preload the portrait. */
  readonly portraitAnchor?: `#${string}`;
  /** The link to the page in the navigation bar or the footer. Default: none. */
  readonly link?: { readonly location: "bar" | "footer"; readonly label: (words: Words) => string };
}

export const PUBLIC_PAGES = [
  {
    path: "/",
    module: home,
    createMetadata: ({ hero, sharing }, nameAndWords) =>
      createHomeMetadata(nameAndWords, hero, sharing),
    hero: "hero",
  },
  {
    path: COACHING_PATH,
    module: coaching,
    createMetadata: ({ coachingHero, sharing }, nameAndWords) =>
      createCoachingMetadata(nameAndWords, coachingHero, sharing),
    hero: "coachingHero",
    portraitAnchor: "#enquiry",
    link: { location: "bar", label: ({ navigation }) => navigation.coaching },
  },
  {
    path: "/privacy-policy",
    module: privacyPolicy,
    createMetadata: (_, nameAndWords) => createPolicyMetadata(nameAndWords),
    link: { location: "footer", label: ({ footer }) => footer.privacyPolicy },
  },
] as const satisfies readonly PublicPage[];
