/** Joining and leaving the mailing list takes the same work for known and unknown addresses (specification, section 6.6). */
import { expect, test } from "bun:test";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";
import { faultyDisk } from "../storage/faultyDisk.ts";

/** An fsync of an ordinary virtual server's disk, and then some. */
const SLOW = 60;

let seen: string[] = [];
const slowDisk = faultyDisk(async (operation) => {
  seen.push(operation);
  if (operation === "sync") await Bun.sleep(SLOW);
}, true);

const site = siteForAll(() => startSite({ env: { RATE_LIMIT: "off" }, disk: slowDisk }));

const join = (email: string) => site.visitor().post("/api/email-subscriptions", { email });
const leave = (email: string) =>
  site.visitor().post("/api/email-subscriptions/unsubscribe", { email });

test("whether an address is on the list, was on it or never was can't be told by the clock", async () => {
  for (let at = 0; at < 4; at++) await join(`active${at}@example.com`);
  for (let at = 0; at < 4; at++) await join(`left${at}@example.com`);
  for (let at = 0; at < 4; at++) await leave(`left${at}@example.com`);
  const ways: Record<string, (at: number) => ReturnType<typeof join>> = {
    "joining, unknown": (at) => join(`new${at}@example.com`),
    "joining, active": () => join("active0@example.com"),
    "joining, left": (at) => join(`left${at}@example.com`),
    "leaving, unknown": (at) => leave(`nobody${at}@example.com`),
    "leaving, active": (at) => leave(`active${at}@example.com`),
    "leaving, left": () => leave("active0@example.com"),
  };
  const work: Record<string, string> = {};
  const least: Record<string, number> = {};
  for (const [name, call] of Object.entries(ways)) {
    least[name] = Number.POSITIVE_INFINITY;
    for (let at = 0; at < 3; at++) {
      seen = [];
      const started = performance.now();
      expect((await call(at)).status).toBeOneOf([200, 201]);
      least[name] = Math.min(least[name], performance.now() - started);
      work[name] = seen.toSorted().join(" ");
    }
  }
  expect(Object.entries(work)).toEqual(
    Object.keys(work).map((name) => [name, work["joining, unknown"]!]),
  );
  expect(work["leaving, unknown"]).toContain("sync");
  // One step of the grid apart at most; without the same work it would be four times an fsync.
  const times = Object.values(least);
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(100);
});
