/** Keeps a certificate good: has the first one, and a new one when two thirds of its life are over. */
import { accountKey, keepCertificate, type KeptCertificate, lifeOf } from "./keptCertificate.ts";
import { orderCertificate } from "./order.ts";

export interface RenewalOptions {
  readonly folder: string;
  readonly directory: string;
  readonly email: string | undefined;
  readonly domains: readonly string[];
  /** What port 80 answers while an order is under way. */
  readonly answers: Map<string, string>;
  /** Told of each new one. */
  readonly use: (certificate: KeptCertificate) => void;
  /** A line for the operator. */
  readonly log: (line: string) => void;
  /** For the owner: why there is no new one; undefined once there is. */
  readonly trouble: (message: string | undefined) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Looked at this often, since a machine may have slept. */
const LOOK_EVERY = 12 * HOUR;

/** The first try after a failure; each further one waits twice as long, up to a day. */
const FIRST_RETRY = 15 * MINUTE;
const LONGEST_RETRY = 24 * HOUR;

/** Milliseconds until a certificate is to be renewed, at most until the next look; 0 for none. */
export function dueIn(certificate: KeptCertificate | undefined, now: number): number {
  if (!certificate) return 0;
  const { begins, ends } = lifeOf(certificate);
  return Math.min(LOOK_EVERY, Math.max(0, begins + ((ends - begins) * 2) / 3 - now));
}

/** Milliseconds until the next try after so many failures in a row. */
export const retryIn = (failures: number): number =>
  Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (failures - 1));

/** Goes on until `stop`; the first certificate is ordered at once. */
export function keepRenewing(options: RenewalOptions, kept: KeptCertificate | undefined) {
  let certificate = kept;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const wait = (ms: number) => {
    // Sites that started together don't ask together.
    if (!isOver) timer = setTimeout(() => void go(), ms * (1 + Math.random() * 0.02));
  };
  const go = async (): Promise<void> => {
    if (dueIn(certificate, Date.now()) > 0) return wait(dueIn(certificate, Date.now()));
    try {
      certificate = await ordered(options);
      failures = 0;
      options.trouble(undefined);
      if (isOver) return;
      options.use(certificate);
      options.log(`HTTPS: a certificate for ${options.domains.join(", ")} is in use.`);
      wait(dueIn(certificate, Date.now()));
    } catch (error) {
      failures += 1;
      const words = failure(error, retryIn(failures), certificate);
      options.log(words);
      options.trouble(words);
      wait(retryIn(failures));
    }
  };
  void go();
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function ordered(options: RenewalOptions): Promise<KeptCertificate> {
  const { folder, directory, domains } = options;
  const key = await accountKey(folder, directory);
  const certificate = { ...(await orderCertificate({ ...options, accountKey: key })), domains };
  // Before it is used: one that can't be served must not take the place of one that can.
  lifeOf(certificate);
  await keepCertificate(folder, certificate).catch(() =>
    options.log(
      `HTTPS: the certificate couldn't be kept in ${folder}. The next start orders another.`,
    ),
  );
  return certificate;
}

function failure(error: unknown, wait: number, inUse: KeptCertificate | undefined): string {
  const reason = (error as Error).message.replaceAll(/\s+/g, " ").slice(0, 500);
  const state = inUse
    ? `The one in use is good until ${new Date(lifeOf(inUse).ends).toISOString()}.`
    : NOTHING_YET;
  return `HTTPS: no certificate could be had (${reason}). ${state} The next try is in ${Math.round(wait / MINUTE)} minutes.`;
}

const NOTHING_YET =
  "Until there is one, the site can't be reached: check that every name of DOMAIN leads to this machine, and that port 80 is open.";
