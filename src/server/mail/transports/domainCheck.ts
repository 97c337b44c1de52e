/** Checks the SPF, DKIM and DMARC records of a sender's domain, and suggests the records to set. */
import { Resolver } from "node:dns/promises";
import type { MailAccount } from "../../../schema/people/mail.ts";
import type { DomainRecord } from "../../../schema/api/mailResponses.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** A provider and the DNS records that it requires, according to its documentation. */
interface MailProvider {
  readonly label: string;
  /** The domain to include in the SPF record; null if the provider needs none. */
  readonly include: string | null;
  /** The DKIM selector; null if each customer has a different one. */
  readonly selector: string | null;
}

const MICROSOFT: MailProvider = {
  label: "Microsoft",
  include: "spf.protection.outlook.com",
  selector: "selector1",
};

const PROVIDERS: Readonly<Record<string, MailProvider>> = {
  "smtp.gmail.com": { label: "Google", include: "_spf.google.com", selector: "google" },
  "smtp-mail.outlook.com": MICROSOFT,
  "smtp.office365.com": MICROSOFT,
  "smtp.mail.me.com": { label: "iCloud", include: "icloud.com", selector: "sig1" },
  "smtp.fastmail.com": { label: "Fastmail", include: "spf.messagingengine.com", selector: "fm1" },
  postmark: { label: "Postmark", include: null, selector: null },
  resend: { label: "Resend", include: null, selector: "resend" },
  mailgun: { label: "Mailgun", include: "mailgun.org", selector: null },
  ses: { label: "Amazon SES", include: "amazonses.com", selector: null },
};

const GENERIC_PROVIDER: MailProvider = {
  label: "your email provider",
  include: null,
  selector: null,
};

/** Resolves to the TXT records of a name. Rejects if DNS doesn't respond. */
export type ResolveTxt = (name: string) => Promise<string[]>;

const DNS_TIMEOUT_MS = 3000;

const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const code = getErrorCode(error);
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
};

export async function checkDomain(
  account: MailAccount,
  domain: string,
  resolve: ResolveTxt = resolveTxt,
): Promise<DomainRecord[]> {
  const name = account.kind === "smtp" ? account.host : account.kind;
  const provider = (Object.hasOwn(PROVIDERS, name) && PROVIDERS[name]) || GENERIC_PROVIDER;
  const { selector } = provider;
  const dkimHost = `${selector ?? "…"}._domainkey.${domain}`;
  // Matches only records with a key: a record without one revokes its selector (RFC 6376, section 3.6.1).
  const dkimPattern = /(?:^|;)\s*p=\s*[\w+/]/i;
  const [spf, dkim, dmarc] = await Promise.all([
    resolveMatchingRecords(resolve, domain, /^v=spf1(?: |$)/i),
    selector === null ? undefined : resolveMatchingRecords(resolve, dkimHost, dkimPattern),
    resolveDmarc(resolve, domain),
  ]);
  return [
    { name: "SPF", what: SPF_PURPOSE, host: domain, ...assessSpf(provider, spf) },
    { name: "DKIM", what: DKIM_PURPOSE, host: dkimHost, ...assessDkim(provider, dkim) },
    {
      name: "DMARC",
      what: dmarc.domain === domain ? DMARC_PURPOSE : `${DMARC_PURPOSE} (set at ${dmarc.domain})`,
      host: `_dmarc.${dmarc.domain}`,
      ...assessDmarc(dmarc.records),
    },
  ];
}

const SPF_PURPOSE = "Lists the servers that may send for your domain";
const DKIM_PURPOSE = "Signs your emails so that changes are detected";
const DMARC_PURPOSE = "Tells email providers what to do with forged messages";

/** Returns the TXT records of a host that match `pattern`; undefined if DNS didn't respond. */
async function resolveMatchingRecords(resolve: ResolveTxt, host: string, pattern: RegExp) {
  try {
    return (await resolve(host)).filter((text) => pattern.test(text));
  } catch {
    return undefined;
  }
}

/**
 * Returns the DMARC records of a domain; if there are none, the record of its organizational domain, which then
 * applies. The organizational domain is found without a list of public suffixes, as receivers do (RFC 9989, section
 * 4.10, which replaced RFC 7489). A public suffix's record is ignored, since receivers that follow RFC 7489 ignore it.
 */
async function resolveDmarc(resolve: ResolveTxt, domain: string) {
  const resolveRecords = (name: string) =>
    resolveMatchingRecords(resolve, `_dmarc.${name}`, /^v=DMARC1\b/i);
  const exactMatch = { domain, records: await resolveRecords(domain) };
  if (exactMatch.records?.length !== 0) return exactMatch;
  const labels = domain.split(".");
  const maxLabels = Math.min(labels.length - 1, MAX_PARENT_LABELS);
  const labelCounts = Array.from({ length: maxLabels }, (_, index) => maxLabels - index);
  const parents = await Promise.all(
    labelCounts.map(async (count) => {
      const name = labels.slice(-count).join(".");
      return { count, domain: name, records: await resolveRecords(name) };
    }),
  );
  let shortest: (typeof parents)[number] | undefined;
  for (const parent of parents) {
    if (!parent.records) return { domain, records: undefined };
    const [record, ...others] = parent.records;
    if (record === undefined || others.length > 0) continue;
    // A top-level domain is always a public suffix. An organizational domain has one label more than its public suffix.
    const psd = parent.count === 1 ? "y" : PSD_PATTERN.exec(record)?.[1]?.toLowerCase();
    if (psd === "y") return shortest?.count === parent.count + 1 ? shortest : exactMatch;
    shortest = parent;
    if (psd === "n") break;
  }
  return shortest ?? exactMatch;
}

/** The maximum number of labels in a parent's name: long names must not cause many requests (RFC 9989, 4.10). */
const MAX_PARENT_LABELS = 7;
/** Matches the tag with which a domain's record says whether it is a public suffix (RFC 9989, section 4.7). */
const PSD_PATTERN = /;\s*psd\s*=\s*([yn])\s*(?:;|$)/i;

/** The result of a check. `value` is the record to set, or the current record if it is correct. */
type Assessment = Pick<DomainRecord, "state" | "value" | "advice">;
type TxtRecords = readonly string[] | undefined;

const NOTHING_TO_DO = { state: "found", advice: "Nothing to do." } as const;
const DNS_OFFLINE_MESSAGE = "Couldn't look up your DNS records. The record below is still correct.";
const DNS_RETRY_MESSAGE = "Couldn't look up your DNS records. Check again later.";

function assessSpf({ label, include }: MailProvider, records: TxtRecords): Assessment {
  const value = include === null ? null : `v=spf1 include:${include} ~all`;
  if (records === undefined)
    return { state: "unknown", value, advice: value ? DNS_OFFLINE_MESSAGE : DNS_RETRY_MESSAGE };
  const [record, ...otherRecords] = records;
  const replacement = { state: "different", value: mergeSpf(records, include) } as const;
  if (otherRecords.length > 0) {
    const advice = `Your domain has ${records.length} SPF records, so email providers ignore them all. Replace them with this one.`;
    return { ...replacement, advice };
  }
  if (record === undefined) {
    const advice = value
      ? "Add this as a TXT record of your domain."
      : `Ask ${label} for your domain's SPF record, and add it as a TXT record.`;
    return { state: "missing", value, advice };
  }
  if (include === null) return { ...NOTHING_TO_DO, value };
  if (hasProviderTerm(parseSpfTerms(record), include)) return { ...NOTHING_TO_DO, value: record };
  const advice = `Your SPF record doesn't include ${label} yet. Replace it with this one: a domain can have only one.`;
  return { ...replacement, advice };
}

const parseSpfTerms = (record: string) => record.split(/\s+/).slice(1).filter(Boolean);

const includesTerm = (terms: readonly string[], include: string) =>
  terms.some((term) => term.toLowerCase() === `include:${include}`);

/** Whether the terms include the provider's record or redirect to it, as iCloud's instructions once required. */
const hasProviderTerm = (terms: readonly string[], include: string) =>
  includesTerm(terms, include) ||
  terms.some((term) => term.toLowerCase() === `redirect=${include}`);

const isFinalTerm = (term: string) => /^[~?+-]?all$|^redirect=/i.test(term);

/** Merges SPF records into one that includes the provider; `all` and `redirect` come last (RFC 7208, 5.1 and 6.1). */
function mergeSpf(records: readonly string[], include: string | null): string {
  const terms = records.flatMap(parseSpfTerms);
  const isIncluded = include === null || includesTerm(terms, include);
  const addedTerms = isIncluded ? [] : [`include:${include}`];
  const mergedTerms = new Set([...terms.filter((term) => !isFinalTerm(term)), ...addedTerms]);
  return ["v=spf1", ...mergedTerms, terms.find(isFinalTerm) ?? "~all"].join(" ");
}

function assessDkim({ label, selector }: MailProvider, records: TxtRecords): Assessment {
  const advice = `Open ${label}, look for DKIM or "domain authentication", and add the records it shows there.`;
  if (selector === null) return { state: "unknown", value: null, advice };
  if (!records) return { state: "unknown", value: null, advice: DNS_RETRY_MESSAGE };
  return { ...(records.length > 0 ? NOTHING_TO_DO : { state: "missing", advice }), value: null };
}

function assessDmarc(records: TxtRecords): Assessment {
  const value = "v=DMARC1; p=none;";
  if (!records) return { state: "unknown", value, advice: DNS_OFFLINE_MESSAGE };
  const [record, ...otherRecords] = records;
  if (otherRecords.length > 0) {
    const advice = `Your domain has ${records.length} DMARC records, so email providers ignore them all. Keep only this one.`;
    return { state: "different", value: record ?? value, advice };
  }
  if (record !== undefined) return { ...NOTHING_TO_DO, value: record };
  return { state: "missing", value, advice: "Add this as a TXT record under this name." };
}
