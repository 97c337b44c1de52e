/** Limits how often a route is called, per visitor and for the whole site, and how many bodies are sent at once. */
import { tooManyRequests } from "../errors.ts";
import type { Clock } from "./clock.ts";
import { limitKey, type Visitor } from "./visitor.ts";

/** A bucket holds `burst` requests and gets `perMinute` back every minute. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

interface RateRule {
  readonly perVisitor: Rate;
  readonly wholeSite: Rate;
  readonly message?: string;
}

/** Counts the requests of one kind. */
interface RateLimit {
  /** Counts one request. Throws a 429 with Retry-After when there were too many. */
  take(visitor: Visitor): void;
}

/** Makes the limits of a site; with `enabled` false (RATE_LIMIT=off) they let everything through. */
export type RateLimits = (rule: RateRule) => RateLimit;

/**
 * With more visitors than this, those unseen for longest are forgotten, so that memory stays
 * bounded.
 */
const MAX_VISITORS = 10_000;

const WORDS = "Too many requests. Please wait a moment and try again.";

export function rateLimits(clock: Clock, enabled: boolean): RateLimits {
  return (rule) => (enabled ? rateLimit(rule, clock) : { take: () => {} });
}

function rateLimit({ perVisitor, wholeSite, message = WORDS }: RateRule, clock: Clock): RateLimit {
  const visitors = new Map<string, Bucket>();
  const site: Bucket = { tokens: wholeSite.burst, at: clock() };
  return {
    take({ address }) {
      const now = clock();
      const own = bucketOf(visitors, limitKey(address), perVisitor, now);
      refill(own, perVisitor, now);
      refill(site, wholeSite, now);
      const wait = Math.max(secondsToWait(own, perVisitor), secondsToWait(site, wholeSite));
      if (wait > 0) throw tooManyRequests(message, wait);
      own.tokens -= 1;
      site.tokens -= 1;
    },
  };
}

interface Bucket {
  tokens: number;
  at: number;
}

/** The bucket of a key, moved to the end of the map so that its start is the longest unseen. */
function bucketOf(buckets: Map<string, Bucket>, key: string, rate: Rate, now: number): Bucket {
  const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now };
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > MAX_VISITORS) buckets.delete(buckets.keys().next().value!);
  return bucket;
}

function refill(bucket: Bucket, rate: Rate, now: number): void {
  const minutes = Math.max(0, now - bucket.at) / 60_000;
  bucket.tokens = Math.min(rate.burst, bucket.tokens + minutes * rate.perMinute);
  bucket.at = now;
}

function secondsToWait(bucket: Bucket, rate: Rate): number {
  return bucket.tokens >= 1 ? 0 : ((1 - bucket.tokens) / rate.perMinute) * 60;
}

const MAX_AT_ONCE = 32;

/** Counts the unfinished writes of an address. Call what it returns once the write has finished. */
export function inFlight(): (address: string) => () => void {
  const counts = new Map<string, number>();
  return (address) => {
    const key = limitKey(address);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > MAX_AT_ONCE)
      throw tooManyRequests("Too many requests at once. Please wait a moment and try again.", 5);
    counts.set(key, count);
    return () => {
      const left = counts.get(key)! - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
