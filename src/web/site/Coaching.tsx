/** The coaching page. */
import type { EntityKey } from "../../schema/index.ts";
import type { ContentSource, LoadedPage, ServerState } from "../shared/content.ts";
import { EnquirySection, type EnquirySectionProps } from "./enquiry/EnquirySection.tsx";
import { loadEnquiry } from "./enquiry/loadEnquiry.ts";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { CoachingHero } from "./sections/CoachingHero.tsx";
import { Transformations } from "./sections/Transformations.tsx";

export const READS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
];

/** Reads the enquiry form. Only the server waits for it; in the browser the page comes first. */
export async function readMore(source: ContentSource, server?: ServerState) {
  const enquiry = loadEnquiry(source);
  return { enquiry: server ? await enquiry : enquiry, plain: server?.enquiryState ?? null };
}

export function Page({ enquiry, plain, ...page }: LoadedPage & EnquirySectionProps) {
  return (
    <>
      <Navigation />
      <main id="main" className="page" suppressHydrationWarning>
        <CoachingHero {...page} />
        <Transformations {...page} />
        <EnquirySection enquiry={enquiry} plain={plain} />
      </main>
      <Footer credit="Designed by" />
    </>
  );
}
