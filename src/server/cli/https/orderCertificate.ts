/** Orders a certificate by ACME (RFC 8555). The HTTP-01 challenge proves that the site controls the domain name. */

export interface OrderOptions {
  /** The URL of the authority's directory. */
  readonly directoryUrl: string;
  /** The private key that identifies the account, as PEM. */
  readonly accountKey: string;
  readonly email: string | undefined;
  readonly domain: string;
  /** The responses below /.well-known/acme-challenge/ on port 80, by token. Each order adds and removes its own. */
  readonly challenges: Map<string, string>;
}

type Acme = typeof import("acme-client");

export async function createAccountKey(): Promise<string> {
  const { crypto } = await import("acme-client");
  return (await crypto.createPrivateEcdsaKey("P-256")).toString();
}

/** The error of a failed order. The message comes from the authority or from this program, never from a library. */
export class OrderError extends Error {
  constructor(
    message: string,
    readonly details: {
      /** What the operator should do. Default: check the domain names and port 80. */
      readonly advice?: string;
      /** The authority's Retry-After, in milliseconds (RFC 8555, section 6.6). */
      readonly waitMs?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message.replaceAll(/\s+/g, " ").slice(0, 500).trim(), { cause: details.cause });
  }
}

/** Orders a certificate; returns its key and chain, as PEM. Only one order may run at a time. Throws `OrderError`. */
export async function orderCertificate(options: OrderOptions) {
  // Loaded when needed: the library takes 4 MB, and only sites that serve HTTPS themselves use it.
  const acme = await import("acme-client");
  const recorder = createProblemRecorder(acme.axios);
  try {
    return await submitOrder(acme, options);
  } catch (error) {
    throw recorder.createOrderError(new URL(options.directoryUrl).host, error);
  } finally {
    recorder.end();
  }
}

/** An authority's error document. `detail` is about the request, `error.detail` about a failed challenge. */
interface AcmeProblem {
  readonly detail?: unknown;
  readonly error?: { readonly detail?: unknown } | null;
}

/**
 * Reads the authority's reasons from its responses, since the library's errors may lack them. After a rate limit error,
 * all further requests fail at once: the library would wait as long as the authority asks, even hours.
 */
function createProblemRecorder({ interceptors }: Acme["axios"]) {
  let rateLimitError: OrderError | undefined;
  let reason: string | undefined;
  let hasResponse = true;
  const readProblem = (body: unknown, headers: { get(name: string): unknown }, status?: number) => {
    hasResponse = true;
    const { detail, error }: AcmeProblem = Object(body);
    const description = error?.detail ?? detail;
    if (typeof description === "string") reason = description;
    const waitMs = parseRetryAfterMs(headers.get("retry-after"));
    if (status !== 429 && !(status === 503 && waitMs > 0)) return body;
    rateLimitError = new OrderError(
      reason ?? "the certificate authority isn't accepting requests right now",
      { waitMs },
    );
    throw rateLimitError;
  };
  const interceptorId = interceptors.request.use((config) => {
    if (rateLimitError) throw rateLimitError;
    hasResponse = false;
    return { ...config, transformResponse: [config.transformResponse ?? [], readProblem].flat() };
  });
  return {
    end: () => interceptors.request.eject(interceptorId),
    createOrderError(host: string, cause: unknown): OrderError {
      if (rateLimitError) return rateLimitError;
      if (!hasResponse)
        return new OrderError(`${host} can't be reached`, { advice: UNREACHABLE_ADVICE });
      return new OrderError(reason ?? `${host} sent no valid response`, { cause });
    },
  };
}

const UNREACHABLE_ADVICE = "Check this server's connection to the internet and its DNS.";

/** Returns the delay that a Retry-After header asks for, in milliseconds; 0 if the header is invalid. */
export function parseRetryAfterMs(header: unknown, now = Date.now()): number {
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(header)) - now;
  return waitMs > 0 ? waitMs : 0;
}

/** The number of retries of a request without a response: the first after 5 seconds, the second after 10. */
const MAX_RETRIES = 2;

async function submitOrder(
  acme: Acme,
  { directoryUrl, accountKey, email, domain, challenges }: OrderOptions,
) {
  // The authority's directory lists all URLs, so redirects aren't needed and aren't followed (ASVS 5.0, 15.3.2).
  acme.axios.defaults.maxRedirects = 0;
  // The library's types don't declare `acmeSettings`.
  const defaults: object = acme.axios.defaults;
  if ("acmeSettings" in defaults)
    Object.assign(defaults.acmeSettings ?? {}, { retryMaxAttempts: MAX_RETRIES });
  const client = new acme.Client({
    directoryUrl,
    accountKey,
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5000,
  });
  // Selects an existing account: without an email, the library would send it an empty update, which some CAs refuse.
  if (!email) await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined);
  const key = await acme.crypto.createPrivateEcdsaKey("P-256");
  const [, csr] = await acme.crypto.createCsr({ altNames: [domain] }, key);
  const chain = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // Some routers don't let this machine request its own domain name, which the library would do first.
    skipChallengeVerification: true,
    challengeCreateFn: async (_, { token }, keyAuthorization) =>
      void challenges.set(token, keyAuthorization),
    challengeRemoveFn: async (_, { token }) => void challenges.delete(token),
  });
  return { key: key.toString(), chain };
}
