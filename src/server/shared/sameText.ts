/** Comparing what somebody sent with a secret. */
import { timingSafeEqual } from "node:crypto";

/** True when both are the same text; how long it takes doesn't tell where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
