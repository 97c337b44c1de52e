/** Slows down guessing of passwords and codes without locking the owner out. */
import { networksOf, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Channel, noChannel } from "../shared/channel.ts";
import { HOUR, MINUTE, SECOND } from "../shared/time.ts";

/** An admitted attempt, counted as failed unless it is marked as succeeded. */
interface Attempt {
  succeeded(): void;
}

/** The number of free attempts, and the limit of the doubling wait after them. */
interface BackoffLimits {
  readonly free: number;
  readonly maxWaitMs: number;
}

const ONE_SOURCE: BackoffLimits = { free: 5, maxWaitMs: 2 * MINUTE };
const NETWORK: BackoffLimits = { free: 20, maxWaitMs: MINUTE };

/**
 * The counters of an attempt, from narrow to wide: a known browser or session (`device`), an account's six-digit codes
 * (`code`), or a stranger's address (a /64 of IPv6) with the networks around it (/24, or /56 and /48).
 */
const LIMITS = {
  device: [ONE_SOURCE],
  code: [{ free: 5, maxWaitMs: 5 * MINUTE }],
  stranger: [ONE_SOURCE, NETWORK, NETWORK],
} as const satisfies Record<string, readonly BackoffLimits[]>;

type Kind = keyof typeof LIMITS;

const FIRST_WAIT_MS = 2 * SECOND;
/** After this long without an attempt, earlier ones are forgotten. */
const MEMORY_MS = HOUR;
/** Per width; beyond that the counters with the oldest attempts are evicted, one for each admitted attempt. */
const MAX_COUNTERS = 10_000;

/** The attempts of one source. */
interface Counter {
  count: number;
  last: number;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly enabled: boolean;
  /** Default: none. An attempt at one instance counts at every other. */
  readonly channel?: Channel;
}

const TOPIC = "logins";
const TOO_MANY_TRIES = "Too many attempts. Wait a moment, then try again.";

/**
 * Counts a site's attempts, each before anything is awaited. Five are free, then the wait doubles up to two minutes;
 * a network's wait doesn't apply to the first attempt from a smaller network inside it. That allows 730 guesses a day
 * from an address and 1,440 from a network, and none of them delays a known browser, a passkey or a mailed link
 * (docs/threats.md, "Who guesses, in figures").
 */
export class LoginThrottle {
  readonly #options: ThrottleOptions;
  readonly #channel: Channel;
  /** Separate by width, so that many narrow networks don't evict the wide one around them. */
  readonly #counters = new Map<string, BoundedMap<string, Counter>>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#channel = options.channel ?? noChannel;
    this.#channel.subscribe(TOPIC, ([event, kind, ...keys]) => {
      // An instance of another release may send an unknown kind.
      if (!isKind(kind)) return;
      if (event === "succeeded") this.#succeed(kind, keys.map(String));
      else this.#count(kind, keys.map(String));
    });
  }

  /** Throws a 429 with Retry-After while the source has to wait. `deviceId`: a known browser's or a session's. */
  attempt({ address }: Visitor, deviceId?: string): Attempt {
    return deviceId === undefined
      ? this.#admit("stranger", networksOf(address))
      : this.#admit("device", [deviceId]);
  }

  /**
   * The same for a six-digit code, from an unknown browser with the user's correct password. Such codes are quickly
   * guessed from many addresses, so the account has a wait of its own.
   */
  attemptCode(userId: string): Attempt {
    return this.#admit("code", [userId]);
  }

  #admit(kind: Kind, keys: readonly string[]): Attempt {
    if (!this.#options.enabled) return { succeeded() {} };
    const waits = keys.map((key, level) => this.#wait(kind, key, level, keys[level - 1]));
    const wait = Math.max(...waits);
    if (wait > 0) throw tooManyRequests(TOO_MANY_TRIES, wait / SECOND);
    this.#count(kind, keys);
    this.#channel.publish(TOPIC, ["tried", kind, ...keys]);
    return {
      succeeded: () => {
        this.#succeed(kind, keys);
        this.#channel.publish(TOPIC, ["succeeded", kind, ...keys]);
      },
    };
  }

  /** Milliseconds until another attempt. Asking stores nothing, so refused attempts evict nobody's counter. */
  #wait(kind: Kind, key: string, level: number, narrower: string | undefined): number {
    if (narrower !== undefined && this.#current(kind, narrower, level - 1) === 0) return 0;
    const { free, maxWaitMs } = limitsOf(kind, level);
    const over = this.#current(kind, key, level) - free;
    if (over < 0) return 0;
    const wait = Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** Math.min(20, over));
    const last = this.#ofWidth(kind, level).get(key)?.last ?? 0;
    return Math.max(0, last + wait - this.#options.clock());
  }

  #count(kind: Kind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const count = this.#current(kind, key, level) + 1;
      this.#ofWidth(kind, level).set(key, { count, last: this.#options.clock() });
    }
  }

  /** Resets the counter of one account or browser; on a shared one, uncounts this attempt. */
  #succeed(kind: Kind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const counters = this.#ofWidth(kind, level);
      const counter = counters.get(key);
      if (kind !== "stranger") counters.delete(key);
      else if (counter) counter.count = Math.max(0, counter.count - 1);
    }
  }

  #current(kind: Kind, key: string, level: number): number {
    const counter = this.#ofWidth(kind, level).get(key);
    if (!counter) return 0;
    const now = this.#options.clock();
    // A clock that was set back must not lock anybody out until it catches up.
    counter.last = Math.min(counter.last, now);
    return now - counter.last >= MEMORY_MS ? 0 : counter.count;
  }

  #ofWidth(kind: Kind, level: number): BoundedMap<string, Counter> {
    const name = `${kind} ${level}`;
    const counters = this.#counters.get(name) ?? new BoundedMap<string, Counter>(MAX_COUNTERS);
    this.#counters.set(name, counters);
    return counters;
  }
}

const isKind = (name: unknown): name is Kind =>
  typeof name === "string" && Object.hasOwn(LIMITS, name);

const limitsOf = (kind: Kind, level: number): BackoffLimits => LIMITS[kind][level] ?? NETWORK;
