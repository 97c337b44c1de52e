/** Slows down guessing of passwords and codes without locking the owner out. */
import { findEnclosingNetworks, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import type { Channel } from "../shared/instanceCoordinator.ts";
import { HOUR, MINUTE, SECOND } from "../shared/time.ts";

/** An admitted attempt, which counts as failed until `markSucceeded` is called. */
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
 * The limits of each kind of attempt. `device`: attempts from a known browser or session. `code`: an account's
 * six-digit codes. `stranger`: attempts from an unknown browser, counted by its address (a /64 of IPv6) and by the
 * networks that contain the address (/24, or /56 and /48).
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
/** The maximum number of counters of each kind and network size. The counters with the oldest attempts are evicted. */
const MAX_COUNTERS = 10_000;

interface AttemptCounter {
  count: number;
  /** In milliseconds since 1970. */
  lastAttemptAt: number;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly isEnabled: boolean;
  /** Sends each attempt to the site's other instances, so that all instances count it. */
  readonly channel: Channel;
}

const LOGIN_TOPIC = "logins";
const TOO_MANY_ATTEMPTS_MESSAGE = "Too many attempts. Wait a moment, then try again.";

/**
 * Limits login attempts. Each attempt is counted before anything is awaited, so that simultaneous attempts are limited
 * too. A network's wait doesn't apply to the first attempt from a smaller network inside it. An address gets 730
 * guesses a day, and a network gets 1,440 (docs/threats.md, "Password guessing, in figures").
 */
export class LoginThrottle {
  readonly #options: ThrottleOptions;
  /** Counters by kind and network size, so that many small networks can't evict the counter of a large one. */
  readonly #counters = new Map<string, BoundedMap<string, AttemptCounter>>();

  constructor(options: ThrottleOptions) {
    this.#options = options;
    options.channel.subscribe(LOGIN_TOPIC, ([event, kind, ...keys]) => {
      // Ignores unknown kinds, which an instance of another release may send.
      if (!isAttemptKind(kind)) return;
      if (event === "succeeded") this.#resetCounters(kind, keys.map(String));
      else this.#addAttempt(kind, keys.map(String));
    });
  }

  /** Throws a 429 with Retry-After while the sender must wait. `sourceKey` identifies a known browser or a session. */
  admitAttempt({ address }: Visitor, sourceKey?: string): LoginAttempt {
    return sourceKey === undefined
      ? this.#admit("stranger", findEnclosingNetworks(address))
      : this.#admit("device", [sourceKey]);
  }

  /** Admits a code from an unknown browser. Counts by account, because many addresses together could guess a code. */
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

  /** Returns the milliseconds until the next attempt. Stores nothing, so that refused attempts evict no counter. */
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

  /** After a success, resets a browser's or account's counter, or subtracts the attempt from a network's counters. */
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
