/** The built executable at its end: slow senders, signals, and a log that nobody reads. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  newSiteFolder,
  program,
  removeFolder,
  serveProgram,
  type SiteFolder,
} from "../support/program.ts";
import { AllWrites } from "../support/allWrites.ts";
import { rawRequest } from "../support/rawRequest.ts";
import { AS_OWNER, callersOf } from "../support/site.ts";
import { eventually, runningTime } from "../support/waits.ts";

let site: SiteFolder;
beforeEach(async () => {
  site = await newSiteFolder();
});
afterEach(() => removeFolder(site));

/** Sends a request whose body is still some spaces short, of which one comes every half second. */
async function dripping(url: string, request: string, body: string, missing: number) {
  const open = Promise.withResolvers<void>();
  const length = body.length + missing;
  const head = `${request}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const answer = rawRequest(url, head + body, {
    drip: { text: " ", every: 500 },
    patience: 50_000,
    onOpen: open.resolve,
  });
  await open.promise;
  return { answer };
}

test("who sends slowly keeps it from ending for at most 10 seconds; whoever is done before is answered", async () => {
  const serving = await serveProgram(site, AS_OWNER);
  const owner = await callersOf(serving.url).loginAsOwner();
  const enquiry = "POST /api/form-submissions HTTP/1.1";
  const slow = [await dripping(serving.url, enquiry, "{", 60_000)];
  slow.push(await dripping(serving.url, enquiry, "{", 60_000));
  const save = `POST /api/hero HTTP/1.1\r\nCookie: ${owner.cookies()}`;
  const quick = await dripping(serving.url, save, '{"mainTitle":"The last word"}', 3);
  // Answered after the connections above were taken.
  await owner.get("/api/hero");
  const time = runningTime();
  await serving.stop("SIGTERM");
  time.stop();
  expect(time.passed()).toBeLessThan(10_000);
  expect((await quick.answer).status).toBe(200);
  for (const { answer } of slow) expect((await answer).closed).toBe(true);
  expect(await readFile(join(site.dataDir, "hero.json"), "utf8")).toContain("The last word");
});

test("a log that nobody reads stops no request, and is not waited for at the end", async () => {
  const fifo = join(site.folder, "fifo");
  await Bun.spawn(["mkfifo", fifo]).exited;
  // Read and write, so that opening waits for nobody; it is never read.
  const held = openSync(fifo, "r+");
  const quiet = join(site.folder, "silent.sh");
  await Bun.write(quiet, `#!/bin/sh\nexec "${program()}" "$@" > "${fifo}" 2>&1\n`);
  const serving = await serveProgram(
    site,
    { ...AS_OWNER, RATE_LIMIT: "off" },
    {
      command: ["sh", quiet],
    },
  );
  const visitor = callersOf(serving.url).visitor();
  // A pipe holds 64 KB, a line some 70 bytes.
  for (let at = 0; at < 4000; at++) expect((await visitor.get("/api/site")).status).toBe(200);
  const time = runningTime();
  await serving.stop("SIGTERM");
  time.stop();
  expect(time.passed()).toBeLessThan(6000);
  closeSync(held);
}, 120_000);

const SIGNALS = Number(process.env["SIGNALS"] ?? 4);

test(
  `${SIGNALS} signals under all kinds of writes: it ends in order and in time, and nothing answered is lost`,
  async () => {
    const writes = new AllWrites();
    let serving = await serveProgram(site, { ...AS_OWNER, RATE_LIMIT: "off" });
    let owner = await callersOf(serving.url).loginAsOwner();
    await writes.prepare(owner);
    for (let round = 0; round < SIGNALS; round++) {
      const writers = writes.write({ owner, visitor: callersOf(serving.url).visitor() });
      // However slow the machine: some have been answered, and the others are at any place.
      const some = writes.acknowledged + 2;
      await eventually(() => writes.acknowledged >= some, true);
      await Bun.sleep(50 + 300 * Math.random());
      const time = runningTime();
      const child = serving.stop((["SIGTERM", "SIGINT"] as const)[round % 2]);
      // Whoever is impatient and presses Ctrl+C again ends it at once, which loses nothing either.
      if (round % 4 === 3) process.kill(serving.pid, "SIGINT");
      await child;
      time.stop();
      expect(time.passed()).toBeLessThan(10_000);
      await writers;
      serving = await serveProgram(site, { ...AS_OWNER, RATE_LIMIT: "off" });
      owner = await callersOf(serving.url).loginAsOwner();
      await writes.compare(owner);
    }
    await serving.stop();
    expect(/.*(DAMAGED|RECOVERED|LOST).*/.exec(serving.log())?.[0]).toBeUndefined();
    expect(writes.acknowledged).toBeGreaterThan(SIGNALS);
  },
  30_000 + SIGNALS * 15_000,
);

test("every request has its line in the log, also the last one before the end", async () => {
  const serving = await serveProgram(site, AS_OWNER);
  const visitor = callersOf(serving.url).visitor();
  const count = 300;
  await Promise.all(Array.from({ length: count }, () => visitor.get("/api/hero")));
  await visitor.get("/api/last");
  await serving.stop("SIGTERM");
  const lines = serving.log().split("\n");
  expect(lines.filter((line) => / GET \/api\/hero 200 /.test(line))).toHaveLength(count);
  expect(lines.filter((line) => / GET \/api\/last 404 /.test(line))).toHaveLength(1);
});
