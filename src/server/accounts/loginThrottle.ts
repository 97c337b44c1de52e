/** Slows down guessing of passwords and codes without locking the owner out. */
import { findEnclosingNetworks, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import type { Channel } from "../shared/instanceCoordinator.ts";
import { HOUR, MINUTE, SECOND } from "../shared/time.ts";

/** An admitted attempt, counted as failed unless it is marked as succeeded. */
interface LoginAttempt {
  markSucceeded(): void;
}

/** After `maxFreeAttempts`, each attempt doubles the wait before the next one, up to `maxWaitMs`. */
interface BackoffLimits {
  readonly maxFreeAttempts: number;
  readonly maxWaitMs: number;
}

const SOURCE_LIMITS: BackoffLimits = { maxFreeAttempts: 5, maxWaitMs: 2 * MINUTE };
const NETWORK_LIMITS: BackoffLimits = { maxFreeAttempts: 20, maxWaitMs: MINUTE };

/**
 * The limits of each kind of attempt, for each of its counters from narrow to wide. `device`: a known browser or a
 * session. `code`: an account's six-digit codes. `stranger`: an unknown browser's address (a /64 of IPv6) and the
 * networks that contain it (/24, or /56 and /48).
 */
const LIMITS_BY_KIND = {
  device: [SOURCE_LIMITS],
  code: [{ maxFreeAttempts: 5, maxWaitMs: 5 * MINUTE }],
  stranger: [SOURCE_LIMITS, NETWORK_LIMITS, NETWORK_LIMITS],
} as const satisfies Record<string, readonly BackoffLimits[]>;

type AttemptKind = keyof typeof LIMITS_BY_KIND;

const FIRST_WAIT_MS = 2 * SECOND;
/** After this time without an attempt, a counter is reset. */
const COUNTER_TTL_MS = HOUR;
/** The most counters for a width of network. Beyond this, those with the oldest attempts are evicted. */
const MAX_COUNTERS = 10_000;

interface AttemptCounter {
  count: number;
  /** The time of the last attempt, in milliseconds since 1970. */
  lastAttemptAt: number;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off: every attempt is admitted. */
  readonly isEnabled: boolean;
  /** Makes an attempt at one instance count at all others. */
  readonly channel: Channel;
}

const LOGIN_TOPIC = "logins";
const TOO_MANY_ATTEMPTS_MESSAGE = "Too many attempts. Wait a moment, then try again.";

/**
 * Counts a site's login attempts, each before anything is awaited. Five are free, then the wait doubles up to two
 * minutes. A network's wait doesn't apply to the first attempt from a smaller network inside it. This allows 730
 * guesses a day from an address and 1,440 from a network, none of which delays a known browser, a passkey or a mailed
 * link (docs/threats.md, "Password guessing, in figures").
 */
export class LoginThrottle {
  readonly #options: ThrottleOptions;
  /** By kind and width, so that many narrow networks don't evict the wide network that contains them. */
  readonly #counters = new Map<string, BoundedMap<string, AttemptCounter>>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
    options.channel.subscribe(LOGIN_TOPIC, ([event, kind, ...keys]) => {
      // An instance that runs another release may send an unknown kind.
      if (!isAttemptKind(kind)) return;
      if (event === "succeeded") this.#resetCounters(kind, keys.map(String));
      else this.#addAttempt(kind, keys.map(String));
    });
  }

  /** Throws a 429 with Retry-After while the sender must wait. `sourceKey`: a known browser's or session's key. */
  admitAttempt({ address }: Visitor, sourceKey?: string): LoginAttempt {
    return sourceKey === undefined
      ? this.#admit("stranger", findEnclosingNetworks(address))
      : this.#admit("device", [sourceKey]);
  }

  /**
   * Like `admitAttempt`, for a six-digit code that an unknown browser sends with the correct password. Counts by
   * account, because many addresses together could guess such a code quickly.
   */
  admitCodeAttempt(userId: string): LoginAttempt {
    return this.#admit("code", [userId]);
  }

  #admit(kind: AttemptKind, keys: readonly string[]): LoginAttempt {
    if (!this.#options.isEnabled) return { markSucceeded() {} };
    const waitsMs = keys.map((key, level) =>
      this.#computeWaitMs(kind, key, level, keys[level - 1]),
    );
    const waitMs = Math.max(...waitsMs);
    if (waitMs > 0) throw tooManyRequests(TOO_MANY_ATTEMPTS_MESSAGE, waitMs / SECOND);
    this.#addAttempt(kind, keys);
    this.#options.channel.publish(LOGIN_TOPIC, ["tried", kind, ...keys]);
    return {
      markSucceeded: () => {
        this.#resetCounters(kind, keys);
        this.#options.channel.publish(LOGIN_TOPIC, ["succeeded", kind, ...keys]);
      },
    };
  }

  /** Returns the milliseconds until the next attempt may be made. Stores nothing, so refusals evict no counter. */
  #computeWaitMs(
    kind: AttemptKind,
    key: string,
    level: number,
    narrowerKey: string | undefined,
  ): number {
    if (narrowerKey !== undefined && this.#getAttemptCount(kind, narrowerKey, level - 1) === 0)
      return 0;
    const { maxFreeAttempts, maxWaitMs } = getLimitsAt(kind, level);
    const extraAttempts = this.#getAttemptCount(kind, key, level) - maxFreeAttempts;
    if (extraAttempts < 0) return 0;
    const waitMs = Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** Math.min(20, extraAttempts));
    const lastAttemptAt = this.#getCounters(kind, level).get(key)?.lastAttemptAt ?? 0;
    return Math.max(0, lastAttemptAt + waitMs - this.#options.clock());
  }

  #addAttempt(kind: AttemptKind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const count = this.#getAttemptCount(kind, key, level) + 1;
      this.#getCounters(kind, level).set(key, { count, lastAttemptAt: this.#options.clock() });
    }
  }

  /** After a success: resets the counter of a browser or account, and subtracts the attempt from shared counters. */
  #resetCounters(kind: AttemptKind, keys: readonly string[]): void {
    for (const [level, key] of keys.entries()) {
      const counters = this.#getCounters(kind, level);
      const counter = counters.get(key);
      if (kind !== "stranger") counters.delete(key);
      else if (counter) counter.count = Math.max(0, counter.count - 1);
    }
  }

  #getAttemptCount(kind: AttemptKind, key: string, level: number): number {
    const counter = this.#getCounters(kind, level).get(key);
    if (!counter) return 0;
    const now = this.#options.clock();
    // A clock that was set back must not extend the wait.
    counter.lastAttemptAt = Math.min(counter.lastAttemptAt, now);
    return now - counter.lastAttemptAt >= COUNTER_TTL_MS ? 0 : counter.count;
  }

  #getCounters(kind: AttemptKind, level: number): BoundedMap<string, AttemptCounter> {
    const name = `${kind} ${level}`;
    return this.#counters.getOrInsertComputed(name, () => new BoundedMap(MAX_COUNTERS));
  }
}

const isAttemptKind = (name: unknown): name is AttemptKind =>
  typeof name === "string" && Object.hasOwn(LIMITS_BY_KIND, name);

const getLimitsAt = (kind: AttemptKind, level: number): BackoffLimits =>
  LIMITS_BY_KIND[kind][level] ?? NETWORK_LIMITS;
