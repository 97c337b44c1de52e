/** The coaching page. */
import { Link } from "@tanstack/react-router";
import { applyCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import type { NoScriptState } from "../../schema/enquiry/enquiry.ts";
import type { EntityKey } from "../../schema/index.ts";
import { toSafeUrl } from "../../schema/core/safeUrl.ts";
import { type ContentSource, type LoadedPage, getSingletonValue } from "../shared/content.ts";
import { createMailtoUrl } from "../../schema/core/mailto.ts";
import { createCoachingHeroDefaults } from "../shared/headings.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { fillPlaceholders } from "../words/placeholders.ts";
import { useWords } from "../words/siteWords.ts";
import { DockedButton } from "./DockedButton.tsx";
import {
  EnquirySection,
  type EnquirySectionProps,
  renderPortrait,
} from "./enquiry/EnquirySection.tsx";
import { loadEnquiry } from "./enquiry/loadEnquiry.ts";
import { Footer } from "./Footer.tsx";
import { Navigation, useNavigationWidthStyle } from "./Navigation.tsx";
import { createTitleFitStyle } from "./parts/fitTitle.ts";
import { CoachingHero } from "./sections/CoachingHero.tsx";
import { PlatformLinks } from "./sections/Connect.tsx";
import { findCoachingPageSections, PLACED_ENTITY_KEYS } from "./sections/index.ts";
import { Transformations } from "./sections/Transformations.tsx";

export const ENTITY_KEYS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
  // About has the coach's portrait. The links are shown while no form is active.
  "about",
  "connectLinks",
  ...PLACED_ENTITY_KEYS,
];

export async function readEnquiry(
  source: ContentSource,
  noScriptState: NoScriptState | null = null,
) {
  return { enquiry: await loadEnquiry(source), noScriptState };
}

/** Renders the coaching page. In the browser, only the form is hydrated (entry-enquiry.tsx). */
export function Page({ enquiry, noScriptState, ...loadedPage }: LoadedPage & EnquirySectionProps) {
  const page = enquiry === null ? removeFormLinks(loadedPage) : loadedPage;
  const { content } = page;
  const links = content.connectLinks;
  const hero = getSingletonValue(content, "coachingHero");
  const { assets } = usePageContext();
  const { words, lang } = useWords();
  return (
    <>
      <Navigation>
        <PlatformLinks links={links} />
      </Navigation>
      <main id="main" className="page" style={useNavigationWidthStyle()}>
        <CoachingHero {...page} />
        <Transformations {...page} />
        {findCoachingPageSections(content).map(({ Component, entityKeys }) => (
          <Component key={entityKeys[0]} {...page} />
        ))}
        <EnquirySection
          enquiry={enquiry}
          noScriptState={noScriptState ?? null}
          scriptUrl={assets.enquiryScript}
          packages={content.packages?.filter(({ buttonLink }) => !toSafeUrl(buttonLink))}
          portrait={renderPortrait(page)}
          fallback={<EnquiriesClosed links={links} />}
        />
      </main>
      <DockedButton
        action={hero}
        note={applyCoachingDefaults(hero, createCoachingHeroDefaults(words)).tagline}
        noteLang={hero.tagline.trim() ? undefined : lang}
      />
      <Footer credit="designedBy" />
    </>
  );
}

/** Removes the buttons that lead to the form, for a page without a form. */
function removeFormLinks({ content, pictures }: LoadedPage): LoadedPage {
  const hero = getSingletonValue(content, "coachingHero");
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

/** Shows other ways to get in touch while no form is active. */
function EnquiriesClosed({ links }: Parameters<typeof PlatformLinks>[0]) {
  const { site } = usePageContext();
  const { words, lang } = useWords();
  const title = words.coaching.enquiriesClosed;
  return (
    <section className="section connect closed" lang={lang} aria-labelledby="closed-title">
      <h2 id="closed-title" className="title fitted" style={createTitleFitStyle(title)}>
        {title}
      </h2>
      <p>
        {site.contactEmail || links?.length
          ? fillPlaceholders(words.coaching.contactHere, { name: site.name })
          : fillPlaceholders(words.coaching.readMore, { name: site.name })}
      </p>
      <PlatformLinks links={links} />
      <p className="closed-actions">
        {site.contactEmail && (
          <a className="button" href={createMailtoUrl(site.contactEmail)}>
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
