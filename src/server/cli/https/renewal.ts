/**
 * Keeps a certificate valid: orders the first one, and a new one after two thirds of its life. A name that isn't
 * ready doesn't hold up the others.
 */
import type { Log } from "../../shared/log.ts";
import { HOUR, MINUTE, SECOND } from "../../shared/time.ts";
import {
  accountKey,
  type Certificate,
  type CertificateProblem,
  type CertificateStore,
  noteProblem,
  validityOf,
  writeCertificate,
} from "./certificateStore.ts";
import { OrderFailed, orderCertificate, type OrderOptions } from "./order.ts";

export interface RenewalOptions extends Omit<OrderOptions, "accountKey"> {
  readonly store: CertificateStore;
  /** Starts listening with a new certificate. Throws `ListenFailed`. */
  readonly use: (certificate: Certificate) => void;
  /** Default: by ACME. */
  readonly order?: typeof orderCertificate;
  /** Writes a line for the operator. */
  readonly log: Log;
  /** Shows the owner why there is no new certificate, or why it isn't used; undefined once it is. */
  readonly report: (problem: CertificateProblem | undefined) => void;
}

/** There is a certificate, but the server can't listen with it: not the authority's fault. */
export class ListenFailed extends Error {
  /** `serving`: the previous certificate, if it is still in use. */
  constructor(
    readonly port: number,
    readonly serving: Certificate | undefined,
    cause: unknown,
  ) {
    super(`port ${port} can't be listened on`, { cause });
  }
}

/** How often to check, since a machine may have slept. */
const MAX_WAIT_MS = 12 * HOUR;

/** The wait after a first failure; it doubles with each further one, up to a day. */
const FIRST_RETRY_MS = 15 * MINUTE;
const MAX_RETRY_MS = 24 * HOUR;

/** The part of its life after which a certificate is renewed, and after which one with fewer names may replace it. */
const RENEW_AT = 2 / 3;
const REPLACE_AT = 5 / 6;

/** Milliseconds until a certificate has to be renewed, at most until the next check; 0 without one. */
export function msUntilRenewal(
  certificate: Certificate | undefined,
  now: number,
  part = RENEW_AT,
): number {
  if (!certificate) return 0;
  const { begins, ends } = validityOf(certificate);
  return Math.min(MAX_WAIT_MS, Math.max(0, begins + (ends - begins) * part - now));
}

/** Milliseconds until the next try after this many failures in a row, respecting the authority's delay. */
export function retryDelayMs(failures: number, waitMs = 0): number {
  return Math.min(MAX_RETRY_MS, Math.max(waitMs, FIRST_RETRY_MS * 2 ** (failures - 1)));
}

/** Runs until `stop`; the first certificate is ordered immediately. */
export class Renewal {
  /** The newest one, which may wait for the port. */
  #newest: Certificate | undefined;
  #inUse: Certificate | undefined;
  #failures = 0;
  #reported: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(
    private readonly options: RenewalOptions,
    /** The stored certificate, with which the server listens already. */
    stored: Certificate | undefined,
  ) {
    this.#newest = this.#inUse = stored;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    const waitMs = await this.#renew().catch((error: unknown) => this.#handle(error));
    // Spreads out the requests of sites that started together.
    const delay = waitMs * (1 + Math.random() * 0.02);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** Returns milliseconds until the next check. Throws `OrderFailed` and `ListenFailed`. */
  async #renew(): Promise<number> {
    const now = Date.now();
    if (
      !this.#newest ||
      !this.#hasAllNames(this.#newest) ||
      msUntilRenewal(this.#newest, now) === 0
    )
      await this.#orderAll();
    else this.#use(this.#newest);
    return msUntilRenewal(this.#newest, Date.now());
  }

  /** Orders for all names. If some aren't ready it orders for the others meanwhile, but still throws. */
  async #orderAll(): Promise<void> {
    const { domains } = this.options;
    try {
      await this.#order(domains);
    } catch (error) {
      const ready = readyNames(error, domains, this.#newest);
      if (ready.length > 0 && !isEnough(this.#newest, ready)) await this.#order(ready);
      throw error;
    }
  }

  async #order(domains: readonly string[]): Promise<void> {
    const { store, directory, log, order = orderCertificate } = this.options;
    const key = await accountKey(store, directory);
    const issued = await order({ ...this.options, domains, accountKey: key });
    const certificate = { ...issued, domains };
    // Checked before use: an unusable certificate must not replace a working one.
    validityOf(certificate);
    await writeCertificate(store, certificate).catch(() => log(NOT_STORED));
    this.#newest = certificate;
    this.#use(certificate);
  }

  #use(certificate: Certificate): void {
    if (this.#isStopped || certificate.chain === this.#inUse?.chain) return;
    this.options.use(certificate);
    this.#inUse = certificate;
    this.options.log(
      `HTTPS: now using a certificate for ${certificate.domains.join(", ")}.`,
      "info",
    );
    if (!this.#hasAllNames(certificate)) return;
    this.#failures = 0;
    this.#reported = undefined;
    this.#tell(undefined);
  }

  /** Returns milliseconds until the next try. */
  #handle(error: unknown): number {
    if (error instanceof ListenFailed) return this.#handleListening(error);
    this.#failures++;
    const {
      waitMs,
      refusedNames,
      advice = CHECK_NAMES,
    } = error instanceof OrderFailed ? error.details : {};
    let retryMs = retryDelayMs(this.#failures, waitMs);
    // The certificate in use is renewed in time, however long it waits for a name that isn't ready.
    if (refusedNames) {
      const [renewIn, replaceIn] = [RENEW_AT, REPLACE_AT].map((part) =>
        msUntilRenewal(this.#newest, Date.now(), part),
      );
      retryMs = Math.min(retryMs, renewIn || replaceIn || retryMs);
    }
    const isPartial = this.#inUse && !this.#hasAllNames(this.#inUse);
    this.#report(
      isPartial
        ? "A name of the site isn't reachable over HTTPS yet"
        : "The certificate couldn't be renewed",
      `HTTPS: couldn't get a certificate (${reasonOf(error)}). ${this.#state(`Until there is one, the site can't be reached. ${advice}`)} Next attempt in ${Math.round(retryMs / MINUTE)} minutes.`,
    );
    return retryMs;
  }

  /** Retries soon, as the authority isn't involved; less often if it interrupts the previous certificate. */
  #handleListening({ port, serving }: ListenFailed): number {
    this.#inUse = serving;
    const text = `HTTPS: there is a certificate, but the site can't listen on port ${port} with it. ${this.#state(CHECK_PORT)} Limelight keeps trying.`;
    if (text !== this.#reported) this.#report("The new certificate isn't in use", text);
    return serving ? MINUTE : SECOND;
  }

  #report(title: string, message: string): void {
    this.#reported = message;
    this.options.log(message);
    this.#tell({ title, message });
  }

  #tell(problem: CertificateProblem | undefined): void {
    const { store, log, report } = this.options;
    report(problem);
    void noteProblem(store, problem).catch(() => log(NOT_NOTED));
  }

  #hasAllNames(certificate: Certificate): boolean {
    return certificate.domains.join() === this.options.domains.join();
  }

  /** What is served now; `withoutOne` if nothing is. */
  #state(withoutOne: string): string {
    if (!this.#inUse) return withoutOne;
    const ends = new Date(validityOf(this.#inUse).ends).toISOString();
    return `The current one is for ${this.#inUse.domains.join(", ")} and expires on ${ends}.`;
  }
}

/** Whether a certificate covers all these names and isn't due yet. */
function isEnough(certificate: Certificate | undefined, names: readonly string[]): boolean {
  if (!certificate || !names.every((name) => certificate.domains.includes(name))) return false;
  const part = certificate.domains.length > names.length ? REPLACE_AT : RENEW_AT;
  return msUntilRenewal(certificate, Date.now(), part) > 0;
}

/** The names that a failed order didn't reject; if it names none, those that had a certificate before. */
function readyNames(
  error: unknown,
  domains: readonly string[],
  newest: Certificate | undefined,
): readonly string[] {
  if (!(error instanceof OrderFailed)) return [];
  const { refusedNames } = error.details;
  const ready = domains.filter((name) =>
    refusedNames ? !refusedNames.has(name) : newest?.domains.includes(name),
  );
  return ready.length < domains.length ? ready : [];
}

const reasonOf = (error: unknown) =>
  error instanceof OrderFailed ? oneLine(error.message) : "the order failed unexpectedly";

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 500).trim();

const NOT_STORED =
  "HTTPS: the certificate couldn't be stored in CERTIFICATES_DIR. The next start orders another.";
const NOT_NOTED =
  "HTTPS: CERTIFICATES_DIR can't be written to, so \"limelight doctor\" can't report the last problem.";
const CHECK_PORT =
  "Until then, the site can't be reached. Check whether another program uses that port.";
const CHECK_NAMES =
  "Check that every name of DOMAIN leads to this machine, and that port 80 is open.";
