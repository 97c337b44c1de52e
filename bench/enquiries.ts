/**
 * The cost of 100,000 submissions and 100,000 subscriptions: `bun bench/enquiries.ts`, or with another number as its
 * argument. Compares a site that holds so many of each with a site that holds 100 of each.
 */
import { allEntities, entities } from "../src/schema/index.ts";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "../src/server/storage/files/openStore.ts";
import type { Store } from "../src/server/storage/store.ts";
import { STORAGE_LIMITS } from "../src/server/visitors/visitorQuota.ts";
import { subscribe } from "../src/server/newsletter/subscriptions.ts";
import { toSiteFolder } from "../tests/support/program.ts";
import {
  createTemporaryFolder,
  median,
  printFigure,
  measureTime,
  measureTimes,
} from "./measure.ts";
import { createSubmission } from "./seedEnquiries.ts";
import { startSeededSite } from "./seededSite.ts";

const MANY = Number(process.argv[2] ?? 100_000);
/** True if the list of submissions is full. The site then accepts no more, so submissions can only be read. */
const IS_FULL = MANY >= STORAGE_LIMITS.formSubmissions.records;
const FEW = 100;
/** The measured writes: as many as fill a whole segment, so that both sites write at each of its fill levels. */
const WRITES = 200;
/** After so many calls, frequently called code is compiled. */
const WARM_UP_CALLS = 200;
const READS = 25;
/** The time after which a started site has finished its deferred reading, in milliseconds. */
const READ_DELAY_MS = 5000;

type Site = Awaited<ReturnType<typeof startSeededSite>>;

const folder = await createTemporaryFolder();
try {
  const few = await startSeededSite(join(folder, "few"), FEW);
  const many = await startSeededSite(join(folder, "many"), MANY);
  try {
    printRows(await measure(few, many));
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
  const [label, figure] = IS_FULL
    ? ["one more submission over the store, many : few", await compareInserts(folder)]
    : ["one more subscription, many : few", await compareSubscriptions(folder)];
  printRows([[label, figure, "<= 1.3"]]);
} finally {
  await rm(folder, { recursive: true });
}

async function measure(few: Site, many: Site): Promise<[string, string, string][]> {
  await Bun.sleep(READ_DELAY_MS);
  const submitRatio = IS_FULL
    ? "the list is full"
    : await compareCalls(few, many, (site) => site.submit());
  const pageRatio = await compareCalls(few, many, (site) =>
    site.list("/api/form-submissions/form?limit=20"),
  );
  const firstPageMs = await measureMedian(() => many.list("/api/form-submissions/form"));
  const subscriptionsMs = await measureMedian(() => many.list("/api/email-subscriptions"));
  const lastPageMs = await measureMedian(() =>
    many.list(`/api/form-submissions/form?offset=${MANY - 200}`),
  );
  const searchMs = await measureMedian(() => many.search("/api/form-submissions/form"), 5);
  const stageMs = await measureMedian(() =>
    many.list("/api/form-submissions?limit=20&stage=talking"),
  );
  const followUpsMs = await measureMedian(() => many.list("/api/follow-ups"));
  const changeRatio = await compareChanges(many);
  const rss = await many.readMemory();
  return [
    [
      "start, to the first page",
      `${formatMs(many.startMs)} (${formatMs(few.startMs)} with ${FEW})`,
      "< 2000 ms",
    ],
    ["and to the first list of submissions", formatMs(many.firstListMs), "-"],
    ["one more submission, many : few", submitRatio, "<= 1.3"],
    ["a page of 20 submissions, many : few", pageRatio, "-"],
    ["first page of submissions", formatMs(firstPageMs), "< 50 ms"],
    ["first page of subscriptions", formatMs(subscriptionsMs), "< 50 ms"],
    ["last page of submissions", formatMs(lastPageMs), "-"],
    ["search through all submissions", formatMs(searchMs), "< 1000 ms"],
    ["first page of a stage, of all forms", formatMs(stageMs), "< 10 ms"],
    ["follow-ups, 100 of them", formatMs(followUpsMs), "< 20 ms"],
    ["a change of stage : of status", changeRatio, "<= 1.1"],
    ["memory (RSS) before and after", `${many.rssAtStart} / ${rss} MB`, "< 400 MB"],
  ];
}

/** Compares changing a submission's stage with changing its status, in turns. */
async function compareChanges(site: Site): Promise<string> {
  const [{ id }] = await site.list("/api/form-submissions/form?limit=1");
  const path = `/api/form-submissions/${id}`;
  return compareTimes(
    (index) => site.put(`${path}/progress`, { stage: index % 2 ? "talking" : "" }),
    (index) => site.put(`${path}/status`, { status: index % 2 ? "new" : "reviewed" }),
  );
}

/** Compares subscriptions through the store: the route responds at multiples of 50 ms, which would hide the cost. */
function compareSubscriptions(folder: string): Promise<string> {
  const visitor = { address: "192.0.2.1", userAgent: null };
  const visitorQuota = { isOpen: () => true, assertOpen() {}, consume: async () => {} };
  const mailingList = {
    isDoubleOptIn: () => false,
    canMailLinks: () => false,
    findDueWelcome: () => null,
    checkNow: () => {},
  };
  return compareStores(folder, (store, index) =>
    subscribe(
      { store, clock: Date.now, visitorQuota, mailingList },
      { email: `new${index}@example.com`, name: null },
      visitor,
    ),
  );
}

/** Compares submissions through the store, which accepts more than a site does. */
function compareInserts(folder: string): Promise<string> {
  return compareStores(folder, (store, index) =>
    store
      .of(entities.formSubmissions)
      .insert({ ...createSubmission(index), id: Bun.randomUUIDv7() }),
  );
}

async function compareStores(
  folder: string,
  call: (store: Store, index: number) => Promise<unknown>,
): Promise<string> {
  const open = (name: string) =>
    openStore({
      directory: toSiteFolder(join(folder, name)).dataDir,
      entities: allEntities,
    });
  const [few, many] = [await open("few"), await open("many")];
  const figure = await compareCalls(few, many, call);
  await Promise.all([few.close(), many.close()]);
  return figure;
}

const compareCalls = <S>(few: S, many: S, call: (site: S, index: number) => Promise<unknown>) =>
  compareTimes(
    (index) => call(many, index),
    (index) => call(few, index),
  );

type Call = (index: number) => Promise<unknown>;

/** Compares the medians of interleaved calls, so that other load affects both alike. */
async function compareTimes(first: Call, second: Call): Promise<string> {
  const measured = [first, second].map((call) => ({ call, times: [] as number[] }));
  for (let index = 0; index < WARM_UP_CALLS + WRITES; index++)
    // The second call may have to wait for pending disk work of the first, so the order alternates. The order changes
    // only every second time, since the calls alternate what they write each time.
    for (const { call, times } of index % 4 < 2 ? measured : measured.toReversed()) {
      const time = await measureTime(() => call(index));
      if (index >= WARM_UP_CALLS) times.push(time);
    }
  const [firstMs = 0, secondMs = 0] = measured.map(({ times }) => median(times));
  return `${(firstMs / secondMs).toFixed(2)} (${formatMs(firstMs)} : ${formatMs(secondMs)})`;
}

async function measureMedian(call: () => Promise<unknown>, count = READS): Promise<number> {
  return median(await measureTimes(call, count));
}

function formatMs(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}

function printRows(rows: [string, string, string][]): void {
  for (const row of rows) printFigure(...row);
}
