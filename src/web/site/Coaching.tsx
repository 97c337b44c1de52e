/** The coaching page. */
import { Link } from "@tanstack/react-router";
import { withCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import type { NoScriptState } from "../../schema/enquiry/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import { safePictureUrl, safeUrl } from "../../schema/core/safeUrl.ts";
import { type ContentSource, type LoadedPage, valueOf } from "../shared/content.ts";
import { mailto } from "../../schema/core/mailto.ts";
import { coachingTexts } from "../shared/headings.ts";
import { useShell } from "../shared/shell.ts";
import { fill } from "../words/fill.ts";
import { useWords } from "../words/siteWords.ts";
import { Dock } from "./Dock.tsx";
import { CoachPortrait } from "./enquiry/CoachPortrait.tsx";
import { EnquirySection, type EnquirySectionProps } from "./enquiry/EnquirySection.tsx";
import { loadEnquiry } from "./enquiry/loadEnquiry.ts";
import { Footer } from "./Footer.tsx";
import { Navigation, useBarWidth } from "./Navigation.tsx";
import { fitTitle } from "./parts/fitted.ts";
import { CoachingHero } from "./sections/CoachingHero.tsx";
import { Platforms } from "./sections/Connect.tsx";
import { coachingSections, PLACED_READS } from "./sections/index.ts";
import { Transformations } from "./sections/Transformations.tsx";

export const READS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
  // The coach's portrait and contact links.
  "about",
  "connectLinks",
  ...PLACED_READS,
];

/** Reads the enquiry form. */
export async function readMore(source: ContentSource, plain: NoScriptState | null = null) {
  return { enquiry: await loadEnquiry(source), plain };
}

/** Only the form is hydrated (entry-enquiry.tsx). */
export function Page({ enquiry, plain, ...loaded }: LoadedPage & EnquirySectionProps) {
  const page = enquiry === null ? withoutFormLinks(loaded) : loaded;
  const { content, pictures } = page;
  const links = content.connectLinks;
  const hero = valueOf(content, "coachingHero");
  const { assets } = useShell();
  const { words, lang } = useWords();
  const face = safePictureUrl(valueOf(content, "about").image);
  return (
    <>
      <Navigation>
        <Platforms links={links} />
      </Navigation>
      <main id="main" className="page" style={useBarWidth()}>
        <CoachingHero {...page} />
        <Transformations {...page} />
        {coachingSections(content).map(({ Component, reads }) => (
          <Component key={reads[0]} {...page} />
        ))}
        <EnquirySection
          enquiry={enquiry}
          plain={plain ?? null}
          script={assets.enquiryScript}
          packages={content.packages?.filter(({ buttonLink }) => !safeUrl(buttonLink))}
          portrait={face && <CoachPortrait src={face} pictures={pictures} />}
          closed={<Closed links={links} />}
        />
      </main>
      <Dock
        action={hero}
        note={withCoachingDefaults(hero, coachingTexts(words)).tagline}
        noteLang={hero.tagline.trim() ? undefined : lang}
      />
      <Footer credit="designedBy" />
    </>
  );
}

/** Without a form, a page has no buttons that lead to it. */
function withoutFormLinks({ content, pictures }: LoadedPage): LoadedPage {
  const hero = valueOf(content, "coachingHero");
  const packages = content.packages?.map((each) =>
    each.buttonLink ? each : { ...each, buttonText: "" },
  );
  return {
    content: {
      ...content,
      ...(!hero.buttonLink && { coachingHero: { ...hero, buttonText: null } }),
      ...(packages && { packages }),
    },
    pictures,
  };
}

/** Shown while no form is active: other ways to get in touch. */
function Closed({ links }: Parameters<typeof Platforms>[0]) {
  const { site } = useShell();
  const { words, lang } = useWords();
  const title = words.coaching.closed;
  return (
    <section className="section connect closed" lang={lang} aria-labelledby="closed-title">
      <h2 id="closed-title" className="title fitted" style={fitTitle(title)}>
        {title}
      </h2>
      <p>
        {site.contactEmail || links?.length
          ? fill(words.coaching.reachHere, { name: site.name })
          : fill(words.coaching.readMore, { name: site.name })}
      </p>
      <Platforms links={links} />
      <p className="closed-actions">
        {site.contactEmail && (
          <a className="button" href={mailto(site.contactEmail)}>
            {words.coaching.sendEmail}
          </a>
        )}
        <Link className="button quiet" to="/">
          {words.goHome}
        </Link>
      </p>
    </section>
  );
}
