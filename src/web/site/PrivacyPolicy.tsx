/** The privacy policy: how this program handles data (specification, section 2.5). */
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { EntityKey } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pagePaths.ts";
import { type LoadedPage, valueOf } from "../shared/content.ts";
import { mailto } from "../../schema/core/mailto.ts";
import { type Shell, useShell } from "../shared/shell.ts";
import { policyIn } from "../words/all.ts";
import { pluralize, fill } from "../words/fill.ts";
import type { Policy } from "../words/policy.en.ts";
import { useWords } from "../words/siteWords.ts";
import { Announcement } from "./extras/Announcement.tsx";
import { hostsOf } from "./extras/Showreel.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { fitTitle } from "./parts/fitted.ts";
import { joinList } from "../shared/listed.ts";

/** The policy names the video hosts, and whether visitors are asked for testimonials. */
export const READS: readonly EntityKey[] = ["videos", "extras"];

/** Shows /privacy-policy, dated the day it was rendered, which is repeated each midnight. */
export function Page({ content }: LoadedPage) {
  const shell = useShell();
  const translation = useWords();
  const policy = policyIn(translation);
  const { site, today } = shell;
  const hosts = joinList(hostsOf(content.videos ?? []), { language: translation.locale });
  return (
    <>
      <Navigation />
      <main id="main" className="page policy">
        <Announcement />
        <article className="policy-text" lang={translation.lang}>
          <h1 className="title fitted" style={fitTitle(policy.title)}>
            {policy.title}
          </h1>
          <p className="policy-updated">
            {policy.updated} <time dateTime={today}>{dayInDigits(translation.locale, today)}</time>
          </p>
          <h2>{policy.introduction.title}</h2>
          <p>{fill(policy.introduction.text, { name: site.name })}</p>
          <Collected
            policy={policy}
            retentionDays={shell.retentionDays}
            locale={translation.locale}
            hasTestimonials={valueOf(content, "extras").on.includes("testimonials")}
          />
          <Used {...policy} />
          <Shared policy={policy} shell={shell} hosts={hosts} />
          <Section {...policy.security} />
          <Rights {...policy} />
          <Section {...policy.cookies} />
          <Section {...policy.links} />
          <Section {...policy.children} />
          <Section {...policy.changes} />
          <Contact policy={policy} name={site.name} email={site.contactEmail} />
        </article>
      </main>
      <Footer credit="websiteBy" />
    </>
  );
}

/** A date in digits; in English as en-GB writes it, 31/12/2030. */
function dayInDigits(locale: string, day: string): string {
  return new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(day));
}

function Section({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h2>{title}</h2>
      <p>{text}</p>
    </>
  );
}

interface CollectedProps {
  readonly policy: Policy;
  readonly retentionDays: number;
  readonly locale: string;
  readonly hasTestimonials: boolean;
}

function Collected({ policy, retentionDays, locale, hasTestimonials }: CollectedProps) {
  const { collected } = policy;
  const days = pluralize(collected.days, retentionDays, locale);
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
        <li>{fill(collected.traces, { days })}</li>
        <li>{collected.counts}</li>
      </ul>
      <p>{collected.nothingElse}</p>
    </>
  );
}

function Used({ used }: Policy) {
  return (
    <>
      <h2>{used.title}</h2>
      <ul>
        <li>{used.enquiries}</li>
        <li>{used.mailingList}</li>
        <li>{used.address}</li>
        <li>{used.traces}</li>
      </ul>
      <p>{used.grounds}</p>
    </>
  );
}

interface SharedProps {
  readonly policy: Policy;
  readonly shell: Shell;
  /** The video hosts as one phrase; empty without any. */
  readonly hosts: string;
}

/** Names the hosts of fonts and pictures, unless it is this site, and of videos. */
function Shared({ policy: { shared }, shell, hosts }: SharedProps) {
  const { elsewhere, fontProvider, address } = shell;
  const sentences = [
    elsewhere.data ? shared.storedElsewhere : shared.storedHere,
    shared.handedOn,
    elsewhere.data ? shared.hosts : shared.host,
    ...(elsewhere.backups ? [shared.backups] : []),
    shared.law,
  ];
  const pictureHost = hostOf(elsewhere.pictures ?? "/", address);
  const fontHost = hostOf(fontProvider, address);
  return (
    <>
      <h2>{shared.title}</h2>
      <p>{sentences.join(" ")}</p>
      {pictureHost && <p>{fill(shared.pictures, { host: pictureHost })}</p>}
      {fontHost && <p>{fill(shared.fonts, { host: fontHost })}</p>}
      {hosts && <p>{fill(shared.videos, { host: hosts })}</p>}
    </>
  );
}

/** The host of a provider; undefined for this site itself, at `siteUrl`. */
function hostOf(provider: string, siteUrl: string | null): string | undefined {
  const host = provider.startsWith("/") ? undefined : new URL(provider).host;
  return siteUrl !== null && host === new URL(siteUrl).host ? undefined : host;
}

/** The requests that visitors can make. */
function Rights({ rights }: Policy) {
  return (
    <>
      <h2>{rights.title}</h2>
      <p>{rights.lead}</p>
      <ul>
        <li>{rights.access}</li>
        <li>{rights.correct}</li>
        <li>{rights.erase}</li>
        <li>{rights.object}</li>
      </ul>
      <p>{rights.complain}</p>
    </>
  );
}

/** `email` is the performer's published address, if any. */
interface ContactProps {
  readonly policy: Policy;
  readonly name: string;
  readonly email: string | null;
}

function Contact({ policy: { contact }, name, email }: ContactProps) {
  const links = {
    name,
    email: email && <a href={mailto(email)}>{email}</a>,
    coaching: <Link to={COACHING_PATH}>{contact.coaching}</Link>,
    home: <Link to="/">{contact.home}</Link>,
  };
  return (
    <>
      <h2>{contact.title}</h2>
      <p>{withElements(email ? contact.email : contact.elsewhere, links)}</p>
    </>
  );
}

/** Like `fill`, with elements. */
const withElements = (sentence: string, values: Readonly<Record<string, ReactNode>>) =>
  sentence
    .split(/\{(\w+)\}/)
    .map((part, at) => <Fragment key={at}>{at % 2 === 0 ? part : values[part]}</Fragment>);
