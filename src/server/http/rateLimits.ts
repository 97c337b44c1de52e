/** Rate limits by visitor, network and site, and a limit on concurrent request bodies. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Channel, NO_CHANNEL } from "../shared/instanceCoordinator.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import {
  createRateLimitKey,
  findEnclosingNetworks,
  type Visitor,
  findWidestNetwork,
} from "./visitor.ts";

/** The rate of a token bucket, which holds `burst` requests or bytes and refills by `perMinute`. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

export const UNLIMITED: Rate = { burst: 1e9, perMinute: 1e9 };

interface RateRule {
  /** The unique name by which a site's instances share their counts. */
  readonly name: string;
  readonly perVisitor: Rate;
  readonly wholeSite: Rate;
  /** The reserve for networks that have viewed a page. It is used while the site's bucket is empty. */
  readonly reserve: { readonly perNetwork: Rate; readonly wholeSite: Rate };
  readonly message?: string;
}

/** Limits requests of one kind, or the bytes that they store. */
export interface RateLimit {
  /** Counts a request or `amount` bytes, or throws a 429 with Retry-After. A full bucket accepts any amount. */
  consume(visitor: Visitor, amount?: number): void;
  /** Whether the buckets of the visitor and of the networks around it have room for a request. Counts nothing. */
  hasCapacity(visitor: Visitor): boolean;
}

/** Creates a site's limits; with RATE_LIMIT=off they allow everything. */
export type CreateRateLimit = (rule: RateRule) => RateLimit;

/** The maximum number of buckets in memory. The bucket that was unused for longest is dropped first. */
const MAX_BUCKETS = 10_000;

/** The limits of the networks around a visitor (/24, or /56 and /48), as multiples of a single visitor's limit. */
const VISITORS_PER_NETWORK = [1, 4, 8];

const TOO_MANY_REQUESTS_MESSAGE = VISITOR_REFUSALS.tooManyRequests;

interface LimitOptions {
  readonly clock: Clock;
  readonly isEnabled: boolean;
  readonly pageViews: PageViews;
  /** Sends counts to the site's other instances, which add them to their own. Default: none. */
  readonly channel?: Channel;
}

export function createRateLimitFactory(options: LimitOptions): CreateRateLimit {
  const { clock, isEnabled, pageViews, channel = NO_CHANNEL } = options;
  const names = new Set<string>();
  return (rule) => {
    if (names.has(rule.name)) throw new Error(`two limits are called "${rule.name}"`);
    names.add(rule.name);
    if (!isEnabled) return { consume: () => {}, hasCapacity: () => true };
    const { consume, record, hasCapacity } = createSharedRateLimit(rule, clock, pageViews);
    const topic = `limit ${rule.name}`;
    channel.subscribe(topic, ([address, amount]) => record(String(address), Number(amount)));
    return {
      consume(visitor, amount = 1) {
        consume(visitor, amount);
        channel.publish(topic, [visitor.address, amount]);
      },
      hasCapacity,
    };
  };
}

interface SharedRateLimit extends RateLimit {
  /** Counts an amount that another instance accepted. */
  record(address: string, amount: number): void;
}

/**
 * Creates one limit. A few clients could empty the whole site's bucket and lock everybody out, so networks that viewed
 * a page a while ago share a reserve, of which each gets a small part.
 */
function createSharedRateLimit(
  rule: RateRule,
  clock: Clock,
  pageViews: PageViews,
): SharedRateLimit {
  const { perVisitor, wholeSite, reserve, message = TOO_MANY_REQUESTS_MESSAGE } = rule;
  const visitorBuckets = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);
  const reserveBuckets = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);
  const siteBucket = getBucket(new Map(), "", wholeSite, clock());
  const siteReserveBucket = getBucket(new Map(), "", reserve.wholeSite, clock());
  const getVisitorBuckets = (address: string, now: number) =>
    findEnclosingNetworks(address).map((key, level) =>
      getBucket(
        visitorBuckets,
        key,
        multiplyRate(perVisitor, assertDefined(VISITORS_PER_NETWORK[level], "limit")),
        now,
      ),
    );
  const getReserveBuckets = (address: string, amount: number, now: number) => {
    if (!pageViews.hasReadPage(address)) return undefined;
    const buckets = [
      getBucket(reserveBuckets, findWidestNetwork(address), reserve.perNetwork, now),
      siteReserveBucket,
    ];
    return refillAndComputeWaitS(buckets, amount, now) === 0 ? buckets : undefined;
  };
  return {
    consume({ address }, amount = 1) {
      const now = clock();
      const buckets = getVisitorBuckets(address, now);
      const bucketWaitS = refillAndComputeWaitS(buckets, amount, now);
      const siteWaitS = refillAndComputeWaitS([siteBucket], amount, now);
      const siteBuckets =
        bucketWaitS > 0 || siteWaitS === 0 ? [siteBucket] : getReserveBuckets(address, amount, now);
      if (bucketWaitS > 0 || !siteBuckets)
        throw tooManyRequests(message, Math.max(bucketWaitS, siteWaitS));
      spendTokens([...buckets, ...siteBuckets], amount);
    },
    hasCapacity({ address }) {
      const now = clock();
      return refillAndComputeWaitS(getVisitorBuckets(address, now), 1, now) === 0;
    },
    record(address, amount) {
      const now = clock();
      const buckets = [...getVisitorBuckets(address, now), siteBucket];
      // This call refills the buckets; its result isn't needed.
      refillAndComputeWaitS(buckets, amount, now);
      spendTokens(buckets, amount);
    },
  };
}

function spendTokens(buckets: readonly TokenBucket[], amount: number): void {
  for (const bucket of buckets) bucket.tokens -= Math.min(amount, bucket.rate.burst);
}

interface TokenBucket {
  readonly rate: Rate;
  tokens: number;
  refilledAt: number;
}

const multiplyRate = ({ burst, perMinute }: Rate, factor: number): Rate => ({
  burst: burst * factor,
  perMinute: perMinute * factor,
});

/** Returns a key's bucket. Moves it to the end of the map, so that the first bucket is the one unused for longest. */
function getBucket(
  buckets: Map<string, TokenBucket>,
  key: string,
  rate: Rate,
  now: number,
): TokenBucket {
  const bucket = buckets.get(key) ?? { rate, tokens: rate.burst, refilledAt: now };
  buckets.set(key, bucket);
  return bucket;
}

/** Refills the buckets and returns the seconds until all of them hold the amount. */
function refillAndComputeWaitS(
  buckets: readonly TokenBucket[],
  amount: number,
  now: number,
): number {
  const waits = buckets.map((bucket) => {
    const { burst, perMinute } = bucket.rate;
    const minutes = Math.max(0, now - bucket.refilledAt) / MINUTE;
    bucket.tokens = Math.min(burst, bucket.tokens + minutes * perMinute);
    bucket.refilledAt = now;
    const missingTokens = Math.min(amount, burst) - bucket.tokens;
    return missingTokens <= 0 ? 0 : (missingTokens / perMinute) * 60;
  });
  return Math.max(...waits);
}

export type PageViews = ReturnType<typeof createPageViews>;

/** The shortest time in which a person can read a page and fill in a form; bots are faster. */
const MIN_STAY_MS = 3000;

const VIEW_LIFETIME_MS = DAY;

/** Records which networks have viewed pages. Addresses aren't recorded: those of one network could fill the map. */
export function createPageViews(clock: Clock) {
  const firstViews = new BoundedMap<string, number>(MAX_BUCKETS);
  const computeStayMs = (network: string) => clock() - (firstViews.get(network) ?? Number.NaN);
  return {
    recordPageView(address: string) {
      const network = findWidestNetwork(address);
      // If the clock was set back, the stay is negative, and the view is recorded again.
      if (computeStayMs(network) >= 0 && computeStayMs(network) < VIEW_LIFETIME_MS) return;
      firstViews.set(network, clock());
    },
    /** Whether a page was sent to this address's network within a day, and long enough ago to have been read. */
    hasReadPage(address: string) {
      const stayMs = computeStayMs(findWidestNetwork(address));
      return stayMs >= MIN_STAY_MS && stayMs < VIEW_LIFETIME_MS;
    },
  };
}

const MAX_CONCURRENT_WRITES = 32;

/** Limits an address's concurrent writes. Call the returned function when the write is done. */
export function createConcurrencyLimit(): (address: string) => () => void {
  const counts = new Map<string, number>();
  return (address) => {
    const key = createRateLimitKey(address);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > MAX_CONCURRENT_WRITES) throw tooManyRequests(VISITOR_REFUSALS.tooManyAtOnce, 5);
    counts.set(key, count);
    return () => {
      const remaining = (counts.get(key) ?? 0) - 1;
      if (remaining > 0) counts.set(key, remaining);
      else counts.delete(key);
    };
  };
}
