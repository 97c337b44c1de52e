/** Orders a certificate by ACME (RFC 8555), using HTTP-01 to prove control of the name. */

export interface OrderOptions {
  /** The URL of the authority's directory. */
  readonly directory: string;
  /** PEM; always the same, as it identifies the account. */
  readonly accountKey: string;
  readonly email: string | undefined;
  readonly domain: string;
  /** The responses on port 80 below /.well-known/acme-challenge/, by token. */
  readonly challenges: Map<string, string>;
}

type Acme = typeof import("acme-client");

/** A new account key, as PEM. */
export async function createAccountKey(): Promise<string> {
  const { crypto } = await import("acme-client");
  return (await crypto.createPrivateEcdsaKey("P-256")).toString();
}

/** An order without a certificate. The message is the authority's or ours, never a library's. */
export class OrderError extends Error {
  override readonly name = "OrderFailed";

  constructor(
    message: string,
    readonly details: {
      /** The advice, where it isn't to check the names and port 80. */
      readonly advice?: string;
      /** The authority's Retry-After, in milliseconds (RFC 8555, section 6.6). */
      readonly waitMs?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message.replaceAll(/\s+/g, " ").slice(0, 500).trim(), { cause: details.cause });
  }
}

/** Returns the key and the chain, as PEM. One order at a time. Throws `OrderError`. */
export async function orderCertificate(options: OrderOptions) {
  // 4 MB, needed only now and then by sites that serve HTTPS themselves.
  const acme = await import("acme-client");
  const watched = recordProblems(acme.axios);
  try {
    return await submitOrder(acme, options);
  } catch (error) {
    throw watched.failure(new URL(options.directory).host, error);
  } finally {
    watched.end();
  }
}

/** The authority's response about a request, or about a challenge that failed. */
interface AcmeProblem {
  readonly detail?: unknown;
  readonly error?: { readonly detail?: unknown } | null;
}

/**
 * Reads the reasons out of the responses: the library throws an error of its own without one. After a rate limit no
 * more requests are sent: the library would sleep for the authority's full delay, even hours.
 */
function recordProblems({ interceptors }: Acme["axios"]) {
  let limited: OrderError | undefined;
  let reason: string | undefined;
  let isAnswered = true;
  const read = (data: unknown, headers: { get(name: string): unknown }, status?: number) => {
    isAnswered = true;
    const { detail, error }: AcmeProblem = Object(data);
    const description = error?.detail ?? detail;
    if (typeof description === "string") reason = description;
    const waitMs = retryAfterMs(headers.get("retry-after"));
    if (status !== 429 && !(status === 503 && waitMs > 0)) return data;
    limited = new OrderError(
      reason ?? "the certificate authority isn't accepting requests right now",
      { waitMs },
    );
    throw limited;
  };
  const added = interceptors.request.use((config) => {
    if (limited) throw limited;
    isAnswered = false;
    return { ...config, transformResponse: [config.transformResponse ?? [], read].flat() };
  });
  return {
    end: () => interceptors.request.eject(added),
    failure(host: string, cause: unknown): OrderError {
      if (limited) return limited;
      if (!isAnswered)
        return new OrderError(`${host} can't be reached`, { advice: UNREACHABLE_ADVICE });
      return new OrderError(reason ?? `${host} sent no valid response`, { cause });
    },
  };
}

const UNREACHABLE_ADVICE = "Check this server's connection to the internet and its DNS.";

/** The delay of a Retry-After header (seconds or a date), in milliseconds. */
export function retryAfterMs(header: unknown, now = Date.now()): number {
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(header)) - now;
  return wait > 0 ? wait : 0;
}

/** The number of times a request without a response is repeated, each after 5 seconds more. */
const MAX_RETRIES = 2;

async function submitOrder(
  acme: Acme,
  { directory, accountKey, email, domain, challenges }: OrderOptions,
) {
  // The authority gives all its URLs directly, so no redirect is followed (ASVS 5.0, 15.3.2).
  acme.axios.defaults.maxRedirects = 0;
  // The package's types leave its own settings out.
  const defaults: object = acme.axios.defaults;
  if ("acmeSettings" in defaults)
    Object.assign(defaults.acmeSettings ?? {}, { retryMaxAttempts: MAX_RETRIES });
  const client = new acme.Client({
    directoryUrl: directory,
    accountKey,
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5000,
  });
  // For an existing account the library would send an empty update, which not every authority accepts.
  if (!email) await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined);
  const key = await acme.crypto.createPrivateEcdsaKey("P-256");
  const [, csr] = await acme.crypto.createCsr({ altNames: [domain] }, key);
  const chain = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // The library would check from here, which a router may not allow; only the authority's check counts.
    skipChallengeVerification: true,
    challengeCreateFn: async (_, { token }, answer) => void challenges.set(token, answer),
    challengeRemoveFn: async (_, { token }) => void challenges.delete(token),
  });
  return { key: key.toString(), chain };
}
