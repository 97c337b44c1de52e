/**
 * Sends 5,000 requests of every shape over raw sockets to the built executable: none gets a 5xx, each gets a response
 * and little processor time, and memory doesn't grow. `FUZZ_REQUESTS=1000000` sends more, `FUZZ_SEED` others.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readCpuTime, readMemory } from "../../bench/measure.ts";
import { createHostileRequests } from "../support/hostileRequests.ts";
import { createPicture } from "../support/pictures.ts";
import { startProgram } from "../support/program.ts";
import { sendRawRequest } from "../support/rawRequest.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { startSite } from "../support/startSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5000);

setDefaultTimeout(60_000 + REQUESTS * 20);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const MAX_CONCURRENT = 8;
/**
 * The longest processor time until a complete request is answered, in milliseconds. Unlike elapsed time, it doesn't
 * depend on how busy the machine is.
 */
const MAX_CPU_MS = 2000;
/** A damaged request is aborted after this many milliseconds, since the server may wait for its rest. */
const DAMAGED_TIMEOUT_MS = 50;
/** The allowed growth of the program once it is warm, in MB. */
const MAX_GROWTH_MB = 60;
const REPORT_INTERVAL_MS = 20_000;

/** A line of the log about a request. */
const REQUEST_LINE = /^\S+Z [0-9a-z]{7} \S* .* \d{3} [\d.]+ms$/;
/** A request can't split its line of the log into two (ASVS 5.0, 16.4.1). */
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;
/** A line of the log about a failure of the program: an error's name, or a line of its stack. */
const STACK_OR_ERROR = /^\s+at |\w*Error\b/;

const site = setUpSiteForAll(() => startProgram({ env: { RATE_LIMIT: "off" } }));

/** In MB. */
const readSiteMemory = async () => Math.round((await readMemory(site.pid)).resident);

/** Every route of the same application, listed in this process. */
async function readRoutes(): Promise<{ method: string; path: string }[]> {
  const { app, stop } = await startSite();
  await stop();
  return app.routes;
}

test(`none of ${REQUESTS} hostile requests gets a 5xx response or takes more than ${MAX_CPU_MS} ms of processor time`, async () => {
  // Some faults show only if there is content to search.
  await uploadPicture(site, "a.png", await createPicture("png", 40, 30));
  const requests = createHostileRequests({
    seed: SEED,
    host: new URL(site.url).host,
    cookie: (await site.owner()).cookies(),
    routes: await readRoutes(),
  });
  let left = REQUESTS;
  const wrong: string[] = [];
  const note = (fault: string) => {
    wrong.push(fault);
    if (process.env.FUZZ_REQUESTS) console.log(JSON.stringify(fault));
  };
  const statuses = new Map<number, number>();
  let slowest = 0;
  let warm: number | undefined;
  /** Shows the progress of a long run. */
  const tell = async (sent: number) => {
    if (!process.env.FUZZ_REQUESTS) return;
    const figures = { sent, wrong: wrong.length, warm, memory: await readSiteMemory(), slowest };
    console.log(JSON.stringify({ ...figures, ...Object.fromEntries(statuses) }));
  };
  /** The time of the last check, in milliseconds. */
  let used = (await readCpuTime(site.pid)) / 1000;
  const sender = async () => {
    while (left-- > 0) {
      const { text, complete } = requests.next().value!;
      const before = used;
      const { status, isClosed: closed } = await sendRawRequest(site.url, text, {
        ...(!complete && { timeoutMs: DAMAGED_TIMEOUT_MS }),
      });
      used = (await readCpuTime(site.pid)) / 1000;
      const ms = used - before;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (complete) slowest = Math.max(slowest, ms);
      if (left < REQUESTS * 0.8) warm ??= await readSiteMemory();
      if (left % REPORT_INTERVAL_MS === 0) await tell(REQUESTS - left);
      if (status >= 500 && status !== 505) note(`${status}: ${text.slice(0, 300)}`);
      if (complete && ms > MAX_CPU_MS) note(`${Math.round(ms)} ms: ${text.slice(0, 300)}`);
      if (complete && status === 0 && !closed) note(`no answer: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, sender));
  await tell(REQUESTS);
  expect(wrong).toEqual([]);
  expect(await readSiteMemory()).toBeLessThan(warm! + MAX_GROWTH_MB);
  const lines = site.log().trimEnd().split("\n");
  expect(lines.filter((line) => CONTROL_CHARACTERS.test(line))).toEqual([]);
  const others = lines.filter((line) => !REQUEST_LINE.test(line));
  expect(others.filter((line) => STACK_OR_ERROR.test(line))).toEqual([]);
  expect(lines.length - others.length).toBeGreaterThan(REQUESTS / 2);
  // The requests have to reach reads, refusals of each kind, and missing paths.
  for (const status of [200, 400, 401, 404, 415, 422])
    expect(statuses.get(status)).toBeGreaterThan(REQUESTS / 500);
  expect((await site.visitor().get("/api/health")).status).toBe(200);
});
