/** IP addresses and browsers of visitors are kept only as long as needed (security.md, personal data). */
import type { Records, Store } from "../storage/store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Traced {
  id: string;
  ipAddress: string | null;
  userAgent: string | null;
}

/**
 * Removes them from every submission and subscription older than `days`, earlier copies of the files
 * included. Gives how many records lost theirs.
 */
export async function forgetVisitors(store: Store, days: number, now = Date.now()) {
  const before = new Date(now - days * DAY_MS).toISOString();
  const submissions = store.records<Traced, { createdAt: string | null }>("form-submissions");
  const subscriptions = store.records<Traced, { subscribedAt: string | null }>(
    "email-subscriptions",
  );
  const fromSubmissions = await forget(submissions, (key) => isBefore(key.createdAt, before));
  const fromList = await forget(subscriptions, (key) => isBefore(key.subscribedAt, before));
  return fromSubmissions + fromList;
}

function forget<K>(records: Records<Traced, K>, where: (key: K) => boolean): Promise<number> {
  return records.updateWhere(where, (record) =>
    record.ipAddress === null && record.userAgent === null
      ? record
      : { ...record, ipAddress: null, userAgent: null },
  );
}

// Both are ISO 8601 in UTC, which sorts as text.
const isBefore = (moment: string | null, before: string) => moment !== null && moment < before;

/** Forgets now and once a day; `failed` hears of a sweep that did not get through. */
export function keepForgetting(
  store: Store,
  days: number,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  const sweep = () => forgetVisitors(store, days).then(() => undefined, failed);
  let running = sweep();
  const timer = setInterval(() => (running = running.then(sweep)), DAY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
