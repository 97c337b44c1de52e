/** Orders a certificate by ACME (RFC 8555), proving with HTTP-01 that the names lead here. */
import type { Client } from "acme-client";

export interface OrderOptions {
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

/** Throws the authority's own words. */
export async function orderCertificate(options: OrderOptions): Promise<Certificate> {
  // 4 MB that only who serves HTTPS itself needs, and only now and then.
  const acme = await import("acme-client");
  const limit = watchLimits(acme.axios);
  try {
    return await order(acme, options);
  } catch (error) {
    throw limit.met() ?? error;
  } finally {
    limit.end();
  }
}

/**
 * Once the authority takes no more nothing more is asked. The library would sleep in the middle of the
 * request for as long as it is told to, hours and without a word; what a transformation throws it lets pass.
 */
function watchLimits({ interceptors }: typeof import("acme-client").axios) {
  let met: AskedTooOften | undefined;
  const look = (data: unknown, headers: { get(name: string): unknown }, status?: number) => {
    const wait = waitOf(headers.get("retry-after"));
    if (status !== 429 && !(status === 503 && wait > 0)) return data;
    const { detail } = (data ?? {}) as { detail?: unknown };
    met = new AskedTooOften(typeof detail === "string" ? detail : NO_MORE, wait);
    throw met;
  };
  const asks = interceptors.request.use((config) => {
    if (met) throw met;
    return { ...config, transformResponse: [config.transformResponse ?? [], look].flat() };
  });
  return { met: () => met, end: () => interceptors.request.eject(asks) };
}

const NO_MORE = "it takes no more for now";

/** Of a Retry-After header: seconds, or a date. In milliseconds. */
export function waitOf(header: unknown, now = Date.now()): number {
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(header)) - now;
  return wait > 0 ? wait : 0;
}

async function order(
  acme: typeof import("acme-client"),
  { directory, accountKey, email, domains, answers }: OrderOptions,
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
    challengeCreateFn: (_, challenge, answer) => answers.set(challenge.token, answer),
    challengeRemoveFn: (_, challenge) => answers.delete(challenge.token),
  });
  return { key: key.toString(), chain };
}
