/**
 * Keeps a valid certificate for each name of the site: orders the first one, and a new one after two thirds of its
 * life. As every name has its own, one that isn't ready doesn't delay the others.
 */
import type { Log } from "../../shared/log.ts";
import { HOUR, MINUTE } from "../../shared/time.ts";
import { type Certificate, type CertificateStore, validityOf } from "./certificateStore.ts";
import { createAccountKey, OrderFailed, orderCertificate, type OrderOptions } from "./order.ts";

/** Why there is no new certificate. */
interface CertificateProblem {
  readonly title: string;
  readonly message: string;
}

export interface RenewalOptions extends Omit<OrderOptions, "accountKey" | "domain"> {
  readonly store: CertificateStore;
  /** The first is the site's own. */
  readonly domains: readonly string[];
  /** Starts listening with these certificates. */
  readonly use: (certificates: readonly Certificate[]) => void;
  /** Default: by ACME. */
  readonly order?: typeof orderCertificate;
  /** Writes a line for the operator. */
  readonly log: Log;
  /** Shows the owner why there is no new certificate; undefined once there is one for every name. */
  readonly report: (problem: CertificateProblem | undefined) => void;
}

/** The interval of checks, since a machine may have slept. */
const MAX_WAIT_MS = 12 * HOUR;
/** The wait after a first failure; it doubles with each further one, up to a day. */
const FIRST_RETRY_MS = 15 * MINUTE;
const MAX_RETRY_MS = 24 * HOUR;
/** The part of its life after which a certificate is renewed. */
const RENEW_AT = 2 / 3;

/** Milliseconds until a certificate has to be renewed, at most until the next check; 0 without one. */
export function msUntilRenewal(certificate: Certificate | undefined, now: number): number {
  if (!certificate) return 0;
  const { begins, ends } = validityOf(certificate);
  return Math.min(MAX_WAIT_MS, Math.max(0, begins + (ends - begins) * RENEW_AT - now));
}

/** Milliseconds until the next try after this many failures in a row, respecting the authority's delay. */
export function retryDelayMs(failures: number, waitMs = 0): number {
  return Math.min(MAX_RETRY_MS, Math.max(waitMs, FIRST_RETRY_MS * 2 ** (failures - 1)));
}

/** Runs until `stop`; missing certificates are ordered immediately. */
export class Renewal {
  /** In use, by name. */
  readonly #certificates: Map<string, Certificate>;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** `stored`: the certificates with which the server listens already. */
  constructor(
    private readonly options: RenewalOptions,
    stored: readonly Certificate[],
  ) {
    this.#certificates = new Map(stored.map((each) => [each.domain, each]));
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    const failed = new Map<string, unknown>();
    let limitMs = 0;
    for (const domain of this.#due()) {
      if (limitMs > 0 || this.#isStopped) break;
      await this.#renew(domain).catch((error: unknown) => {
        failed.set(domain, error);
        if (error instanceof OrderFailed) limitMs = error.details.waitMs ?? 0;
      });
    }
    if (this.#isStopped) return;
    this.#failures = failed.size > 0 ? this.#failures + 1 : 0;
    const untilRenewal = [...this.#certificates.values()].map((each) =>
      msUntilRenewal(each, Date.now()),
    );
    const waits = untilRenewal.filter((ms) => ms > 0);
    if (failed.size > 0) waits.push(retryDelayMs(this.#failures, limitMs));
    // Without any, each is due again: the clock is ahead, or they are short-lived.
    const waitMs = waits.length > 0 ? Math.min(...waits) : HOUR;
    if (failed.size > 0) this.#reportFailure(failed, waitMs);
    else this.options.report(undefined);
    // Spreads out the requests of sites that started together.
    this.#timer = setTimeout(() => void this.#run(), waitMs * (1 + Math.random() * 0.02));
  }

  #due(): string[] {
    return this.options.domains.filter(
      (domain) => msUntilRenewal(this.#certificates.get(domain), Date.now()) === 0,
    );
  }

  async #renew(domain: string): Promise<void> {
    const { store, domains, directory, use, log, order = orderCertificate } = this.options;
    const accountKey = await store.accountKey(directory, createAccountKey);
    const certificate = { domain, ...(await order({ ...this.options, domain, accountKey })) };
    // Checked before use: an unusable certificate must not replace a working one.
    validityOf(certificate);
    await store.write(certificate).catch(() => log(NOT_STORED));
    if (this.#isStopped) return;
    const all = new Map(this.#certificates).set(domain, certificate);
    use(domains.flatMap((each) => all.get(each) ?? []));
    this.#certificates.set(domain, certificate);
    log(`HTTPS: now using a certificate for ${domain}.`, "info");
  }

  #reportFailure(failed: ReadonlyMap<string, unknown>, waitMs: number): void {
    const isMissing = [...failed.keys()].some((domain) => !this.#certificates.has(domain));
    const title =
      isMissing && this.#certificates.size > 0
        ? "One of the site's domain names isn't reachable over HTTPS yet"
        : "The certificate couldn't be renewed";
    const reasons = [...failed]
      .map(([domain, error]) => `${domain}: ${reasonOf(error)}`)
      .join("; ");
    const minutes = Math.round(waitMs / MINUTE);
    const message = `HTTPS: couldn't get a certificate (${reasons}). ${this.#state(failed)} Next attempt in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
    this.options.log(message);
    this.options.report({ title, message });
  }

  /** The certificates served now; the advice if there are none. */
  #state(failed: ReadonlyMap<string, unknown>): string {
    const current = [...this.#certificates.values()];
    if (current.length === 0) {
      const [error] = failed.values();
      const advice = error instanceof OrderFailed ? error.details.advice : undefined;
      return `Without a certificate, the site can't be reached. ${advice ?? CHECK_NAMES}`;
    }
    const ends = Math.min(...current.map((each) => validityOf(each).ends));
    const names = current.map(({ domain }) => domain).join(", ");
    return `The current one is for ${names} and expires on ${new Date(ends).toISOString()}.`;
  }
}

const reasonOf = (error: unknown) =>
  error instanceof OrderFailed ? error.message : "the order failed unexpectedly";

const NOT_STORED =
  "HTTPS: the certificate couldn't be stored in CERTIFICATES_DIR. A new one is requested at the next start.";
const CHECK_NAMES =
  "Check that every domain name in DOMAIN points to this machine, and that port 80 is open.";
