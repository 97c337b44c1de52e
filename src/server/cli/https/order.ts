/** Orders a certificate by ACME (RFC 8555), using HTTP-01 to prove control of the names. */
import type { Client } from "acme-client";

interface OrderOptions {
  /** The URL of the authority's directory. */
  readonly directory: string;
  /** PEM; always the same, as it identifies the account. */
  readonly accountKey: string;
  readonly email: string | undefined;
  readonly domains: readonly string[];
  /** The responses on port 80 below /.well-known/acme-challenge/ during the order. */
  readonly answers: {
    set(token: string, answer: string): Promise<void>;
    delete(token: string): Promise<void>;
  };
}

/** A certificate with its private key, as PEM. */
export interface Certificate {
  readonly key: string;
  /** With the intermediate certificates. */
  readonly chain: string;
}

/** A new account key, as PEM. */
export async function newAccountKey(): Promise<string> {
  const { crypto } = await import("acme-client");
  return (await crypto.createPrivateEcdsaKey("P-256")).toString();
}

/** The authority's rate limit, for this account or these names (RFC 8555, section 6.6). */
export class RateLimited extends Error {
  override readonly name = "RateLimited";

  constructor(
    message: string,
    /** The time until the next try in milliseconds; 0 if unknown. */
    readonly wait: number,
  ) {
    super(message);
  }
}

/** Some names were refused, each with the authority's reason. */
export class NamesRefused extends Error {
  override readonly name = "NamesRefused";

  constructor(readonly reasons: ReadonlyMap<string, string>) {
    super([...reasons].map(([name, reason]) => `${name}: ${reason}`).join("; "));
  }
}

/** Throws the authority's own message; `NamesRefused` if it is about some of the names. */
export async function orderCertificate(options: OrderOptions): Promise<Certificate> {
  // 4 MB, needed only now and then by sites that serve HTTPS themselves.
  const acme = await import("acme-client");
  const nameOf = new Map<string, string>();
  const watched = watch(acme.axios, nameOf);
  try {
    return await order(acme, options, nameOf);
  } catch (error) {
    const { met, reasons } = watched;
    throw met() ?? (reasons.size > 0 ? new NamesRefused(reasons) : error);
  } finally {
    watched.end();
  }
}

/** The authority's response about a failed challenge, or about an order with refused names (RFC 8555, 6.7.1). */
interface Answer {
  readonly url?: unknown;
  readonly status?: unknown;
  readonly detail?: unknown;
  readonly error?: { readonly detail?: unknown };
  readonly subproblems?: readonly {
    readonly identifier?: { readonly value?: unknown };
    readonly detail?: unknown;
  }[];
}

/**
 * Inspects the responses: the library throws the reason for one name without saying which (`nameOf` maps a
 * challenge's URL to its name). After a rate limit, no more requests are sent. Otherwise the library would silently
 * sleep for as long as it is told to, even hours; it passes on what a transformation throws.
 */
function watch(
  { interceptors }: typeof import("acme-client").axios,
  nameOf: ReadonlyMap<string, string>,
) {
  let met: RateLimited | undefined;
  const reasons = new Map<string, string>();
  const look = (data: unknown, headers: { get(name: string): unknown }, status?: number) => {
    const { url, status: state, detail, error, subproblems } = (data ?? {}) as Answer;
    const name = state === "invalid" ? nameOf.get(String(url)) : undefined;
    if (name !== undefined) reasons.set(name, String(error?.detail ?? NOT_PROVEN));
    if (Array.isArray(subproblems))
      for (const each of subproblems as NonNullable<Answer["subproblems"]>)
        if (each.identifier) reasons.set(String(each.identifier.value), String(each.detail));
    const wait = waitOf(headers.get("retry-after"));
    if (status !== 429 && !(status === 503 && wait > 0)) return data;
    met = new RateLimited(typeof detail === "string" ? detail : NO_MORE, wait);
    throw met;
  };
  const asks = interceptors.request.use((config) => {
    if (met) throw met;
    return { ...config, transformResponse: [config.transformResponse ?? [], look].flat() };
  });
  return { met: () => met, reasons, end: () => interceptors.request.eject(asks) };
}

const NO_MORE = "it takes no more for now";
const NOT_PROVEN = "it couldn't be proven";

/** The delay of a Retry-After header (seconds or a date), in milliseconds. */
export function waitOf(header: unknown, now = Date.now()): number {
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(header)) - now;
  return wait > 0 ? wait : 0;
}

async function order(
  acme: typeof import("acme-client"),
  { directory, accountKey, email, domains, answers }: OrderOptions,
  nameOf: Map<string, string>,
): Promise<Certificate> {
  // The authority gives all its URLs directly, so no redirect is followed (ASVS 5.0, 15.3.2).
  acme.axios.defaults.maxRedirects = 0;
  const client: Client = new acme.Client({
    directoryUrl: directory,
    accountKey,
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5000,
  });
  // For an existing account the library would send an empty update, which not every authority accepts.
  if (!email) await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined);
  const key = await acme.crypto.createPrivateEcdsaKey("P-256");
  const [, csr] = await acme.crypto.createCsr({ altNames: [...domains] }, key);
  const chain = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // The library would check from here, which a router may not allow; only the authority's check counts.
    skipChallengeVerification: true,
    challengeCreateFn: ({ identifier }, { url, token }, answer) => {
      nameOf.set(url, identifier.value);
      return answers.set(token, answer);
    },
    challengeRemoveFn: (_, challenge) => answers.delete(challenge.token),
  });
  return { key: key.toString(), chain };
}
