/** Counts tries, and tells how long to wait before the next one. */
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { HOUR } from "../shared/time.ts";

/** How many tries are free, and the limit of the doubling wait after them, in milliseconds. */
export interface Patience {
  readonly free: number;
  readonly longestWait: number;
}

/** A counter, by its kind and whom it counts. */
export interface Counter<K extends string> {
  readonly kind: K;
  readonly key: string;
}

/** A site's counters. Asking stores nothing, so refused tries don't evict anybody's counter. */
export interface Counters<K extends string> {
  /** Milliseconds until another try is admitted. */
  wait(counter: Counter<K>): number;
  /** Whether it has counted nothing within the last hour. */
  isUnused(counter: Counter<K>): boolean;
  count(counter: Counter<K>): void;
  /** Takes back one try. */
  takeBack(counter: Counter<K>): void;
  /** Takes back all. */
  forget(counter: Counter<K>): void;
}

const FIRST_WAIT = 2_000;
/** After this long without a try, earlier ones are forgotten. */
const MEMORY = HOUR;
/** Per kind; beyond that the counters with the oldest tries are evicted, one for each admitted try. */
const MOST_KEPT = 10_000;

interface Tries {
  count: number;
  last: number;
}

/** Separate by kind, so that many narrow networks don't evict the wide one around them. */
export function counters<K extends string>(
  patience: Readonly<Record<K, Patience>>,
  clock: Clock,
): Counters<K> {
  const kept = new Map<K, BoundedMap<string, Tries>>();
  const ofKind = (kind: K) => kept.get(kind) ?? new BoundedMap<string, Tries>(MOST_KEPT);
  const find = ({ kind, key }: Counter<K>) => ofKind(kind).get(key);
  const keep = ({ kind, key }: Counter<K>, tries: Tries) => {
    const all = ofKind(kind);
    kept.set(kind, all);
    all.set(key, tries);
  };
  return {
    wait(counter) {
      const tries = find(counter);
      return tries ? waitOf(tries, patience[counter.kind], clock()) : 0;
    },
    isUnused(counter) {
      const tries = find(counter);
      return !tries || current(tries, clock()) === 0;
    },
    count(counter) {
      const now = clock();
      const tries = find(counter);
      keep(counter, { count: (tries ? current(tries, now) : 0) + 1, last: now });
    },
    takeBack(counter) {
      const tries = find(counter);
      if (tries) tries.count = Math.max(0, tries.count - 1);
    },
    forget: ({ kind, key }) => void ofKind(kind).delete(key),
  };
}

function waitOf(tries: Tries, { free, longestWait }: Patience, now: number): number {
  const over = current(tries, now) - free;
  if (over < 0) return 0;
  const wait = Math.min(longestWait, FIRST_WAIT * 2 ** Math.min(20, over));
  return Math.max(0, tries.last + wait - now);
}

function current(tries: Tries, now: number): number {
  // A clock that was set back must not lock anybody out until it catches up.
  tries.last = Math.min(tries.last, now);
  return now - tries.last >= MEMORY ? 0 : tries.count;
}
