/**
 * Orders a certificate for each of the site's names, and renews it after two thirds of its lifetime. Every name has its
 * own certificate, so a name whose DNS isn't ready doesn't delay the others.
 */
import type { Log } from "../../shared/log.ts";
import type { Notice } from "../../shared/notice.ts";
import { HOUR, MINUTE } from "../../shared/time.ts";
import {
  type Certificate,
  type CertificateStore,
  isUsable,
  readValidity,
} from "./certificateStore.ts";
import {
  createAccountKey,
  OrderError,
  orderCertificate,
  type OrderOptions,
} from "./orderCertificate.ts";

export interface RenewalOptions extends Omit<OrderOptions, "accountKey" | "domain"> {
  readonly store: CertificateStore;
  /** The site's domain names. The first one is in the site's URL. */
  readonly domains: readonly string[];
  readonly useCertificates: (certificates: readonly Certificate[]) => void;
  readonly order?: typeof orderCertificate;
  readonly log: Log;
  /** Called with the problem after a failure, and with undefined once every name has a certificate. */
  readonly reportProblem: (problem: Pick<Notice, "title" | "message"> | undefined) => void;
}

/** The maximum time between two checks. Timers pause while the machine sleeps, so a longer timer could end too late. */
const MAX_CHECK_INTERVAL_MS = 12 * HOUR;
/** The wait after the first failure. It doubles with each further failure, up to `MAX_RETRY_MS`. */
const FIRST_RETRY_MS = 15 * MINUTE;
const MAX_RETRY_MS = 24 * HOUR;
const RENEW_AT_LIFETIME_FRACTION = 2 / 3;

/** Returns the milliseconds until the renewal, at most `MAX_CHECK_INTERVAL_MS`; 0 without a certificate. */
export function computeMsUntilRenewal(certificate: Certificate | undefined, now: number): number {
  if (!certificate) return 0;
  const { startsAt, endsAt } = readValidity(certificate);
  return Math.min(
    MAX_CHECK_INTERVAL_MS,
    Math.max(0, startsAt + (endsAt - startsAt) * RENEW_AT_LIFETIME_FRACTION - now),
  );
}

/** Returns the delay before the next order: at least the authority's `waitMs`, but at most `MAX_RETRY_MS`. */
export function computeRetryDelayMs(failures: number, waitMs = 0): number {
  return Math.min(MAX_RETRY_MS, Math.max(waitMs, FIRST_RETRY_MS * 2 ** (failures - 1)));
}

interface Failure {
  /** The number of orders that failed in a row. */
  readonly count: number;
  readonly error: unknown;
  /** The time of the next order, by `performance.now()`. */
  readonly retryAt: number;
}

/** Renews certificates until `stop` is called. The constructor starts the first check. */
export class CertificateRenewal {
  readonly #certificates: Map<string, Certificate>;
  readonly #failures = new Map<string, Failure>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(
    private readonly options: RenewalOptions,
    inUse: readonly Certificate[],
  ) {
    this.#certificates = new Map(inUse.map((each) => [each.domain, each]));
    void this.#renewDue();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #renewDue(): Promise<void> {
    const { domains, reportProblem } = this.options;
    let hasFailed = false;
    for (const domain of domains) {
      if (this.#computeWaitMs(domain) > 0) continue;
      try {
        await this.#renewCertificate(domain); // oxlint-disable-line no-await-in-loop -- one order at a time
        this.#failures.delete(domain);
      } catch (error) {
        this.#recordFailure(domain, error);
        hasFailed = true;
      }
      if (this.#isStopped) return;
    }
    // Waits an hour if a new certificate is due already: its lifetime is very short, or the clock is ahead.
    const waitMs = Math.min(...domains.map((domain) => this.#computeWaitMs(domain) || HOUR));
    if (hasFailed) this.#reportFailures();
    else if (this.#failures.size === 0) reportProblem(undefined);
    // A random part of the delay spreads the requests of sites that started at the same time.
    this.#timer = setTimeout(() => void this.#renewDue(), waitMs * (1 + Math.random() * 0.02));
  }

  /** Returns the milliseconds until a name's next order or check; 0 if an order is due. */
  #computeWaitMs(domain: string): number {
    const msUntilRenewal = computeMsUntilRenewal(this.#certificates.get(domain), Date.now());
    const retryAt = this.#failures.get(domain)?.retryAt ?? 0;
    return Math.max(msUntilRenewal, retryAt - performance.now(), 0);
  }

  #recordFailure(domain: string, error: unknown): void {
    const count = (this.#failures.get(domain)?.count ?? 0) + 1;
    const waitMs = error instanceof OrderError ? error.details.waitMs : 0;
    const retryAt = performance.now() + computeRetryDelayMs(count, waitMs);
    this.#failures.set(domain, { count, error, retryAt });
  }

  async #renewCertificate(domain: string): Promise<void> {
    const { store, domains, useCertificates, log } = this.options;
    // If the server failed to listen with the stored certificate, this run tries it again.
    const stored = await store.readCertificate(domain);
    const isStored = stored && computeMsUntilRenewal(stored, Date.now()) > 0;
    const certificate = isStored ? stored : await this.#orderAndStore(domain);
    if (this.#isStopped) return;
    const certificates = new Map(this.#certificates).set(domain, certificate);
    useCertificates(domains.flatMap((each) => certificates.get(each) ?? []));
    this.#certificates.set(domain, certificate);
    log(`HTTPS: now using a certificate for ${domain}.`, "info");
  }

  async #orderAndStore(domain: string): Promise<Certificate> {
    const { store, directoryUrl, log, order = orderCertificate } = this.options;
    const msSinceUnusable = Date.now() - ((await store.readUnusableStoredAt(domain)) ?? 0);
    if (msSinceUnusable >= 0 && msSinceUnusable < MAX_RETRY_MS)
      throw createUnusableError(MAX_RETRY_MS - msSinceUnusable);
    const accountKey = await store.getOrCreateAccountKey(directoryUrl, createAccountKey);
    const certificate = { domain, ...(await order({ ...this.options, domain, accountKey })) };
    if (!isUsable(certificate)) {
      // A restart within a day finds this file and orders no certificate: authorities issue only a few per week.
      await store.writeUnusableCertificate(certificate).catch(() => log(NOT_STORED_MESSAGE));
      throw createUnusableError(MAX_RETRY_MS);
    }
    await store.writeCertificate(certificate).catch(() => log(NOT_STORED_MESSAGE));
    return certificate;
  }

  #reportFailures(): void {
    const failures = [...this.#failures];
    const isMissing = failures.some(([domain]) => !this.#certificates.has(domain));
    const title = !isMissing
      ? "The certificate couldn't be renewed"
      : this.#certificates.size > 0
        ? "One of the site's domain names isn't reachable over HTTPS yet"
        : "The site has no certificate yet";
    const reasons = failures.map(([domain, { error }]) => `${domain}: ${getFailureReason(error)}`);
    const retryAt = Math.min(...failures.map(([, failure]) => failure.retryAt));
    const minutes = Math.round((retryAt - performance.now()) / MINUTE);
    const message = `HTTPS: couldn't get a certificate (${reasons.join("; ")}). ${this.#describeState()} Next attempt in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
    this.options.log(message);
    this.options.reportProblem({ title, message });
  }

  /** Returns a sentence about the certificates in use or, if there are none, about what to do. */
  #describeState(): string {
    const current = [...this.#certificates.values()];
    if (current.length === 0) {
      const [failure] = this.#failures.values();
      const advice = failure?.error instanceof OrderError && failure.error.details.advice;
      return `Without a certificate, the site can't be reached. ${advice || CHECK_NAMES_ADVICE}`;
    }
    const ends = new Date(Math.min(...current.map((each) => readValidity(each).endsAt)));
    const names = current.map(({ domain }) => domain).join(", ");
    return current.length === 1
      ? `The current certificate is for ${names} and expires on ${ends.toISOString()}.`
      : `The current certificates are for ${names}. The first of them expires on ${ends.toISOString()}.`;
  }
}

const getFailureReason = (error: unknown) =>
  error instanceof OrderError ? error.message : "the order failed unexpectedly";

const createUnusableError = (waitMs: number) =>
  new OrderError("this server can't use the certificate that was issued", {
    waitMs,
    advice:
      'The certificate is stored in CERTIFICATES_DIR, in the file whose name begins with "unusable-". To order a new one right away, delete that file and restart the site.',
  });
const NOT_STORED_MESSAGE =
  "HTTPS: the certificate couldn't be stored in CERTIFICATES_DIR, so another one is ordered at the next start. Check that the folder is writable and its disk has free space.";
const CHECK_NAMES_ADVICE =
  "Check that every domain name in DOMAIN points to this machine, and that port 80 is open.";
