/** Slows down guessing of passwords and codes without locking the owner out. */
import { networksAround, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Channel, NO_CHANNEL } from "../shared/channel.ts";
import { HOUR, MINUTE, SECOND } from "../shared/time.ts";

/** An admitted attempt, counted as failed unless it is marked as succeeded. */
interface LoginAttempt {
  succeeded(): void;
}

/** The number of free attempts, and the limit of the doubling wait after them. */
interface BackoffLimits {
  readonly maxFreeAttempts: number;
  readonly maxWaitMs: number;
}

const SOURCE_LIMITS: BackoffLimits = { maxFreeAttempts: 5, maxWaitMs: 2 * MINUTE };
const NETWORK_LIMITS: BackoffLimits = { maxFreeAttempts: 20, maxWaitMs: MINUTE };

/**
 * The counters of an attempt, from narrow to wide: a known browser or session (`device`), an account's six-digit codes
 * (`code`), or a stranger's address (a /64 of IPv6) with the networks around it (/24, or /56 and /48).
 */
const LIMITS_BY_KIND = {
  device: [SOURCE_LIMITS],
  code: [{ maxFreeAttempts: 5, maxWaitMs: 5 * MINUTE }],
  stranger: [SOURCE_LIMITS, NETWORK_LIMITS, NETWORK_LIMITS],
} as const satisfies Record<string, readonly BackoffLimits[]>;

type AttemptKind = keyof typeof LIMITS_BY_KIND;

const FIRST_WAIT_MS = 2 * SECOND;
/** After this long without an attempt, earlier ones are forgotten. */
const COUNTER_TTL_MS = HOUR;
/** Per width; beyond that the counters with the oldest attempts are evicted, one for each admitted attempt. */
const MAX_COUNTERS = 10_000;

/** The attempts of one source. */
interface AttemptCounter {
  count: number;
  last: number;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly isEnabled: boolean;
  /** Default: none. An attempt at one instance counts at every other. */
  readonly channel?: Channel;
}

const LOGIN_TOPIC = "logins";
const TOO_MANY_ATTEMPTS_MESSAGE = "Too many attempts. Wait a moment, then try again.";

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
  readonly #counters = new Map<string, BoundedMap<string, AttemptCounter>>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#channel = options.channel ?? NO_CHANNEL;
    this.#channel.subscribe(LOGIN_TOPIC, ([event, kind, ...keys]) => {
      // An instance of another release may send an unknown kind.
      if (!isAttemptKind(kind)) return;
      if (event === "succeeded") this.#resetCounters(kind, keys.map(String));
      else this.#countAttempt(kind, keys.map(String));
    });
  }

  /** Throws a 429 with Retry-After while the source has to wait. `deviceId`: a known browser's or a session's. */
  admitAttempt({ address }: Visitor, deviceId?: string): LoginAttempt {
    return deviceId === undefined
      ? this.#admit("stranger", networksAround(address))
      : this.#admit("device", [deviceId]);
  }

  /**
   * The same for a six-digit code, from an unknown browser with the user's correct password. Such codes are quickly
   * guessed from many addresses, so the account has a wait of its own.
   */
  admitCodeAttempt(userId: string): LoginAttempt {
    return this.#admit("code", [userId]);
  }

  #admit(kind: AttemptKind, keys: readonly string[]): LoginAttempt {
    if (!this.#options.isEnabled) return { succeeded() {} };
    const waits = keys.map((key, level) =>
      this.#remainingWaitMs(kind, key, level, keys[level - 1]),
    );
    const wait = Math.max(...waits);
    if (wait > 0) throw tooManyRequests(TOO_MANY_ATTEMPTS_MESSAGE, wait / SECOND);
    this.#countAttempt(kind, keys);
    this.#channel.publish(LOGIN_TOPIC, ["tried", kind, ...keys]);
    return {
      succeeded: () => {
        this.#resetCounters(kind, keys);
        this.#channel.publish(LOGIN_TOPIC, ["succeeded", kind, ...keys]);
      },
    };
  }

  /** Milliseconds until another attempt. Asking stores nothing, so refused attempts evict nobody's counter. */
  #remainingWaitMs(
    kind: AttemptKind,
    key: string,
    level: number,
    narrower: string | undefined,
  ): number {
    if (narrower !== undefined && this.#currentCount(kind, narrower, level - 1) === 0) return 0;
    const { maxFreeAttempts, maxWaitMs } = limitsAt(kind, level);
    const over = this.#currentCount(kind, key, level) - maxFreeAttempts;
    if (over < 0) return 0;
    const wait = Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** Math.min(20, over));
    const last = this.#countersAt(kind, level).get(key)?.last ?? 0;
    return Math.max(0, last + wait - this.#options.clock());
  }

  #countAttempt(kind: AttemptKind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const count = this.#currentCount(kind, key, level) + 1;
      this.#countersAt(kind, level).set(key, { count, last: this.#options.clock() });
    }
  }

  /** Resets the counter of one account or browser; on a shared one, uncounts this attempt. */
  #resetCounters(kind: AttemptKind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const counters = this.#countersAt(kind, level);
      const counter = counters.get(key);
      if (kind !== "stranger") counters.delete(key);
      else if (counter) counter.count = Math.max(0, counter.count - 1);
    }
  }

  #currentCount(kind: AttemptKind, key: string, level: number): number {
    const counter = this.#countersAt(kind, level).get(key);
    if (!counter) return 0;
    const now = this.#options.clock();
    // A clock that was set back must not lock anybody out until it catches up.
    counter.last = Math.min(counter.last, now);
    return now - counter.last >= COUNTER_TTL_MS ? 0 : counter.count;
  }

  #countersAt(kind: AttemptKind, level: number): BoundedMap<string, AttemptCounter> {
    const name = `${kind} ${level}`;
    const counters =
      this.#counters.get(name) ?? new BoundedMap<string, AttemptCounter>(MAX_COUNTERS);
    this.#counters.set(name, counters);
    return counters;
  }
}

const isAttemptKind = (name: unknown): name is AttemptKind =>
  typeof name === "string" && Object.hasOwn(LIMITS_BY_KIND, name);

const limitsAt = (kind: AttemptKind, level: number): BackoffLimits =>
  LIMITS_BY_KIND[kind][level] ?? NETWORK_LIMITS;
