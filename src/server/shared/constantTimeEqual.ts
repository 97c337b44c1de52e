import { timingSafeEqual } from "node:crypto";

/** Compares input with a secret in constant time, so that the duration doesn't reveal where the texts differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
