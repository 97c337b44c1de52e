/** What looks at a site now and then ends with it: a whole restore opens it anew in the same process. */
import { expect, spyOn, test } from "bun:test";
import { startSite } from "../support/startSite.ts";

/** What waits for longer is meant to come back again and again. */
const A_WHILE = 10_000;
/** Empties a cache, once and for all sites, about five minutes after the last route was made. */
const ELYSIAS_OWN = 295_000;

test("a site that has stopped leaves no timer behind", async () => {
  const repeated = spyOn(globalThis, "setInterval");
  const delayed = spyOn(globalThis, "setTimeout");
  const cleared = [spyOn(globalThis, "clearInterval"), spyOn(globalThis, "clearTimeout")];
  try {
    const site = await startSite();
    await site.stop();
    const begun = [repeated, delayed].flatMap(({ mock }) =>
      mock.calls.flatMap(([, ms], at) => {
        const timer = mock.results[at]!.value as unknown;
        return (ms ?? 0) >= A_WHILE && ms !== ELYSIAS_OWN ? [{ ms, timer }] : [];
      }),
    );
    const ended = new Set(cleared.flatMap(({ mock }) => mock.calls.map(([timer]) => timer)));
    // The sweep of the bin, notices, the room on the disk, midnight, mail.
    expect(begun.length).toBeGreaterThanOrEqual(4);
    expect(begun.filter(({ timer }) => !ended.has(timer as never))).toEqual([]);
  } finally {
    for (const each of [repeated, delayed, ...cleared]) each.mockRestore();
  }
});
