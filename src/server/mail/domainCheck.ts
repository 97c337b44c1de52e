/** Whether a sender's domain says in DNS who may send for it: SPF, DKIM, DMARC, and the records to set. */
import { Resolver } from "node:dns/promises";
import type { MailAccount } from "../../schema/mail.ts";
import type { DomainRecord } from "../../schema/mailState.ts";

/** What a provider's documentation asks for. */
interface Provider {
  readonly label: string;
  /** In the domain's SPF record; null: it needs none there. */
  readonly include: string | null;
  /** Where its DKIM key is looked for; null: only the provider knows. */
  readonly selector: string | null;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  "smtp.gmail.com": { label: "Google", include: "_spf.google.com", selector: "google" },
  "smtp-mail.outlook.com": {
    label: "Microsoft",
    include: "spf.protection.outlook.com",
    selector: "selector1",
  },
  "smtp.office365.com": {
    label: "Microsoft",
    include: "spf.protection.outlook.com",
    selector: "selector1",
  },
  "smtp.mail.me.com": { label: "iCloud", include: "icloud.com", selector: "sig1" },
  "smtp.fastmail.com": { label: "Fastmail", include: "spf.messagingengine.com", selector: "fm1" },
  postmark: { label: "Postmark", include: null, selector: null },
  resend: { label: "Resend", include: null, selector: "resend" },
  mailgun: { label: "Mailgun", include: "mailgun.org", selector: null },
  ses: { label: "Amazon SES", include: "amazonses.com", selector: null },
};

const OWN: Provider = { label: "your mail provider", include: null, selector: null };

/** Resolves to the TXT records of a name, each whole. Rejects when there is no answer. */
export type LookUp = (name: string) => Promise<string[]>;

/** In milliseconds. */
const PATIENCE = 3000;

/** By the machine's own resolver. */
export const lookUpInDns: LookUp = async (name) => {
  const resolver = new Resolver({ timeout: PATIENCE, tries: 1 });
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
};

/** The three records of the domain behind the sender's @. */
export async function checkDomain(
  account: MailAccount,
  domain: string,
  lookUp: LookUp = lookUpInDns,
): Promise<DomainRecord[]> {
  const provider = PROVIDERS[account.kind === "smtp" ? account.host : account.kind] ?? OWN;
  return Promise.all([
    spf(provider, domain, lookUp),
    dkim(provider, domain, lookUp),
    dmarc(domain, lookUp),
  ]);
}

async function found(
  lookUp: LookUp,
  host: string,
  start: RegExp,
): Promise<string | undefined | null> {
  try {
    return (await lookUp(host)).find((text) => start.test(text));
  } catch {
    return null;
  }
}

const OFFLINE = "Couldn't look it up. The record below is right all the same.";

async function spf(
  { label, include }: Provider,
  domain: string,
  lookUp: LookUp,
): Promise<DomainRecord> {
  const record = await found(lookUp, domain, /^v=spf1\b/i);
  const value = include === null ? null : `v=spf1 include:${include} ~all`;
  const base = {
    name: "SPF",
    what: "Says which servers may send for your domain",
    host: domain,
    value,
  } as const;
  if (record === null) return { ...base, state: "unknown", advice: OFFLINE };
  if (include === null)
    return {
      ...base,
      state: record === undefined ? "missing" : "found",
      advice:
        record === undefined
          ? `Ask ${label} for the SPF record of your domain, and set it as TXT.`
          : "Nothing to do.",
    };
  if (record === undefined)
    return { ...base, state: "missing", advice: "Set this as a TXT record of your domain." };
  if (!record.toLowerCase().includes(`include:${include}`))
    return {
      ...base,
      value: record.replace(/\s+([~?+-]?all)\s*$/i, ` include:${include} $1`),
      state: "different",
      advice: `Your record doesn't name ${label} yet. Put this in its place: a domain has one SPF record only.`,
    };
  return { ...base, state: "found", value: record, advice: "Nothing to do." };
}

async function dkim(
  { label, selector }: Provider,
  domain: string,
  lookUp: LookUp,
): Promise<DomainRecord> {
  const host = `${selector ?? "…"}._domainkey.${domain}`;
  const base = {
    name: "DKIM",
    what: "Signs your messages, so that nobody changes them",
    host,
    value: null,
  } as const;
  const advice = `Open ${label}, look for DKIM or "domain authentication", and set the records it shows there.`;
  if (selector === null) return { ...base, state: "unknown", advice };
  const record = await found(lookUp, host, /(?:^|;\s*)(?:v=DKIM1|k=rsa|p=)/i);
  if (record === null) return { ...base, state: "unknown", advice: OFFLINE };
  if (record === undefined) return { ...base, state: "missing", advice };
  return { ...base, state: "found", advice: "Nothing to do." };
}

async function dmarc(domain: string, lookUp: LookUp): Promise<DomainRecord> {
  const host = `_dmarc.${domain}`;
  const record = await found(lookUp, host, /^v=DMARC1\b/i);
  const value = "v=DMARC1; p=none;";
  const base = {
    name: "DMARC",
    what: "Says what becomes of forged messages",
    host,
    value,
  } as const;
  if (record === null) return { ...base, state: "unknown", advice: OFFLINE };
  if (record === undefined)
    return { ...base, state: "missing", advice: "Set this as a TXT record of this name." };
  return { ...base, value: record, state: "found", advice: "Nothing to do." };
}
