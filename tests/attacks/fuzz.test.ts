/**
 * Requests of every shape, over raw sockets: none is a 5xx, none takes long, and memory doesn't grow with
 * them. 10,000 of them; `FUZZ_REQUESTS=1000000` sends more, `FUZZ_SEED` others.
 */
import { expect, test } from "bun:test";
import { hostileRequests } from "../support/hostileRequests.ts";
import { pictureAs } from "../support/pictures.ts";
import { rawRequest } from "../support/rawRequest.ts";
import { siteForAll } from "../support/siteForAll.ts";
import { startSite } from "../support/startSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 8;
/** The longest that the answer to a complete request may take, in milliseconds. */
const LONGEST = 2000;
/** A damaged request may wait for the rest of itself; it is given up after this. */
const DAMAGED_PATIENCE = 50;

/** What the process may grow by once it is warm, in MB: the client and the test are part of it. */
const MOST_GROWTH = 150;
const MB = 1024 * 1024;
/** Nothing that is sent makes two lines of the log of one (ASVS 5.0, 16.4.1). */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const TOLD_EVERY = 20_000;

function memory(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / MB;
}

const site = siteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

test(
  `${REQUESTS} requests of every shape: no 5xx, none over ${LONGEST} ms`,
  async () => {
    // Some mistakes show only where there is something to look through.
    await uploadPicture(site, "a.png", await pictureAs("png", 40, 30));
    const requests = hostileRequests({
      seed: SEED,
      host: new URL(site.url).host,
      cookie: (await site.owner()).cookies(),
      routes: site.app.routes as { method: string; path: string }[],
    });
    let left = REQUESTS;
    const wrong: string[] = [];
    const statuses = new Map<number, number>();
    const slowest = { ms: 0 };
    let warm: number | undefined;
    /** Of a long run, how far it is. */
    const tell = (sent: number) => {
      if (!process.env.FUZZ_REQUESTS) return;
      const figures = {
        sent,
        wrong: wrong.length,
        faults: site.faults.length,
        warm,
        rss: memory(),
      };
      console.log(
        JSON.stringify({ ...figures, slowest: slowest.ms, ...Object.fromEntries(statuses) }),
      );
    };
    const sender = async () => {
      while (left-- > 0) {
        const { text, complete } = requests.next().value!;
        const patience = complete ? 2 * LONGEST : DAMAGED_PATIENCE;
        const { status, ms } = await rawRequest(site.url, text, { patience });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (complete) slowest.ms = Math.max(slowest.ms, ms);
        wrong.push(...site.log.filter((line) => CONTROL.test(line)));
        // Each request leaves a line, and each enquiry that fits a record: neither is what is measured.
        site.log.length = 0;
        if (left < REQUESTS * 0.8) warm ??= memory();
        if (left % TOLD_EVERY === 0) tell(REQUESTS - left);
        if (status >= 500 && status !== 505) wrong.push(`${status}: ${text.slice(0, 300)}`);
        if (complete && ms > LONGEST) wrong.push(`${Math.round(ms)} ms: ${text.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    const growth = memory() - warm!;
    tell(REQUESTS);
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(site.faults).toEqual([]);
    expect(wrong).toEqual([]);
    // It reached what it should try: reads, refusals of each kind, and what is not there.
    for (const status of [200, 400, 401, 404, 415, 422])
      expect(statuses.get(status)).toBeGreaterThan(REQUESTS / 500);
    expect((await site.visitor().get("/api/health")).status).toBe(200);
  },
  60_000 + REQUESTS * 20,
);
