/** The coaching page. */
import { Link } from "@tanstack/react-router";
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import { safePictureUrl } from "../../schema/safeUrl.ts";
import { type ContentSource, type LoadedPage, valueOf } from "../shared/content.ts";
import { mailto } from "../shared/mailto.ts";
import { useShell } from "../shared/shell.ts";
import { Dock } from "./Dock.tsx";
import { CoachPortrait } from "./enquiry/CoachPortrait.tsx";
import { EnquirySection, type EnquirySectionProps } from "./enquiry/EnquirySection.tsx";
import { loadEnquiry } from "./enquiry/loadEnquiry.ts";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { fitted } from "./parts/fitted.ts";
import { CoachingHero } from "./sections/CoachingHero.tsx";
import { Platforms } from "./sections/Connect.tsx";
import { Transformations } from "./sections/Transformations.tsx";

export const READS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
  // The coach's portrait, and where else to write to.
  "about",
  "connectLinks",
];

/** Reads the enquiry form. */
export async function readMore(source: ContentSource, plain: PlainEnquiryState | null = null) {
  return { enquiry: await loadEnquiry(source), plain };
}

/** The form alone ever lives (entry-enquiry.tsx). */
export function Page({ enquiry, plain, ...loaded }: LoadedPage & EnquirySectionProps) {
  const page = enquiry === null ? withoutWayToForm(loaded) : loaded;
  const { content, pictures } = page;
  const links = content.connectLinks;
  const hero = valueOf(content, "coachingHero");
  const { assets } = useShell();
  const face = safePictureUrl(valueOf(content, "about").image);
  return (
    <>
      <Navigation>
        <Platforms links={links} />
      </Navigation>
      <main id="main" className="page" suppressHydrationWarning>
        <CoachingHero {...page} />
        <Transformations {...page} />
        <EnquirySection
          enquiry={enquiry}
          plain={plain ?? null}
          script={assets.enquiryScript}
          portrait={face && <CoachPortrait src={face} pictures={pictures} />}
          closed={<Closed links={links} />}
        />
      </main>
      <Dock action={hero} note={coachingWordsOf(hero).tagline} />
      <Footer credit="Designed by" />
    </>
  );
}

/** A page whose button would lead to a form that isn't there has none. */
function withoutWayToForm({ content, pictures }: LoadedPage): LoadedPage {
  const hero = valueOf(content, "coachingHero");
  if (hero.buttonLink) return { content, pictures };
  return { content: { ...content, coachingHero: { ...hero, buttonText: null } }, pictures };
}

/** Where to go while no form is active: nobody comes here for nothing. */
function Closed({ links }: Parameters<typeof Platforms>[0]) {
  const { site } = useShell();
  const title = "Enquiries are closed at the moment";
  return (
    <section className="section connect closed" aria-labelledby="closed-title">
      <h2 id="closed-title" className="title fitted" style={fitted(title)}>
        {title}
      </h2>
      <p>
        {site.contactEmail || links?.length
          ? `You can still reach ${site.name} here.`
          : `The home page tells you more about ${site.name}.`}
      </p>
      <Platforms links={links} />
      <p className="closed-ways">
        {site.contactEmail && (
          <a className="button" href={mailto(site.contactEmail)}>
            Send an email
          </a>
        )}
        <Link className="button quiet" to="/">
          Go to the home page
        </Link>
      </p>
    </section>
  );
}
