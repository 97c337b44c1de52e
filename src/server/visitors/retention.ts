/** IP addresses and browsers of visitors are kept only as long as needed (security.md, personal data). */
import { entities } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Traced {
  id: string;
  ipAddress: string | null;
  userAgent: string | null;
}

/** Kept in memory, so that a sweep reads only the segments with something to remove. */
interface TracedKey {
  ipAddress: string | null;
  createdAt?: string | null;
  subscribedAt?: string | null;
}

/**
 * Removes them from every submission and subscription older than `days`, earlier copies of the files
 * included. Gives how many records lost theirs.
 */
export async function forgetVisitors(store: Store, days: number, now = Date.now()) {
  const before = new Date(now - days * DAY_MS).toISOString();
  const submissions = store.of(entities.formSubmissions);
  const subscriptions = store.of(entities.emailSubscriptions);
  const isOld = ({ ipAddress, createdAt, subscribedAt }: TracedKey) =>
    ipAddress !== null && isBefore(createdAt ?? subscribedAt ?? null, before);
  return (
    (await submissions.updateWhere(isOld, withoutTraces)) +
    (await subscriptions.updateWhere(isOld, withoutTraces))
  );
}

const withoutTraces = <T extends Traced>(record: T): T => ({
  ...record,
  ipAddress: null,
  userAgent: null,
});

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
