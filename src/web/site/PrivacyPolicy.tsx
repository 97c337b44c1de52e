/** The privacy policy: how this program handles data (specification, section 2.5). */
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { EntityKey } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { type LoadedPage, getSingletonValue } from "../shared/content.ts";
import { createMailtoUrl } from "../../schema/core/mailto.ts";
import { type PageContext, usePageContext } from "../shared/pageContext.ts";
import { formatDayInLanguage, getPolicy } from "../words/allWords.ts";
import { formatPlural, fillPlaceholders } from "../words/placeholders.ts";
import type { Policy } from "../words/policy.en.ts";
import { useWords } from "../words/siteWords.ts";
import { Announcement } from "./extras/Announcement.tsx";
import { findVideoHosts } from "./extras/Showreel.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { createTitleFitStyle } from "./parts/fitTitle.ts";
import { joinList } from "../shared/joinList.ts";

/** The entities that the policy depends on: it names video hosts, and mentions testimonials. */
export const ENTITY_KEYS: readonly EntityKey[] = ["videos", "extras"];

/** Renders /privacy-policy with the date of rendering. The page is rendered again each midnight. */
export function Page({ content }: LoadedPage) {
  const pageContext = usePageContext();
  const siteWords = useWords();
  const policy = getPolicy(siteWords);
  const { introduction, used, rights } = policy;
  const { site, today } = pageContext;
  const videoHosts = joinList(findVideoHosts(content.videos ?? []), { language: siteWords.locale });
  return (
    <>
      <Navigation />
      <main id="main" className="page policy">
        <Announcement />
        <article className="policy-text" lang={siteWords.lang}>
          <h1 className="title fitted" style={createTitleFitStyle(policy.title)}>
            {policy.title}
          </h1>
          <p className="policy-updated">
            {policy.updated}{" "}
            <time dateTime={today}>{formatDayInLanguage(siteWords, today, DATE_PARTS)}</time>
          </p>
          <Section
            title={introduction.title}
            text={fillPlaceholders(introduction.text, { name: site.name })}
          />
          <CollectedDataSection
            policy={policy}
            retentionDays={pageContext.retentionDays}
            locale={siteWords.locale}
            hasTestimonials={getSingletonValue(content, "extras").on.includes("testimonials")}
          />
          <Section
            title={used.title}
            items={[used.enquiries, used.mailingList, used.address, used.traces]}
            text={used.grounds}
          />
          <DataSharingSection policy={policy} pageContext={pageContext} videoHosts={videoHosts} />
          <Section {...policy.security} />
          <Section
            title={rights.title}
            lead={rights.lead}
            items={[rights.access, rights.correct, rights.erase, rights.object]}
            text={rights.complain}
          />
          <Section {...policy.cookies} />
          <Section {...policy.links} />
          <Section {...policy.children} />
          <Section {...policy.changes} />
          <ContactSection policy={policy} name={site.name} email={site.contactEmail} />
        </article>
      </main>
      <Footer credit="websiteBy" />
    </>
  );
}

/** The policy's date in digits: 31/12/2030. */
const DATE_PARTS = { day: "2-digit", month: "2-digit", year: "numeric" } as const;

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly items?: readonly string[];
  readonly text: string;
}

function Section({ title, lead, items, text }: SectionProps) {
  return (
    <>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {items && (
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      <p>{text}</p>
    </>
  );
}

interface CollectedDataSectionProps {
  readonly policy: Policy;
  readonly retentionDays: number;
  readonly locale: string;
  readonly hasTestimonials: boolean;
}

function CollectedDataSection({
  policy,
  retentionDays,
  locale,
  hasTestimonials,
}: CollectedDataSectionProps) {
  const { collected } = policy;
  const days = formatPlural(collected.days, retentionDays, locale);
  return (
    <>
      <h2>{collected.title}</h2>
      <h3>{collected.personal}</h3>
      <p>{collected.lead}</p>
      <ul>
        <li>{collected.enquiry}</li>
        <li>{collected.mailingList}</li>
        {hasTestimonials && <li>{collected.testimonial}</li>}
      </ul>
      <h3>{collected.automatic}</h3>
      <ul>
        <li>{fillPlaceholders(collected.traces, { days })}</li>
        <li>{collected.counts}</li>
      </ul>
      <p>{collected.nothingElse}</p>
    </>
  );
}

interface DataSharingSectionProps {
  readonly policy: Policy;
  readonly pageContext: PageContext;
  /** The video hosts as one phrase; empty if there are none. */
  readonly videoHosts: string;
}

/** Names the hosts of videos, fonts and pictures, except this site itself. */
function DataSharingSection({
  policy: { shared },
  pageContext,
  videoHosts,
}: DataSharingSectionProps) {
  const { externalServices, fontProvider, siteUrl } = pageContext;
  const sentences = [
    externalServices.hasDatabase ? shared.storedElsewhere : shared.storedHere,
    shared.handedOn,
    externalServices.hasDatabase ? shared.hosts : shared.host,
    ...(externalServices.hasBackups ? [shared.backups] : []),
    shared.law,
  ];
  const pictureHost = findProviderHost(externalServices.pictureOrigin ?? "/", siteUrl);
  const fontHost = findProviderHost(fontProvider, siteUrl);
  return (
    <>
      <h2>{shared.title}</h2>
      <p>{sentences.join(" ")}</p>
      {pictureHost && <p>{fillPlaceholders(shared.pictures, { host: pictureHost })}</p>}
      {fontHost && <p>{fillPlaceholders(shared.fonts, { host: fontHost })}</p>}
      {videoHosts && <p>{fillPlaceholders(shared.videos, { host: videoHosts })}</p>}
    </>
  );
}

/** Returns the host of a provider's URL; undefined if the provider is the site itself, at `siteUrl`. */
function findProviderHost(provider: string, siteUrl: string | null): string | undefined {
  const host = provider.startsWith("/") ? undefined : new URL(provider).host;
  return siteUrl !== null && host === new URL(siteUrl).host ? undefined : host;
}

/** `email` is the performer's published address, if any. */
interface ContactSectionProps {
  readonly policy: Policy;
  readonly name: string;
  readonly email: string | null;
}

function ContactSection({ policy: { contact }, name, email }: ContactSectionProps) {
  const values = {
    name,
    email: email && <a href={createMailtoUrl(email)}>{email}</a>,
    coaching: <Link to={COACHING_PATH}>{contact.coaching}</Link>,
    home: <Link to="/">{contact.home}</Link>,
  };
  return (
    <>
      <h2>{contact.title}</h2>
      <p>{fillWithElements(email ? contact.email : contact.elsewhere, values)}</p>
    </>
  );
}

/** Like `fillPlaceholders`, with elements as values. */
const fillWithElements = (sentence: string, values: Readonly<Record<string, ReactNode>>) =>
  sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : values[part]}</Fragment>);
