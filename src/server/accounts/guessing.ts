/** How guessing passwords and codes is slowed down, without keeping the owner out. */
import { networksOf, type Visitor, widestNetworkOf } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Instances, onlyInstance, type Said } from "../shared/instances.ts";
import { type Counter, counters, type Counters, type Patience } from "./tries.ts";
import { MINUTE, SECOND } from "../shared/time.ts";

/** What a try is counted by besides its address. */
export interface Standing {
  /** What a browser or a session is known by: counted on its own, and nobody else's tries hold it up. */
  readonly known?: string;
  /** What a stranger's browser was given when it had to wait: the line is open to it as well. */
  readonly waiting?: string;
}

/** A try that may be made, counted as failed until it is said otherwise. */
interface Try {
  succeeded(): void;
}

/** Counts the tries of a site. Each is counted before anything is awaited. */
export interface LoginThrottle {
  /** Resolves when a try may be made; throws a 429 with Retry-After when it may not. */
  attempt(visitor: Visitor, standing?: Standing): Promise<Try>;
  /**
   * The same for a code of six digits, by who knows the password of this user and whose browser is not
   * known. Such codes are soon guessed from many addresses, so the account has a wait of its own; it
   * doesn't hold for the first try in an hour from a network, up to a number.
   */
  attemptCode(visitor: Visitor, userId: string): Try;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly enabled: boolean;
  /** Default: by the system's clock. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Default: no others. Tries at one are tries at all. */
  readonly instances?: Pick<Instances, "tell" | "hear">;
}

const TOO_MANY_TRIES = "Too many tries. Please wait a moment and try again.";

const OWN: Patience = { free: 5, longestWait: 2 * MINUTE };
const NETWORK: Patience = { free: 20, longestWait: MINUTE };

/** What is counted, and how patiently. */
const PATIENCE = {
  known: OWN,
  /** An IPv4 address, or a /64 of IPv6. */
  address: OWN,
  /** A /24 or a /56, whose other users have done nothing. */
  network: NETWORK,
  /** A /48. */
  wide: NETWORK,
  /** A browser that was asked to wait and came back. */
  waiting: { free: 1, longestWait: 2 * MINUTE },
  /** All such browsers of a /24 or a /48. */
  line: { free: 1, longestWait: MINUTE },
  /** The codes for an account: 288 a day. */
  codes: { free: 5, longestWait: 5 * MINUTE },
  /** Those from networks that hadn't tried any: 480 a day. */
  firstCodes: { free: 20, longestWait: 3 * MINUTE },
  /** Tells only whether a network has. */
  codeNetwork: { free: Number.POSITIVE_INFINITY, longestWait: 0 },
} as const satisfies Record<string, Patience>;

type Kind = keyof typeof PATIENCE;
type Way = readonly Counter<Kind>[];

/** Those that belong to one account or browser are forgotten when it proves itself; of others one is taken back. */
const FORGOTTEN: readonly Kind[] = ["known", "codes", "firstCodes", "codeNetwork"];

/**
 * An address has five free tries, then a wait that doubles up to two minutes; its networks have twenty, then
 * up to a minute. A network's wait doesn't hold for the first try from a smaller network inside it, and
 * strangers' tries from everywhere only delay those of other strangers. Whoever shares an address with
 * somebody who never stops has a second way: a browser that was refused is given a cookie, and comes in by
 * the line of its network. That makes 730 guesses a day from an address, and 1,440 by a network's line, at
 * passwords of 12 characters that aren't common; none of them holds up a known browser, a passkey or a link
 * by mail (docs/threats.md, "Who guesses, in figures").
 */
export function loginThrottle({
  clock,
  enabled,
  sleep = Bun.sleep,
  instances = onlyInstance,
}: ThrottleOptions): LoginThrottle {
  const free = { succeeded() {} };
  if (!enabled) return { attempt: async () => free, attemptCode: () => free };
  const all = counters(PATIENCE, clock);
  const strangers = siteDelay();
  const succeed = (way: Way) => {
    for (const each of way)
      if (FORGOTTEN.includes(each.kind)) all.forget(each);
      else all.takeBack(each);
    if (isStranger(way)) strangers.takeBack();
  };
  const count = (way: Way) => {
    for (const each of way) all.count(each);
    return isStranger(way) ? strangers.add(clock()) : undefined;
  };
  instances.hear(TOPIC, ([what, ...said]) => {
    const way = wayOf(said);
    if (what === "succeeded") succeed(way);
    else count(way);
  });
  /** Counts a try by the first of these that lets it through. */
  const take = (ways: readonly (Open | undefined)[]) => {
    const possible = ways.filter((way) => way !== undefined);
    const open = possible.find(({ wait }) => wait === 0);
    if (!open) {
      const wait = Math.min(...possible.map((way) => way.wait));
      throw tooManyRequests(TOO_MANY_TRIES, wait / SECOND);
    }
    const { way } = open;
    const delay = count(way);
    instances.tell(TOPIC, ["tried", ...saidOf(way)]);
    const succeeded = () => {
      succeed(way);
      instances.tell(TOPIC, ["succeeded", ...saidOf(way)]);
    };
    return { delay, succeeded };
  };
  return {
    async attempt({ address }, { known, waiting } = {}) {
      const ways = known === undefined ? strangersWays(all, address, waiting) : [own(all, known)];
      const { delay, succeeded } = take(ways);
      if (delay !== undefined) await sleep(delay);
      return { succeeded };
    },
    attemptCode: ({ address }, userId) => take(codeWays(all, address, userId)),
  };
}

const TOPIC = "logins";
/** Between the kind and the key of a counter that is told of; neither has a line break. */
const BETWEEN = "\n";

const saidOf = (way: Way): Said => way.map(({ kind, key }) => kind + BETWEEN + key);

const wayOf = (said: Said): Way =>
  said.flatMap((each) => {
    const [kind = "", key = ""] = String(each).split(BETWEEN);
    return isKind(kind) ? { kind, key } : [];
  });

/** An instance of another release may tell of others. */
const isKind = (name: string): name is Kind => Object.hasOwn(PATIENCE, name);

const isStranger = (way: Way) => way.some(({ kind }) => kind === "address" || kind === "line");

/** A way in, and the milliseconds until it is open. */
interface Open {
  readonly way: Way;
  readonly wait: number;
}

type All = Counters<Kind>;

const own = (all: All, key: string): Open => together(all, [{ kind: "known", key }]);

/** Open when all of it is. */
const together = (all: All, way: Way): Open => ({
  way,
  wait: Math.max(...way.map((each) => all.wait(each))),
});

function strangersWays(all: All, address: string, waiting: string | undefined) {
  const networks = networksOf(address);
  const kinds = ["address", "network", "wide"] as const;
  const around = kinds.flatMap((kind, level) =>
    networks.slice(level, level + 1).map((key) => ({ kind, key })),
  );
  const line = { kind: "line", key: widestNetworkOf(address) } as const;
  return [
    { way: around, wait: longestWait(all, around) },
    waiting === undefined ? undefined : together(all, [{ kind: "waiting", key: waiting }, line]),
  ];
}

/** `way` from the narrowest to the widest, each of which spares the first try of the one before. */
function longestWait(all: All, way: Way): number {
  const waits = way.map((each, level) => {
    const before = way[level - 1];
    return before && all.isUnused(before) ? 0 : all.wait(each);
  });
  return Math.max(...waits);
}

function codeWays(all: All, address: string, userId: string) {
  const network = { kind: "codeNetwork", key: `${userId} ${widestNetworkOf(address)}` } as const;
  const first: Way = [{ kind: "firstCodes", key: userId }, network];
  return [
    together(all, [{ kind: "codes", key: userId }, network]),
    all.isUnused(network) ? together(all, first) : undefined,
  ];
}

const UNDELAYED = 20;
const FORGOTTEN_PER_MINUTE = 6;
const DELAY_STEP = 100;
const LONGEST_DELAY = 3_000;

/** How long a stranger's try is delayed: by nothing while few fail, then by up to three seconds. */
function siteDelay() {
  let level = 0;
  let last = 0;
  return {
    add(now: number): number {
      const minutes = Math.max(0, now - last) / MINUTE;
      level = Math.max(0, level - minutes * FORGOTTEN_PER_MINUTE) + 1;
      last = now;
      return Math.min(LONGEST_DELAY, Math.max(0, level - UNDELAYED) * DELAY_STEP);
    },
    takeBack(): void {
      level = Math.max(0, level - 1);
    },
  };
}
