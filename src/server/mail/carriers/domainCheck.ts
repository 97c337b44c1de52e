/** Checks the SPF, DKIM and DMARC records of a sender's domain, and suggests the records to set. */
import { Resolver } from "node:dns/promises";
import type { MailAccount } from "../../../schema/people/mail.ts";
import type { DomainRecord } from "../../../schema/api/mailResponses.ts";
import { errorCode } from "../../shared/errorDetails.ts";

/** What a provider's documentation asks of the sender's domain. */
interface MailProvider {
  readonly label: string;
  /** The domain to include in the SPF record; null: the provider needs none. */
  readonly include: string | null;
  /** The DKIM selector; null: it differs from customer to customer. */
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

/** Asks the system's resolver. */
const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
};

/** Checks the three records. `resolve` looks up TXT records. */
export async function checkDomain(
  account: MailAccount,
  domain: string,
  resolve: ResolveTxt = resolveTxt,
): Promise<DomainRecord[]> {
  const provider =
    PROVIDERS[account.kind === "smtp" ? account.host : account.kind] ?? GENERIC_PROVIDER;
  return Promise.all([
    checkSpf(provider, domain, resolve),
    checkDkim(provider, domain, resolve),
    checkDmarc(domain, resolve),
  ]);
}

/** The TXT records of a host that match `start`; undefined if DNS didn't respond. */
async function lookUpRecord(
  resolve: ResolveTxt,
  host: string,
  start: RegExp,
): Promise<string[] | undefined> {
  try {
    return (await resolve(host)).filter((text) => start.test(text));
  } catch {
    return undefined;
  }
}

const NOTHING_TO_DO = { state: "found", advice: "Nothing to do." } as const;
const DNS_OFFLINE_MESSAGE = "Couldn't look up your DNS records. The record below is still correct.";
const DNS_RETRY_MESSAGE = "Couldn't look up your DNS records. Check again later.";

async function checkSpf(
  { label, include }: MailProvider,
  domain: string,
  resolve: ResolveTxt,
): Promise<DomainRecord> {
  const records = await lookUpRecord(resolve, domain, /^v=spf1(?: |$)/i);
  const value = include === null ? null : `v=spf1 include:${include} ~all`;
  const base = {
    name: "SPF",
    what: "Lists the servers that may send for your domain",
    host: domain,
    value,
  } as const;
  if (records === undefined)
    return {
      ...base,
      state: "unknown",
      advice: value === null ? DNS_RETRY_MESSAGE : DNS_OFFLINE_MESSAGE,
    };
  const [record, ...more] = records;
  if (more.length > 0)
    return {
      ...base,
      value: mergeSpf(records, include),
      state: "different",
      advice: `Your domain has ${records.length} SPF records, so email providers ignore them all. Replace them with this one.`,
    };
  if (record === undefined) {
    const advice =
      include === null
        ? `Ask ${label} for your domain's SPF record, and add it as a TXT record.`
        : "Add this as a TXT record of your domain.";
    return { ...base, state: "missing", advice };
  }
  if (include === null) return { ...base, ...NOTHING_TO_DO };
  if (!includesTerm(spfTerms(record), include))
    return {
      ...base,
      value: mergeSpf(records, include),
      state: "different",
      advice: `Your SPF record doesn't include ${label} yet. Replace it with this one: a domain can have only one.`,
    };
  return { ...base, ...NOTHING_TO_DO, value: record };
}

/** The terms after `v=spf1`. */
const spfTerms = (record: string) => record.split(/\s+/).slice(1).filter(Boolean);

const includesTerm = (terms: readonly string[], include: string) =>
  terms.some((term) => term.toLowerCase() === `include:${include}`);

const isFinalTerm = (term: string) => /^[~?+-]?all$|^redirect=/i.test(term);

/** Merges SPF records into one that includes the provider; `all` and `redirect` come last (RFC 7208, 5.1 and 6.1). */
function mergeSpf(records: readonly string[], include: string | null): string {
  const terms = records.flatMap(spfTerms);
  const isIncluded = include === null || includesTerm(terms, include);
  const added = isIncluded ? [] : [`include:${include}`];
  const inner = new Set([...terms.filter((term) => !isFinalTerm(term)), ...added]);
  return ["v=spf1", ...inner, terms.find(isFinalTerm) ?? "~all"].join(" ");
}

async function checkDkim(
  { label, selector }: MailProvider,
  domain: string,
  resolve: ResolveTxt,
): Promise<DomainRecord> {
  const host = `${selector ?? "…"}._domainkey.${domain}`;
  const base = {
    name: "DKIM",
    what: "Signs your emails so that changes are detected",
    host,
    value: null,
  } as const;
  const advice = `Open ${label}, look for DKIM or "domain authentication", and add the records it shows there.`;
  if (selector === null) return { ...base, state: "unknown", advice };
  const records = await lookUpRecord(resolve, host, /(?:^|;\s*)(?:v=DKIM1|k=rsa|p=)/i);
  if (records === undefined) return { ...base, state: "unknown", advice: DNS_RETRY_MESSAGE };
  if (records.length === 0) return { ...base, state: "missing", advice };
  return { ...base, ...NOTHING_TO_DO };
}

async function checkDmarc(domain: string, resolve: ResolveTxt): Promise<DomainRecord> {
  const host = `_dmarc.${domain}`;
  const records = await lookUpRecord(resolve, host, /^v=DMARC1\b/i);
  const base = {
    name: "DMARC",
    what: "Tells email providers what to do with forged messages",
    host,
    value: "v=DMARC1; p=none;",
  } as const;
  if (records === undefined) return { ...base, state: "unknown", advice: DNS_OFFLINE_MESSAGE };
  const [record] = records;
  if (record === undefined)
    return { ...base, state: "missing", advice: "Add this as a TXT record under this name." };
  return { ...base, ...NOTHING_TO_DO, value: record };
}
