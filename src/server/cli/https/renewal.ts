/**
 * Keeps a certificate valid: orders the first one, and a new one after two thirds of its life. A name that isn't
 * ready doesn't hold up the others. Of several instances one orders, and all use its certificate.
 */
import type { Instances } from "../../shared/instances.ts";
import type { Log } from "../../shared/log.ts";
import { type GoesOn, siteJob } from "../../shared/siteJob.ts";
import type { ChallengeAnswers } from "./challengeAnswers.ts";
import {
  accountKey,
  type CertificateStorage,
  keepCertificate,
  type KeptCertificate,
  lifeOf,
  readCertificate,
} from "./keptCertificate.ts";
import { NamesRefused, orderCertificate, RateLimited } from "./order.ts";
import { HOUR, MINUTE, SECOND } from "../../shared/time.ts";
import { messageOf } from "../../shared/caught.ts";

export interface RenewalOptions {
  readonly storage: CertificateStorage;
  /** One of them orders at a time, and all use its certificate. */
  readonly instances: Instances;
  readonly directory: string;
  readonly email: string | undefined;
  readonly domains: readonly string[];
  /** The responses on port 80 during an order. */
  readonly answers: ChallengeAnswers;
  /** Starts listening with a new certificate. Throws `CannotListen`. */
  readonly use: (certificate: KeptCertificate) => void;
  /** Writes a line for the operator. */
  readonly log: Log;
  /** Tells the owner why there is no new certificate, or why it isn't used; undefined once it is. */
  readonly trouble: (trouble: Trouble | undefined) => void;
}

interface Trouble {
  readonly title: string;
  readonly message: string;
}

/** There is a certificate, but the server can't listen with it: not the authority's fault. */
export class CannotListen extends Error {
  /** `serving`: the previous certificate, if it is still in use. */
  constructor(
    readonly port: number,
    readonly serving: KeptCertificate | undefined,
    cause: unknown,
  ) {
    super(reasonOf(cause), { cause });
  }
}

/** How often to check, since a machine may have slept. */
const LOOK_EVERY = 12 * HOUR;

/** How soon to check whether another instance got a certificate, or died. */
const LOOK_AGAIN = 5000;

/** The wait after a first failure; it doubles with each further one, up to a day. */
const FIRST_RETRY = 15 * MINUTE;
const LONGEST_RETRY = 24 * HOUR;

/** The part of its life after which a certificate is renewed, and after which one with fewer names may replace it. */
const RENEWED = 2 / 3;
const GIVES_WAY = 5 / 6;

/** Milliseconds until a certificate has to be renewed, at most until the next check; 0 without one. */
export function dueIn(
  certificate: KeptCertificate | undefined,
  now: number,
  part = RENEWED,
): number {
  if (!certificate) return 0;
  const { begins, ends } = lifeOf(certificate);
  return Math.min(LOOK_EVERY, Math.max(0, begins + (ends - begins) * part - now));
}

/** Whether a certificate covers all these names and isn't due yet. */
function isEnough(certificate: KeptCertificate | undefined, names: readonly string[]): boolean {
  if (!certificate || !names.every((name) => certificate.domains.includes(name))) return false;
  const part = certificate.domains.length > names.length ? GIVES_WAY : RENEWED;
  return dueIn(certificate, Date.now(), part) > 0;
}

/** Milliseconds until the next try after this many failures in a row, respecting the authority's delay. */
export function retryIn(failures: number, error?: unknown): number {
  const least = error instanceof RateLimited ? error.wait : 0;
  return Math.min(LONGEST_RETRY, Math.max(least, FIRST_RETRY * 2 ** (failures - 1)));
}

/** Runs until `stop`; the first certificate is ordered immediately. */
export function keepRenewing(options: RenewalOptions, kept: KeptCertificate | undefined) {
  const { storage, domains, instances } = options;
  let newest = kept;
  let inUse = kept;
  let failures = 0;
  let reported: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wait = (ms: number) => {
    clearTimeout(timer);
    // Spreads out the requests of sites that started together.
    if (!rounds.isStopping()) timer = setTimeout(rounds.wake, ms * (1 + Math.random() * 0.02));
  };
  const use = (next: KeptCertificate) => {
    if (next.chain === inUse?.chain || rounds.isStopping()) return;
    options.use(next);
    inUse = next;
    options.log(`HTTPS: a certificate for ${next.domains.join(", ")} is in use.`, "info");
    if (!isWhole(next)) return;
    failures = 0;
    reported = undefined;
    options.trouble(undefined);
  };
  const isWhole = (certificate: KeptCertificate) => certificate.domains.join() === domains.join();
  /**
   * Uses a certificate from another instance, or one that couldn't be used before. Returns whether it is sufficient.
   */
  const takeOver = async () => {
    const there = await readCertificate(storage, domains, Date.now()).catch(() => undefined);
    if (there && dueIn(there, Date.now()) > 0) newest = there;
    if (!newest || dueIn(newest, Date.now()) === 0) return false;
    use(newest);
    return isWhole(newest);
  };
  const have = async (names: readonly string[]) => {
    newest = await ordered({ ...options, domains: names });
    if (isWhole(newest)) instances.publish(TOPIC, ["new"]);
    use(newest);
  };
  /** Orders for all names. If some aren't ready it orders for the others meanwhile, but still throws. */
  async function order(): Promise<void> {
    try {
      await have(domains);
    } catch (error) {
      const ready = readyAfter(error, domains, newest);
      if (ready.length > 0 && !isEnough(newest, ready)) await have(ready);
      throw error;
    }
  }
  const untilDue = () => wait(dueIn(newest, Date.now()));
  async function round(goesOn: GoesOn): Promise<void> {
    if (!(await takeOver())) {
      if (!(await goesOn())) return wait(LOOK_AGAIN);
      await order();
    }
    untilDue();
  }
  /** Retries soon, as the authority isn't involved; less often if it interrupts the previous certificate. */
  function listenLater(error: CannotListen): void {
    inUse = error.serving;
    const message = `HTTPS: there is a certificate, but port ${error.port} can't be listened on with it (${error.message}). ${stateOf(inUse, NOT_LISTENING)} Limelight keeps trying.`;
    if (message !== reported) report(NOT_USED, message);
    wait(inUse ? MINUTE : SECOND);
  }
  function report(title: string, message: string): void {
    reported = message;
    options.log(message);
    options.trouble({ title, message });
  }
  /** Renews the certificate in use in time, however long it waits for a name that isn't ready. */
  function pauseAfter(error: unknown): number {
    const pause = retryIn(failures, error);
    if (!(error instanceof NamesRefused)) return pause;
    const [renewed, givesWay] = [RENEWED, GIVES_WAY].map((part) => dueIn(newest, Date.now(), part));
    return Math.min(pause, renewed || givesWay || pause);
  }
  /** All instances share the authority's limits. The failed order may still have given a certificate for some names. */
  async function triedElsewhere(count: number, pause: number): Promise<void> {
    if (await takeOver().catch(() => false)) return;
    failures = count;
    wait(pause);
  }
  const rounds = siteJob({
    instances,
    name: "certificate",
    every: LOOK_EVERY,
    round,
    failed(error) {
      if (error instanceof CannotListen) return listenLater(error);
      failures += 1;
      const pause = pauseAfter(error);
      report(inUse && !isWhole(inUse) ? NAME_MISSING : NOT_RENEWED, failure(error, pause, inUse));
      instances.publish(TOPIC, ["failed", failures, pause]);
      wait(pause);
    },
    elsewhere: async () => ((await takeOver()) ? untilDue() : wait(LOOK_AGAIN)),
  });
  instances.subscribe(TOPIC, ([what, count, pause]) => {
    if (what === "new") rounds.wake();
    else void triedElsewhere(Number(count), Number(pause));
  });
  rounds.wake();
  return {
    stop() {
      clearTimeout(timer);
      void rounds.stop();
    },
  };
}

/** The instances' messages about it. */
const TOPIC = "certificate";

async function ordered(options: RenewalOptions): Promise<KeptCertificate> {
  const { storage, directory, domains } = options;
  const key = await accountKey(storage, directory);
  const certificate = { ...(await orderCertificate({ ...options, accountKey: key })), domains };
  // Checked before use: an unusable certificate must not replace a working one.
  lifeOf(certificate);
  await keepCertificate(storage, certificate).catch(() =>
    options.log(
      `HTTPS: the certificate couldn't be kept in ${storage.called}. The next start orders another.`,
    ),
  );
  return certificate;
}

/** The names that a failed order didn't reject; if it names none, those that had a certificate before. */
function readyAfter(
  error: unknown,
  domains: readonly string[],
  newest: KeptCertificate | undefined,
): readonly string[] {
  if (error instanceof CannotListen) return [];
  const ready =
    error instanceof NamesRefused
      ? domains.filter((name) => !error.reasons.has(name))
      : domains.filter((name) => newest?.domains.includes(name));
  return ready.length < domains.length ? ready : [];
}

function failure(error: unknown, wait: number, inUse: KeptCertificate | undefined): string {
  return `HTTPS: no certificate could be had (${reasonOf(error)}). ${stateOf(inUse, NOTHING_YET)} The next try is in ${Math.round(wait / MINUTE)} minutes.`;
}

const reasonOf = (error: unknown) => messageOf(error).replaceAll(/\s+/g, " ").slice(0, 500).trim();

const stateOf = (inUse: KeptCertificate | undefined, without: string) =>
  inUse
    ? `The one in use is for ${inUse.domains.join(", ")} and good until ${new Date(lifeOf(inUse).ends).toISOString()}.`
    : without;

const NOT_RENEWED = "The certificate couldn't be renewed";
const NAME_MISSING = "A name of the site isn't reachable over HTTPS yet";
const NOT_USED = "The new certificate isn't in use";
const NOT_LISTENING =
  "Until it can, the site can't be reached: see whether another program holds that port.";
const NOTHING_YET =
  "Until there is one, the site can't be reached: check that every name of DOMAIN leads to this machine, and that port 80 is open.";
