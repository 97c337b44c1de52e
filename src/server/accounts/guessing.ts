/** Slows down guessing of passwords and codes without locking the owner out. */
import { networksOf, type Visitor, widestNetworkOf } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Instances, onlyInstance, type Payload } from "../shared/instances.ts";
import { type Counter, counters, type Counters, type Patience } from "./tries.ts";
import { MINUTE, SECOND } from "../shared/time.ts";

/** What a try is counted by, besides its address. */
export interface Standing {
  /** A known browser or session: counted separately, and not held up by others' tries. */
  readonly known?: string;
  /** The cookie of a stranger's browser that had to wait: it may also use the line. */
  readonly waiting?: string;
}

/** An admitted try, counted as failed unless it is marked as succeeded. */
interface Try {
  succeeded(): void;
}

/** Counts a site's tries, each before anything is awaited. */
export interface LoginThrottle {
  /** Resolves when a try is admitted; throws a 429 with Retry-After otherwise. */
  attempt(visitor: Visitor, standing?: Standing): Promise<Try>;
  /**
   * The same for a six-digit code, from an unknown browser with the user's correct password. Such codes are quickly
   * guessed from many addresses, so the account has a wait of its own (`codes`). While it lasts, a network's first code
   * in an hour counts for `firstCodes` instead, so that the owner can still come in.
   */
  attemptCode(visitor: Visitor, userId: string): Try;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly enabled: boolean;
  /** Default: by the system's clock. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Default: none. A try at one instance counts at every other. */
  readonly instances?: Pick<Instances, "publish" | "subscribe">;
}

const TOO_MANY_TRIES = "Too many attempts. Wait a moment, then try again.";

const OWN: Patience = { free: 5, longestWait: 2 * MINUTE };
const NETWORK: Patience = { free: 20, longestWait: MINUTE };

/** The counters, and their limits. */
const PATIENCE = {
  known: OWN,
  /** An IPv4 address, or a /64 of IPv6. */
  address: OWN,
  /** A /24 or a /56, which may include innocent users. */
  network: NETWORK,
  /** A /48. */
  wide: NETWORK,
  /** A browser that was told to wait and came back. */
  waiting: { free: 1, longestWait: 2 * MINUTE },
  /** All such browsers of a /24 or a /48. */
  line: { free: 1, longestWait: MINUTE },
  /** An account's codes: 288 a day. */
  codes: { free: 5, longestWait: 5 * MINUTE },
  /** Codes from networks without earlier tries: 480 a day. */
  firstCodes: { free: 20, longestWait: 3 * MINUTE },
  /** Only records whether a network has tried. */
  codeNetwork: { free: Number.POSITIVE_INFINITY, longestWait: 0 },
} as const satisfies Record<string, Patience>;

type Kind = keyof typeof PATIENCE;
type Way = readonly Counter<Kind>[];

/** Counters of one account or browser are reset on success; of the others one try is taken back. */
const FORGOTTEN: readonly Kind[] = ["known", "codes", "firstCodes", "codeNetwork"];

/**
 * An address has five free tries, then a wait that doubles up to two minutes; its networks have twenty, then up to a
 * minute. A network's wait doesn't apply to the first try from a smaller network inside it, and strangers' tries from
 * everywhere delay only other strangers. Whoever shares an address with a persistent attacker has a second way in: a
 * refused browser gets a cookie, and may use its network's line. That allows 730 guesses a day from an address, and
 * 1,440 by a network's line, at passwords of 12 characters that aren't common; none of them holds up a known browser,
 * a passkey or a mailed link (docs/threats.md, "Who guesses, in figures").
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
  instances.subscribe(TOPIC, ([what, ...payload]) => {
    const way = wayOf(payload);
    if (what === "succeeded") succeed(way);
    else count(way);
  });
  /** Counts a try by the first way that admits it. */
  const take = (ways: readonly (Open | undefined)[]) => {
    const possible = ways.filter((way) => way !== undefined);
    const open = possible.find(({ wait }) => wait === 0);
    if (!open) {
      const wait = Math.min(...possible.map((way) => way.wait));
      throw tooManyRequests(TOO_MANY_TRIES, wait / SECOND);
    }
    const { way } = open;
    const delay = count(way);
    instances.publish(TOPIC, ["tried", ...payloadOf(way)]);
    const succeeded = () => {
      succeed(way);
      instances.publish(TOPIC, ["succeeded", ...payloadOf(way)]);
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
/** Separates a counter's kind and key in notifications; neither contains a line break. */
const BETWEEN = "\n";

const payloadOf = (way: Way): Payload => way.map(({ kind, key }) => kind + BETWEEN + key);

const wayOf = (payload: Payload): Way =>
  payload.flatMap((each) => {
    const [kind = "", key = ""] = String(each).split(BETWEEN);
    return isKind(kind) ? { kind, key } : [];
  });

/** An instance of another release may send unknown kinds. */
const isKind = (name: string): name is Kind => Object.hasOwn(PATIENCE, name);

const isStranger = (way: Way) => way.some(({ kind }) => kind === "address" || kind === "line");

/** A way in, and the milliseconds until it opens. */
interface Open {
  readonly way: Way;
  readonly wait: number;
}

type All = Counters<Kind>;

const own = (all: All, key: string): Open => together(all, [{ kind: "known", key }]);

/** Open when all its counters are. */
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

/** `way` goes from narrow to wide; a level doesn't apply to the first try of the level before. */
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

/** The delay of a stranger's try: none while few fail, then up to three seconds. */
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
