import { expect, test } from "bun:test";
import { createFillingTimeProofs } from "../../../src/server/visitors/enquiryRateLimits.ts";

const secret = new Uint8Array(32).fill(7);
const DAY = 24 * 60 * 60 * 1000;

test("the time for filling in a form counts from the signed start time", () => {
  let now = 1_800_000_000_000;
  const filling = createFillingTimeProofs(secret, () => now);
  const proof = filling.createProof();
  expect(filling.computeElapsedMs(proof)).toBe(0);
  now += 4321;
  expect(filling.computeElapsedMs(proof)).toBe(4321);
});

test("a start time that is forged, of another site, in the future or a day old is ignored", () => {
  let now = 1_800_000_000_000;
  const filling = createFillingTimeProofs(secret, () => now);
  const proof = filling.createProof();
  const earlier = proof.replace(/^[^.]*/, (now - 60_000).toString(36));
  const foreign = createFillingTimeProofs(new Uint8Array(32).fill(8), () => now).createProof();
  for (const bad of [undefined, earlier, foreign])
    expect(filling.computeElapsedMs(bad)).toBeUndefined();
  now -= 1;
  expect(filling.computeElapsedMs(proof)).toBeUndefined();
  now += DAY + 2;
  expect(filling.computeElapsedMs(proof)).toBeUndefined();
});

test("a browser's encryption key stays the same for a day, and is then no longer available", () => {
  let now = 1_800_000_000_000;
  const filling = createFillingTimeProofs(secret, () => now);
  const proof = filling.createProof();
  const key = filling.computeEncryptionKey(proof);
  expect(Buffer.from(key!, "base64")).toHaveLength(32);
  now += DAY;
  expect(filling.computeEncryptionKey(proof)).toBe(key!);
  const other = createFillingTimeProofs(new Uint8Array(32).fill(8), () => now);
  expect(other.computeEncryptionKey(other.createProof())).not.toBe(key!);
  expect(other.computeEncryptionKey(proof)).toBeUndefined();
  now += 1;
  expect(filling.computeEncryptionKey(proof)).toBeUndefined();
});
