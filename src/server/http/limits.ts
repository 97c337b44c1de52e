/** Rate limits by visitor, network and site, and a limit on concurrent request bodies. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Channel, noChannel } from "../shared/channel.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import { rateLimitKey, networksOf, type Visitor, widestNetworkOf } from "./visitor.ts";

/** A bucket holds `burst` requests or bytes and refills by `perMinute`. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/** For a rule that limits single visitors alone. */
export const UNLIMITED: Rate = { burst: 1e9, perMinute: 1e9 };

interface RateRule {
  /** Unique. The instances of a site match their limits by it. */
  readonly name: string;
  readonly perVisitor: Rate;
  readonly wholeSite: Rate;
  /** Used once the site's bucket is empty, by networks that have viewed its pages. */
  readonly reserve: { readonly perNetwork: Rate; readonly wholeSite: Rate };
  readonly message?: string;
}

/** Counts the requests of one kind, or the bytes they store. */
export interface RateLimit {
  /**
   * Counts one request, or `amount` bytes. Throws a 429 with Retry-After when there were too many. An amount larger
   * than a bucket is taken from a full one.
   */
  consume(visitor: Visitor, amount?: number): void;
  /** Whether another request of this visitor would be counted without a refusal. Counts nothing. */
  hasRoom(visitor: Visitor): boolean;
}

/** Creates a site's limits; with RATE_LIMIT=off they allow everything. */
export type RateLimits = (rule: RateRule) => RateLimit;

/** Above this many keys the longest unseen are dropped, which bounds memory. */
const MAX_VISITORS = 10_000;

/** The limits of the networks around a visitor (/24 or /56, then /48), as multiples of one visitor's. */
const VISITORS_PER_NETWORK = [1, 4, 8];

const WORDS = VISITOR_REFUSALS.tooManyRequests;

interface LimitOptions {
  readonly clock: Clock;
  readonly enabled: boolean;
  readonly visits: PageViews;
  /** Default: none. Every instance adds the counts of the others, slightly later. */
  readonly channel?: Channel;
}

/** A site's limits, each with a name that its instances share. */
export function rateLimits(options: LimitOptions): RateLimits {
  const { clock, enabled, visits, channel = noChannel } = options;
  const names = new Set<string>();
  return (rule) => {
    if (names.has(rule.name)) throw new Error(`two limits are called "${rule.name}"`);
    names.add(rule.name);
    if (!enabled) return { consume: () => {}, hasRoom: () => true };
    const { consume, record, hasRoom } = rateLimit(rule, clock, visits);
    const topic = `limit ${rule.name}`;
    channel.subscribe(topic, ([address, amount]) => record(String(address), Number(amount)));
    return {
      consume(visitor, amount = 1) {
        consume(visitor, amount);
        channel.publish(topic, [visitor.address, amount]);
      },
      hasRoom,
    };
  };
}

interface Counting extends RateLimit {
  /** Counts what another instance let through. */
  record(address: string, amount: number): void;
}

/**
 * A few clients that use up the whole site's bucket would lock everybody out. So there is a reserve for networks that
 * viewed a page a while ago, with a small share for each.
 */
function rateLimit(rule: RateRule, clock: Clock, visits: PageViews): Counting {
  const { perVisitor, wholeSite, reserve, message = WORDS } = rule;
  const visitorBuckets = new BoundedMap<string, Bucket>(MAX_VISITORS);
  const shares = new BoundedMap<string, Bucket>(MAX_VISITORS);
  const site = bucketOf(new Map(), "", wholeSite, clock());
  const siteReserve = bucketOf(new Map(), "", reserve.wholeSite, clock());
  const bucketsOf = (address: string, now: number) =>
    networksOf(address).map((key, level) =>
      bucketOf(
        visitorBuckets,
        key,
        times(perVisitor, assertDefined(VISITORS_PER_NETWORK[level], "limit")),
        now,
      ),
    );
  const reserveOf = (address: string, amount: number, now: number) => {
    if (!visits.hasReadPage(address)) return undefined;
    const buckets = [
      bucketOf(shares, widestNetworkOf(address), reserve.perNetwork, now),
      siteReserve,
    ];
    return waitMs(buckets, amount, now) === 0 ? buckets : undefined;
  };
  return {
    consume({ address }, amount = 1) {
      const now = clock();
      const buckets = bucketsOf(address, now);
      const bucketWait = waitMs(buckets, amount, now);
      const siteWait = waitMs([site], amount, now);
      const from = bucketWait > 0 || siteWait === 0 ? [site] : reserveOf(address, amount, now);
      if (bucketWait > 0 || !from) throw tooManyRequests(message, Math.max(bucketWait, siteWait));
      spend([...buckets, ...from], amount);
    },
    hasRoom({ address }) {
      const now = clock();
      return waitMs(bucketsOf(address, now), 1, now) === 0;
    },
    record(address, amount) {
      const now = clock();
      const buckets = [...bucketsOf(address, now), site];
      // Only refills them.
      waitMs(buckets, amount, now);
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

/** A key's bucket, moved to the end of the map so that the first is the longest unseen. */
function bucketOf(buckets: Map<string, Bucket>, key: string, rate: Rate, now: number): Bucket {
  const bucket = buckets.get(key) ?? { rate, tokens: rate.burst, at: now };
  buckets.set(key, bucket);
  return bucket;
}

/** Refills the buckets; returns the seconds until each holds the amount. */
function waitMs(buckets: readonly Bucket[], amount: number, now: number): number {
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

/** The networks that have viewed pages. */
export interface PageViews {
  /** Records that a page was sent to this address. */
  note(address: string): void;
  /** True when a page was sent to its network long enough ago to have been read, within a day. */
  hasReadPage(address: string): boolean;
}

/** Nobody reads a page and fills in a form faster; a bot does. */
const SHORTEST_STAY = 3000;

const VIEW_LIFETIME_MS = DAY;

/** In memory only and by network, so that many addresses of one network don't fill it up. */
export function visits(clock: Clock): PageViews {
  const since = new BoundedMap<string, number>(MAX_VISITORS);
  const stay = (network: string) => clock() - (since.get(network) ?? Number.NaN);
  return {
    note(address) {
      const network = widestNetworkOf(address);
      // A clock that was set back makes the stay negative.
      if (stay(network) >= 0 && stay(network) < VIEW_LIFETIME_MS) return;
      since.set(network, clock());
    },
    hasReadPage(address) {
      const passed = stay(widestNetworkOf(address));
      return passed >= SHORTEST_STAY && passed < VIEW_LIFETIME_MS;
    },
  };
}

const MAX_AT_ONCE = 32;

/** Limits the concurrent writes of an address. Call the returned function when the write is done. */
export function inFlight(): (address: string) => () => void {
  const counts = new Map<string, number>();
  return (address) => {
    const key = rateLimitKey(address);
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
