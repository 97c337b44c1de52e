/**
 * The built executable under all kinds of writes and reads for a while: memory and open files don't grow endlessly,
 * though the amount of stored data stays the same. `SOAK_SECONDS=1800 bun test tests/attacks/soak.test.ts` for a long
 * run; with `SOAK_PAUSE=200` each caller waits for 200 ms before each call.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { median, readMemory } from "../../bench/measure.ts";
import { AllWrites } from "../support/allWrites.ts";
import { type TestResponse, Client } from "../support/client.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { OWNER } from "../support/site.ts";

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 2);
const PAUSE_MS = Number(process.env["SOAK_PAUSE"] ?? 0);

setDefaultTimeout(SECONDS * 1000 + 180_000);
/** The number of writes before the first measurement: code loaded and compiled once isn't growth. */
const WARM_UP_ROUNDS = 100;
/**
 * How long callers write before their records are trimmed, within the ten minutes for which a login proves the
 * password.
 */
const SHIFT_MS = 60_000;
/**
 * The growth in MB that the program may keep between the middle of the first third and that of the last, however
 * long the run is. The peak would include uncollected garbage.
 */
const MAX_GROWTH = 60;

const site = setUpServedSite();

interface Sample {
  readonly resident: number;
  readonly open: number;
}

/** Waits before each call. */
class PausingClient extends Client {
  override async call(...args: Parameters<Client["call"]>): Promise<TestResponse> {
    await Bun.sleep(PAUSE_MS);
    return super.call(...args);
  }
}

async function takeSample(): Promise<Sample> {
  const { resident } = await readMemory(site.pid);
  return { resident, open: (await readdir(`/proc/${site.pid}/fd`)).length };
}

test(`during ${SECONDS} seconds of mixed calls memory and open files don't grow, and no acknowledged write is lost`, async () => {
  const writes = new AllWrites();
  const visitor = new PausingClient(site.url);
  const loggedIn = async () => {
    const owner = new PausingClient(site.url);
    const { username, password } = OWNER;
    expect((await owner.post("/api/auth/login", { username, password })).status).toBe(200);
    return owner;
  };
  const first = await loggedIn();
  await writes.prepare(first);
  await writes.write({ owner: first, visitor }, () => writes.acknowledged >= WARM_UP_ROUNDS);
  const end = performance.now() + SECONDS * 1000;
  const isOver = () => performance.now() > end;
  const samples: Sample[] = [];
  let requests = 0;
  const reading = (async () => {
    for (; !isOver(); requests += 4)
      for (const path of ["/", "/coaching", "/api/hero", "/api/health"]) {
        const { status, text } = await visitor.get(path);
        expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
      }
  })();
  const watching = (async () => {
    do {
      await Bun.sleep(Math.min(10_000, (SECONDS * 1000) / 12));
      samples.push(await takeSample());
    } while (!isOver());
  })();
  while (!isOver()) {
    const shift = Math.min(end, performance.now() + SHIFT_MS);
    const owner = await loggedIn();
    await writes.write({ owner, visitor }, () => performance.now() > shift);
    await writes.trim(owner);
  }
  await Promise.all([reading, watching]);
  await writes.assertStored(await site.logInAsOwner());
  const third = Math.ceil(samples.length / 3);
  const most = (of: Sample[], metric: keyof Sample) => Math.max(...of.map((each) => each[metric]));
  const middle = (of: Sample[]) => median(of.map(({ resident }) => resident));
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  const summary = {
    seconds: SECONDS,
    acknowledged: writes.acknowledged,
    requests,
    resident: [middle(early), middle(late)],
    highest: [most(early, "resident"), most(late, "resident")],
    open: [most(early, "open"), most(late, "open")],
  };
  if (SECONDS > 60) console.log(JSON.stringify(summary), JSON.stringify(samples));
  expect(most(late, "open")).toBeLessThan(most(early, "open") + 20);
  expect(middle(late)).toBeLessThan(middle(early) + MAX_GROWTH);
  const log = site.log();
  expect(/.*(DAMAGED|RECOVERED|LOST| 50\d ).*/.exec(log)?.[0]).toBeUndefined();
  // Only records deleted by this test may be missing.
  const missing = [...log.matchAll(/ DELETE (\S+) 404 /g)].map(([, path]) => path!);
  expect(missing.filter((path) => !log.includes(` DELETE ${path} 204 `))).toEqual([]);
});
