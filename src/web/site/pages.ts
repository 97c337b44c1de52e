/**
 * The public pages: an entry here and a component make one. The router, the sitemap, the navigation bar and
 * the footer follow (docs/adding-a-section.md).
 */
import type { ComponentType } from "react";
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import type { ContentSource, PageContent } from "../shared/content.ts";
import type { Words } from "../words/en.ts";
import * as coaching from "./Coaching.tsx";
import { coachingWords, homeWords, type Named, type PageWords, policyWords } from "./head.ts";
import * as home from "./Home.tsx";
import * as privacyPolicy from "./PrivacyPolicy.tsx";

/** What the file of a page's component exports. */
export interface PageModule {
  /** Is given the content that it reads, the pictures in it, and what `readMore` returns. */
  readonly Page: ComponentType<never>;
  /** The entities that it shows. */
  readonly READS?: readonly EntityKey[];
  /** Reads what is no entity as a whole; `enquiryState` is where a post of the form without scripts has led. */
  readonly readMore?: (source: ContentSource, enquiryState?: PlainEnquiryState) => Promise<object>;
}

export interface PublicPage {
  /** Lower case, without a slash at its end. */
  readonly path: string;
  /** The file of its component. */
  readonly module: PageModule;
  /** Title, description and picture; parts of `content` may not be there yet. */
  readonly head: (content: PageContent, named: Named) => PageWords;
  /** Whose picture its first screen begins with: fetched ahead of whoever is about to come. */
  readonly hero?: "hero" | "coachingHero";
  /** Where on it the owner's portrait is what one sees first: fetched ahead of whoever is led there. */
  readonly portraitAt?: `#${string}`;
  /** What its link says, in the navigation bar or in the footer. Default: no link. */
  readonly link?: { readonly in: "bar" | "footer"; readonly label: (words: Words) => string };
}

export const PAGES = [
  {
    path: "/",
    module: home,
    head: ({ hero, sharing }, named) => homeWords(named, hero, sharing),
    hero: "hero",
  },
  {
    path: "/coaching",
    module: coaching,
    head: ({ coachingHero, sharing }, named) => coachingWords(named, coachingHero, sharing),
    hero: "coachingHero",
    portraitAt: "#enquiry",
    link: { in: "bar", label: ({ bar }) => bar.coaching },
  },
  {
    path: "/privacy-policy",
    module: privacyPolicy,
    head: (_, named) => policyWords(named),
    link: { in: "footer", label: ({ foot }) => foot.policy },
  },
] as const satisfies readonly PublicPage[];
