/** Limits how often a route is called, by visitor, network and site, and how many bodies are sent at once. */
import { present } from "../../schema/present.ts";
import { VISITOR_REFUSALS } from "../../schema/refusals.ts";
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Instances, onlyInstance } from "../shared/instances.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import { limitKey, networksOf, type Visitor, widestNetworkOf } from "./visitor.ts";

/** A bucket holds `burst` requests, or bytes, and gets `perMinute` back every minute. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

interface RateRule {
  /** By which the instances of a site know each other's; no two rules have the same. */
  readonly name: string;
  readonly perVisitor: Rate;
  readonly wholeSite: Rate;
  /** Taken from once the whole site's bucket is empty, by the networks of those who visit its pages. */
  readonly reserve: { readonly perNetwork: Rate; readonly wholeSite: Rate };
  readonly message?: string;
}

/** Counts the requests of one kind, or what they store. */
export interface RateLimit {
  /**
   * Counts one request, or `amount` bytes. Throws a 429 with Retry-After when there were too many; an
   * amount that no bucket could ever hold is taken from a full one.
   */
  take(visitor: Visitor, amount?: number): void;
}

/** Makes the limits of a site; with RATE_LIMIT=off they let everything through. */
export type RateLimits = (rule: RateRule) => RateLimit;

/**
 * With more keys than this, those unseen for longest are forgotten, so that memory stays
 * bounded.
 */
const MAX_VISITORS = 10_000;

/** What the networks around a visitor may do, in visitors: a /24 or /56, then a /48. */
const VISITORS_PER_NETWORK = [1, 4, 8];

const WORDS = VISITOR_REFUSALS.tooManyRequests;

interface LimitOptions {
  readonly clock: Clock;
  readonly enabled: boolean;
  readonly visits: Visits;
  /** Default: no others. What is counted by one is counted by all, a moment later. */
  readonly instances?: Pick<Instances, "tell" | "hear">;
}

/** The limits of a site; each has a name, by which its instances know each other's. */
export function rateLimits(options: LimitOptions): RateLimits {
  const { clock, enabled, visits, instances = onlyInstance } = options;
  const names = new Set<string>();
  return (rule) => {
    if (names.has(rule.name)) throw new Error(`two limits are called "${rule.name}"`);
    names.add(rule.name);
    if (!enabled) return { take: () => {} };
    const { take, taken } = rateLimit(rule, clock, visits);
    const topic = `limit ${rule.name}`;
    instances.hear(topic, ([address, amount]) => taken(String(address), Number(amount)));
    return {
      take(visitor, amount = 1) {
        take(visitor, amount);
        instances.tell(topic, [visitor.address, amount]);
      },
    };
  };
}

interface Counting extends RateLimit {
  /** What another instance has let through. */
  taken(address: string, amount: number): void;
}

/**
 * A few that use up what the whole site takes would close it for everybody. So there is a reserve for
 * networks from which a page was looked at a while ago, each its own small share of it.
 */
function rateLimit(rule: RateRule, clock: Clock, visits: Visits): Counting {
  const { perVisitor, wholeSite, reserve, message = WORDS } = rule;
  const kept = new BoundedMap<string, Bucket>(MAX_VISITORS);
  const shares = new BoundedMap<string, Bucket>(MAX_VISITORS);
  const site = bucketOf(new Map(), "", wholeSite, clock());
  const siteReserve = bucketOf(new Map(), "", reserve.wholeSite, clock());
  const bucketsOf = (address: string, now: number) =>
    networksOf(address).map((key, level) =>
      bucketOf(kept, key, times(perVisitor, present(VISITORS_PER_NETWORK[level], "limit")), now),
    );
  const reserveOf = (address: string, amount: number, now: number) => {
    if (!visits.hasStayed(address)) return undefined;
    const buckets = [
      bucketOf(shares, widestNetworkOf(address), reserve.perNetwork, now),
      siteReserve,
    ];
    return waitFor(buckets, amount, now) === 0 ? buckets : undefined;
  };
  return {
    take({ address }, amount = 1) {
      const now = clock();
      const own = bucketsOf(address, now);
      const ownWait = waitFor(own, amount, now);
      const siteWait = waitFor([site], amount, now);
      const from = ownWait > 0 || siteWait === 0 ? [site] : reserveOf(address, amount, now);
      if (ownWait > 0 || !from) throw tooManyRequests(message, Math.max(ownWait, siteWait));
      spend([...own, ...from], amount);
    },
    taken(address, amount) {
      const now = clock();
      const buckets = [...bucketsOf(address, now), site];
      // Only to fill them up to now.
      waitFor(buckets, amount, now);
      spend(buckets, amount);
    },
  };
}

function spend(buckets: readonly Bucket[], amount: number): void {
  for (const bucket of buckets) bucket.tokens -= Math.min(amount, bucket.rate.burst);
}

interface Bucket {
  readonly rate: Rate;
  tokens: number;
  at: number;
}

const times = ({ burst, perMinute }: Rate, factor: number): Rate => ({
  burst: burst * factor,
  perMinute: perMinute * factor,
});

/** The bucket of a key, moved to the end of the map so that its start is the longest unseen. */
function bucketOf(buckets: Map<string, Bucket>, key: string, rate: Rate, now: number): Bucket {
  const bucket = buckets.get(key) ?? { rate, tokens: rate.burst, at: now };
  buckets.set(key, bucket);
  return bucket;
}

/** Fills the buckets up to now; returns the seconds until each of them holds the amount. */
function waitFor(buckets: readonly Bucket[], amount: number, now: number): number {
  const waits = buckets.map((bucket) => {
    const { burst, perMinute } = bucket.rate;
    const minutes = Math.max(0, now - bucket.at) / MINUTE;
    bucket.tokens = Math.min(burst, bucket.tokens + minutes * perMinute);
    bucket.at = now;
    const lacking = Math.min(amount, burst) - bucket.tokens;
    return lacking <= 0 ? 0 : (lacking / perMinute) * 60;
  });
  return Math.max(...waits);
}

/** From which networks the pages are looked at. */
export interface Visits {
  /** Notes that a page was sent there. */
  note(address: string): void;
  /** True when a page was sent there long enough ago to have been read, within a day. */
  hasStayed(address: string): boolean;
}

/** Nobody reads a page and answers it faster; a robot does. */
const SHORTEST_STAY = 3000;

/** Far shorter than a stay, so that one that ends is noticed. */
const NOTED_FOR = MINUTE;

const LONGEST_STAY = DAY;

/** Kept in memory only, by network, so that whoever has many addresses of one fills nothing up. */
export function visits(clock: Clock): Visits {
  const since = new BoundedMap<string, number>(MAX_VISITORS);
  // Most pages go to somebody who was noted a moment ago.
  const noted = new BoundedMap<string, number>(MAX_VISITORS);
  const stay = (network: string) => clock() - (since.get(network) ?? Number.NaN);
  return {
    note(address) {
      const passed = clock() - (noted.get(address) ?? Number.NaN);
      if (passed >= 0 && passed < NOTED_FOR) return;
      noted.set(address, clock());
      const network = widestNetworkOf(address);
      // A clock that was set back makes a stay of less than nothing.
      if (stay(network) >= 0 && stay(network) < LONGEST_STAY) return;
      since.set(network, clock());
    },
    hasStayed(address) {
      const passed = stay(widestNetworkOf(address));
      return passed >= SHORTEST_STAY && passed < LONGEST_STAY;
    },
  };
}

const MAX_AT_ONCE = 32;

/** Counts the unfinished writes of an address. Call what it returns once the write has finished. */
export function inFlight(): (address: string) => () => void {
  const counts = new Map<string, number>();
  return (address) => {
    const key = limitKey(address);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > MAX_AT_ONCE) throw tooManyRequests(VISITOR_REFUSALS.tooManyAtOnce, 5);
    counts.set(key, count);
    return () => {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
