/** Bounds how many bodies one address may be sending at once (security.md, "Slow senders"). */
import { limitKey } from "./clientAddress.ts";
import { tooManyRequests } from "./refusal.ts";

const MAX_AT_ONCE = 32;

/** Counts the unfinished writes of an address; gives the way to say that one has finished. */
export function inFlight(): (address: string) => () => void {
  const counts = new Map<string, number>();
  return (address) => {
    const key = limitKey(address);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > MAX_AT_ONCE)
      throw tooManyRequests("Too many requests at once. Wait a moment and try again.", 5);
    counts.set(key, count);
    return () => {
      const left = counts.get(key)! - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
