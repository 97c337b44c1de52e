/**
 * The cost of 100,000 submissions and 100,000 subscriptions: `bun bench/enquiries.ts`, or with another number as its
 * argument. Compares a site that holds them with one that holds 100 of each.
 */
import { allEntities, entities } from "../src/schema/index.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/server/storage/files/openStore.ts";
import type { Store } from "../src/server/storage/store.ts";
import { STORAGE_LIMITS } from "../src/server/visitors/visitorQuota.ts";
import { subscribe } from "../src/server/newsletter/subscriptions.ts";
import { siteIn } from "../tests/support/program.ts";
import { median, say, timeOf, timesOf } from "./measure.ts";
import { submission } from "./seedEnquiries.ts";
import { startSeededSite } from "./seededSite.ts";

const MANY = Number(process.argv[2] ?? 100_000);
/** The list is full, so further ones can only be read. */
const IS_FULL = MANY >= STORAGE_LIMITS.formSubmissions.records;
const FEW = 100;
/** A whole segment, so that both sites write at each of its fill levels. */
const WRITES = 200;
/** Frequently called code is compiled by then. */
const WARM = 200;
const READS = 25;
/** In milliseconds: a start has finished its deferred reading by then. */
const READ_AFTER = 5000;
const TURNS = ["few", "many"] as const;
const CALLS = ["status", "progress"] as const;

type Site = Awaited<ReturnType<typeof startSeededSite>>;

const folder = await mkdtemp(join(tmpdir(), "limelight-bench-"));
try {
  const few = await startSeededSite(join(folder, "few"), FEW);
  const many = await startSeededSite(join(folder, "many"), MANY);
  try {
    report(await measure(few, many));
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
  const [label, figure] = IS_FULL
    ? ["one more submission over the store, many : few", await storing(folder)]
    : ["one more subscription, many : few", await joining(folder)];
  report([[label, figure, "<= 1.3"]]);
} finally {
  await rm(folder, { recursive: true });
}

async function measure(few: Site, many: Site): Promise<[string, string, string][]> {
  await Bun.sleep(READ_AFTER);
  const submit = IS_FULL ? "the list is full" : await ratio(few, many, (site) => site.submit());
  const pages = await ratio(few, many, (site) => site.list("/api/form-submissions/form?limit=20"));
  const submissions = await middle(() => many.list("/api/form-submissions/form"));
  const subscriptions = await middle(() => many.list("/api/email-subscriptions"));
  const lastPage = await middle(() => many.list(`/api/form-submissions/form?offset=${MANY - 200}`));
  const search = await middle(() => many.search("/api/form-submissions/form"), 5);
  const inStage = await middle(() => many.list("/api/form-submissions?limit=20&stage=talking"));
  const followUps = await middle(() => many.list("/api/follow-ups"));
  const changes = await changing(many);
  const rss = await many.rss();
  return [
    [
      "start, to the first page",
      `${ms(many.startMs)} (${ms(few.startMs)} with ${FEW})`,
      "< 2000 ms",
    ],
    ["and to the first list of submissions", ms(many.firstListMs), "-"],
    ["one more submission, many : few", submit, "<= 1.3"],
    ["a page of 20 submissions, many : few", pages, "-"],
    ["first page of submissions", ms(submissions), "< 50 ms"],
    ["first page of subscriptions", ms(subscriptions), "< 50 ms"],
    ["last page of submissions", ms(lastPage), "-"],
    ["search through all submissions", ms(search), "< 1000 ms"],
    ["first page of a stage, of all forms", ms(inStage), "< 10 ms"],
    ["follow-ups, 100 of them", ms(followUps), "< 20 ms"],
    ["a change of stage : of status", changes, "<= 1.1"],
    ["memory (RSS) before and after", `${many.rssAtStart} / ${rss} MB`, "< 400 MB"],
  ];
}

/** Compares a change of stage with one of status, of the same submission, in turns. */
async function changing(site: Site): Promise<string> {
  const [{ id }] = await site.list("/api/form-submissions/form?limit=1");
  const calls = {
    status: (at: number) => ({ status: at % 2 ? "new" : "reviewed" }),
    progress: (at: number) => ({ stage: at % 2 ? "talking" : "" }),
  };
  const times = { status: [] as number[], progress: [] as number[] };
  for (let at = 0; at < WARM + WRITES; at++)
    for (const turn of at % 4 < 2 ? CALLS : CALLS.toReversed()) {
      const path = `/api/form-submissions/${id}/${turn}`;
      const time = await timeOf(() => site.put(path, calls[turn](at)));
      if (at >= WARM) times[turn].push(time);
    }
  const [stage, status] = [median(times.progress), median(times.status)];
  return `${(stage / status).toFixed(2)} (${ms(stage)} : ${ms(status)})`;
}

/** Compares subscriptions through the store, since the route responds at multiples of 50 ms, which would hide the cost. */
function joining(folder: string): Promise<string> {
  const visitor = { address: "192.0.2.1", userAgent: null };
  const visitorQuota = { isOpen: () => true, assertOpen() {}, consume: async () => {} };
  const mailingList = {
    isDoubleOptIn: () => false,
    canMailLinks: () => false,
    findDueWelcome: () => null,
    checkNow: () => {},
  };
  return overStore(folder, (store, at) =>
    subscribe(
      { store, clock: Date.now, visitorQuota, mailingList },
      { email: `new${at}@example.com`, name: null },
      visitor,
    ),
  );
}

/** Compares submissions through the store, which accepts more than a site does. */
function storing(folder: string): Promise<string> {
  return overStore(folder, (store, at) =>
    store.of(entities.formSubmissions).insert({ ...submission(at), id: Bun.randomUUIDv7() }),
  );
}

async function overStore(
  folder: string,
  call: (store: Store, at: number) => Promise<unknown>,
): Promise<string> {
  const open = (name: string) =>
    openStore({
      directory: siteIn(join(folder, name)).dataDir,
      entities: allEntities,
    });
  const [few, many] = [await open("few"), await open("many")];
  const figure = await ratio(few, many, call);
  await Promise.all([few.close(), many.close()]);
  return figure;
}

/** Compares the medians of interleaved calls, so that other load affects both alike. */
async function ratio<S>(few: S, many: S, call: (site: S, at: number) => Promise<unknown>) {
  const sites = { few, many };
  const times = { few: [] as number[], many: [] as number[] };
  for (let at = 0; at < WARM + WRITES; at++) {
    // The second may pay for the disk's pending work of the first, so the order alternates.
    for (const turn of at % 2 ? TURNS : TURNS.toReversed()) {
      const time = await timeOf(() => call(sites[turn], at));
      if (at >= WARM) times[turn].push(time);
    }
  }
  const [a, b] = [median(times.few), median(times.many)];
  return `${(b / a).toFixed(2)} (${ms(b)} : ${ms(a)})`;
}

async function middle(call: () => Promise<unknown>, count = READS): Promise<number> {
  return median(await timesOf(call, count));
}

function ms(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}

function report(rows: [string, string, string][]): void {
  for (const row of rows) say(...row);
}
