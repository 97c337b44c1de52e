/** Orders a certificate by ACME (RFC 8555), proving with HTTP-01 that the names lead here. */
import type { Client } from "acme-client";

interface OrderOptions {
  /** The address of the authority's directory. */
  readonly directory: string;
  /** PEM; the same one each time, so that the authority knows who asks. */
  readonly accountKey: string;
  readonly email: string | undefined;
  readonly domains: readonly string[];
  /** What port 80 answers below /.well-known/acme-challenge/ while the order is under way. */
  readonly answers: {
    set(token: string, answer: string): Promise<void>;
    delete(token: string): Promise<void>;
  };
}

/** A certificate and what it takes to serve it, as PEM. */
export interface Certificate {
  readonly key: string;
  /** With the certificates between it and the authority's. */
  readonly chain: string;
}

/** A new key for an account, as PEM. */
export async function newAccountKey(): Promise<string> {
  const { crypto } = await import("acme-client");
  return (await crypto.createPrivateEcdsaKey("P-256")).toString();
}

/** The authority takes no more for now, of us or of these names (RFC 8555, section 6.6). */
export class AskedTooOften extends Error {
  override readonly name = "AskedTooOften";

  constructor(
    message: string,
    /** Until it may be asked again, in milliseconds; 0 where it doesn't say. */
    readonly wait: number,
  ) {
    super(message);
  }
}

/** Some of the names lack something; what that is, the authority says of each. */
export class NamesRefused extends Error {
  override readonly name = "NamesRefused";

  constructor(readonly reasons: ReadonlyMap<string, string>) {
    super([...reasons].map(([name, reason]) => `${name}: ${reason}`).join("; "));
  }
}

/** Throws the authority's own words; `NamesRefused` where they are about some names. */
export async function orderCertificate(options: OrderOptions): Promise<Certificate> {
  // 4 MB that only who serves HTTPS itself needs, and only now and then.
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

/** What the authority says of a challenge that failed, and of an order some of whose names it refuses (RFC 8555, 6.7.1). */
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
 * Reads along what is answered: the library throws the reason of one name, and not which it is of (`nameOf` knows
 * a name by the address of its challenge). Once the authority takes no more nothing more is asked. The library would
 * sleep in the middle of the request for as long as it is told to, hours and without a word; what a transformation
 * throws it lets pass.
 */
function watch(
  { interceptors }: typeof import("acme-client").axios,
  nameOf: ReadonlyMap<string, string>,
) {
  let met: AskedTooOften | undefined;
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
    met = new AskedTooOften(typeof detail === "string" ? detail : NO_MORE, wait);
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

/** Of a Retry-After header: seconds, or a date. In milliseconds. */
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
  // The authority names every address that it is asked at; none of them leads elsewhere (ASVS 5.0, 15.3.2).
  acme.axios.defaults.maxRedirects = 0;
  const client: Client = new acme.Client({
    directoryUrl: directory,
    accountKey,
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5000,
  });
  // Of an account that is there it would send a change without anything changed, which not every authority takes.
  if (!email) await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined);
  const key = await acme.crypto.createPrivateEcdsaKey("P-256");
  const [, csr] = await acme.crypto.createCsr({ altNames: [...domains] }, key);
  const chain = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // It would ask from here, which a router may not allow; the authority's answer is what counts.
    skipChallengeVerification: true,
    challengeCreateFn: ({ identifier }, { url, token }, answer) => {
      nameOf.set(url, identifier.value);
      return answers.set(token, answer);
    },
    challengeRemoveFn: (_, challenge) => answers.delete(challenge.token),
  });
  return { key: key.toString(), chain };
}
