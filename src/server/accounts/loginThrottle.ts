/** Slows down password guessing, per address and for the whole site, before any hashing. */
import { tooManyRequests } from "../errors.ts";
import type { Clock } from "../http/clock.ts";
import { limitKey, type Visitor } from "../http/visitor.ts";

const FREE_TRIES = 5;
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 15 * 60_000;
/** After this long without a try, earlier ones are forgotten. */
const MEMORY = 60 * 60_000;
const MAX_ADDRESSES = 10_000;
const WORDS = "Too many tries. Please wait a moment and try again.";

interface Tries {
  count: number;
  last: number;
}

/** Counts the tries of a site. */
export interface LoginThrottle {
  /** Counts a try, as failed until `succeeded` says otherwise. Throws a 429 with Retry-After. */
  attempt(visitor: Visitor): void;
  succeeded(visitor: Visitor): void;
}

/**
 * Five free tries, then a wait that doubles up to 15 minutes. The whole site's wait doubles with
 * each further address that tries, and every try restarts it. An address that has logged in before
 * isn't held up by others, and one stranger can't hold anybody up for long: otherwise anybody could
 * keep the owner out.
 */
export function loginThrottle(clock: Clock, enabled: boolean): LoginThrottle {
  const byAddress = new Map<string, Tries>();
  const known = new Set<string>();
  const site: Tries = { count: 0, last: 0 };
  if (!enabled) return { attempt: () => {}, succeeded: () => {} };
  return {
    attempt({ address }) {
      const now = clock();
      const key = limitKey(address);
      const own = triesOf(byAddress, key);
      const counted = known.has(key) ? [own] : [own, site];
      const wait = Math.max(...counted.map((tries) => waitOf(tries, now)));
      if (wait > 0) throw tooManyRequests(WORDS, wait / 1000);
      count(own, now, 1);
      if (!known.has(key)) count(site, now, own.count === 1 ? 1 : 0);
    },
    succeeded({ address }) {
      const key = limitKey(address);
      if (!known.has(key)) site.count = Math.max(0, site.count - 1);
      byAddress.delete(key);
      known.add(key);
      if (known.size > MAX_ADDRESSES) known.delete(known.values().next().value!);
    },
  };
}

function triesOf(all: Map<string, Tries>, key: string): Tries {
  const tries = all.get(key) ?? { count: 0, last: 0 };
  all.delete(key);
  all.set(key, tries);
  if (all.size > MAX_ADDRESSES) all.delete(all.keys().next().value!);
  return tries;
}

function waitOf(tries: Tries, now: number): number {
  // A clock that was set back must not lock anybody out until it has caught up.
  tries.last = Math.min(tries.last, now);
  const { count, last } = tries;
  if (count < FREE_TRIES || now - last >= MEMORY) return 0;
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(20, count - FREE_TRIES));
  return last + wait - now;
}

function count(tries: Tries, now: number, more: number): void {
  tries.count = (now - tries.last >= MEMORY ? 0 : tries.count) + more;
  tries.last = now;
}
