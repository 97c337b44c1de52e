/** The shutdown of the built executable, with slow senders and repeated signals. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AllWrites } from "../support/allWrites.ts";
import { sendRawRequest } from "../support/rawRequest.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { waitForValue, measureRunningTime } from "../support/waits.ts";

const site = setUpServedSite({ isStarted: false });

/** Ends the site by a signal; fails if that takes over `within` milliseconds, apart from stalls of the machine. */
async function expectStops(within: number, end = () => site.stop("SIGTERM")): Promise<void> {
  const time = measureRunningTime();
  await end();
  time.stop();
  expect(time.readElapsedMs()).toBeLessThan(within);
}

/** Sends a request whose body lacks some spaces, one of which follows every half second. */
async function startDripping(request: string, body: string, missing: number) {
  const open = Promise.withResolvers<void>();
  const length = body.length + missing;
  const head = `${request}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const answer = sendRawRequest(site.url, head + body, {
    drip: { text: " ", intervalMs: 500 },
    timeoutMs: 50_000,
    onOpen: open.resolve,
  });
  await open.promise;
  return { answer };
}

test("a slow sender delays the shutdown by at most 10 seconds, and a request finished within that time is answered", async () => {
  await site.start({});
  const owner = await site.owner();
  const enquiry = "POST /api/form-submissions HTTP/1.1";
  const slow = [
    await startDripping(enquiry, "{", 60_000),
    await startDripping(enquiry, "{", 60_000),
  ];
  const save = `POST /api/hero HTTP/1.1\r\nCookie: ${owner.cookies()}`;
  const quick = await startDripping(save, '{"mainTitle":"The last word"}', 3);
  // This response shows that the connections above were accepted.
  await owner.get("/api/hero");
  await expectStops(10_000);
  expect((await quick.answer).status).toBe(200);
  for (const { answer } of slow) expect((await answer).isClosed).toBe(true);
  expect(await readFile(join(site.dataDir, "hero.json"), "utf8")).toContain("The last word");
});

const SIGNALS = Number(process.env["SIGNALS"] ?? 2);

setDefaultTimeout(120_000 + SIGNALS * 15_000);

test(`each of ${SIGNALS} shutdown signals during writes stops the program within 10 seconds, and no acknowledged write is lost`, async () => {
  const writes = new AllWrites();
  await site.start();
  await writes.prepare(await site.owner());
  for (let round = 0; round < SIGNALS; round++) {
    const writers = writes.write({ owner: await site.owner(), visitor: site.visitor() });
    // Some writes are acknowledged and the others are under way, however slow the machine is.
    const some = writes.acknowledged + 2;
    await waitForValue(() => writes.acknowledged >= some, true);
    await Bun.sleep(50 + 300 * Math.random());
    await expectStops(10_000, () => {
      const ended = site.stop((["SIGTERM", "SIGINT"] as const)[round % 2]);
      // A second Ctrl+C ends the process at once, which loses nothing either.
      if (round % 4 === 1) process.kill(site.pid, "SIGINT");
      return ended;
    });
    await writers;
    await site.start();
    await writes.assertStored(await site.owner());
  }
  await site.stop();
  site.expectUndamaged();
  expect(writes.acknowledged).toBeGreaterThan(SIGNALS);
});
