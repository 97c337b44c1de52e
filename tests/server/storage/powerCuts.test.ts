/**
 * The power fails before a disk call, and unsynced data is lost, kept, or partly kept: everything acknowledged is
 * there in its order, and anything else is complete or absent. `CALLS=10000 EVERY=1 bun test
 * tests/server/storage/powerCuts.test.ts` tries every call of a long run.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { createSeededRandom } from "./seededRandom.ts";
import { createDiskError } from "./faultyDisk.ts";
import { SURVIVALS, type Survival, PowerDisk } from "./powerDisk.ts";
import { hero, createSubscriber, subscribers, createVisit, visits } from "./samples.ts";

const CALL_COUNT = Number(process.env["CALLS"] ?? 1500);
const CUT_STEP = Number(process.env["EVERY"] ?? 23);

setDefaultTimeout(120_000 + (CALL_COUNT / CUT_STEP) * 1000);
const SEED = Number(process.env["SEED"] ?? 1);
const ENTITIES = [hero, subscribers, visits];

const rethrow = (error: Error): never => {
  throw error;
};

const openOnDisk = (directory: string, disk: PowerDisk, log: string[] = []) =>
  openStore({
    directory,
    entities: ENTITIES,
    disk,
    log: (line) => log.push(line),
    onFatal: rethrow,
  });

const readContent = async (store: Store): Promise<string> =>
  JSON.stringify([
    store.of(hero).read().value,
    store.of(visits).read().value,
    await Array.fromAsync(store.of(subscribers).scan()),
  ]);

/** The changes of a run; each is one line, or part of one. */
function createChange(
  number: number,
  draw: (below: number) => number,
): (store: Store) => Promise<unknown> {
  const earlier = `id-${1 + draw(number)}`;
  switch (draw(7)) {
    case 0:
      return (store) =>
        store.of(hero).update((value) => ({ ...value, title: `Title ${number}`, score: number }));
    case 1:
      return (store) => store.of(subscribers).delete(earlier);
    case 2:
      return (store) =>
        store.of(subscribers).update(earlier, (each) => ({ ...each, note: `Note ${number}` }));
    case 3:
      return (store) =>
        store.transaction(async (transaction) => {
          await transaction.of(visits).update((list) => [createVisit(number), ...list].slice(0, 9));
          await transaction.of(subscribers).insert(createSubscriber(number));
          await transaction.of(hero).update((value) => ({ ...value, score: number }));
        });
    case 4:
      // Reorders the rows.
      return (store) =>
        store.of(visits).update(([first, ...others]) => (first ? [...others, first] : others));
    default:
      return (store) => store.of(subscribers).insert(createSubscriber(number));
  }
}

/** Works with a store on a disk without faults. */
async function runUndisturbed<R>(work: (store: Store) => Promise<R>): Promise<R> {
  const directory = await mkdtemp(join(tmpdir(), "limelight-states-"));
  const store = await openOnDisk(directory, new PowerDisk(directory));
  try {
    return await work(store);
  } finally {
    await store.close();
    await rm(directory, { recursive: true });
  }
}

/** The stored content after each of these changes; the first is before any. */
const computeStates = (count: number): Promise<string[]> =>
  runUndisturbed(async (store) => {
    const draw = createSeededRandom(SEED);
    const states = [await readContent(store)];
    for (let number = 1; number <= count; number++) {
      await createChange(number, draw)(store);
      states.push(await readContent(store));
    }
    return states;
  });

test(`a power cut before ${CUT_STEP === 1 ? "each" : `every ${CUT_STEP}th`} of ${CALL_COUNT} calls to the disk loses no acknowledged change`, async () => {
  const [directory, cutDirectory] = await Promise.all(
    ["run", "cut"].map((name) => mkdtemp(join(tmpdir(), `limelight-power-${name}-`))),
  );
  const cuts = createSeededRandom(SEED + 1);
  // More than enough, since a change takes several calls.
  const states = await computeStates(CALL_COUNT / 2);
  const outcomes = new Map<Survival, number>();
  let answered = 0;
  let begun = 0;
  let isOver = false;
  let last = Promise.resolve();
  const expectOneOf = async (may: readonly string[], disk: PowerDisk, label: string) => {
    const log: string[] = [];
    const store = await openOnDisk(cutDirectory!, disk, log).catch((error: Error) => {
      throw new Error(`${label}: ${error.message}`, { cause: error });
    });
    const content = await readContent(store);
    await store.close();
    if (!may.includes(content))
      expect([label, content, log]).toEqual([label, may.at(-1)!, ["or one of those before it"]]);
  };
  const disk: PowerDisk = new PowerDisk(directory!, () => {
    const call = disk.calls;
    if (isOver || begun === 0 || call % CUT_STEP !== 0) return undefined;
    const may = states.slice(answered, begun + 1);
    const after = SURVIVALS.map(
      (left) => [left, disk.createAfterCut(cutDirectory!, left, cuts)] as const,
    );
    // Checks one store at a time.
    const checkAll = async () => {
      for (const [left, each] of after) {
        await expectOneOf(may, each, `call ${call}, seed ${SEED}: ${left}`);
        outcomes.set(left, (outcomes.get(left) ?? 0) + 1);
      }
    };
    last = last.then(checkAll);
    return last;
  });
  const draw = createSeededRandom(SEED);
  const store = await openOnDisk(directory!, disk);
  while (disk.calls < CALL_COUNT) {
    // One change at a time, or several that share a line.
    const burst = begun % 5 === 0 ? 4 : 1;
    const changes = Array.from({ length: burst }, () => createChange(++begun, draw)(store));
    await Promise.all(changes.map((each) => each.then(() => answered++)));
    if (begun % 17 < burst) await store.purgeOldVersions();
  }
  await store.close();
  isOver = true;
  await last;
  if (CUT_STEP === 1) console.log(`${disk.calls} calls, ${begun} changes`, outcomes);
  expect(outcomes.size).toBe(SURVIVALS.length);
  expect(await readContent(await openOnDisk(directory!, disk))).toBe(states[begun]!);
});

/** The content after these changes. */
const computeContent = (numbers: readonly number[]): Promise<string> =>
  runUndisturbed(async (store) => {
    for (const number of numbers) await createChange(number, createSeededRandom(number))(store);
    return readContent(store);
  });

const RUN_LENGTH = 16;
const listNumbers = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

/** Makes changes on a disk where one call fails; false if there were fewer calls. */
async function runWithFault(failing: number, code: string): Promise<boolean> {
  const label = `${code} at call ${failing}`;
  const [directory, again] = await Promise.all(
    ["fault", "again"].map((name) => mkdtemp(join(tmpdir(), `limelight-${name}-`))),
  );
  let isFailed = false;
  const disk: PowerDisk = new PowerDisk(directory!, () => {
    if (isFailed || disk.calls < failing) return;
    isFailed = true;
    throw createDiskError(code);
  });
  const process = { hasEnded: false };
  const onFatal = (error: Error): never => {
    process.hasEnded = true;
    throw error;
  };
  const options = { directory: directory!, entities: ENTITIES, disk, log: () => {}, onFatal };
  const done: number[] = [];
  let unknown: number | undefined;
  const store = await openStore(options).catch(() => undefined);
  for (const number of listNumbers(store ? RUN_LENGTH : 0)) {
    if (process.hasEnded) break;
    const work = createChange(number, createSeededRandom(number))(store!);
    const outcome = await work.then(
      () => true,
      () => false,
    );
    if (outcome) done.push(number);
    else if (process.hasEnded) unknown = number;
    if (number % 5 === 0 && !process.hasEnded) await store!.purgeOldVersions().catch(() => {});
  }
  const may = [await computeContent(done)];
  if (unknown !== undefined) may.push(await computeContent([...done, unknown]));
  if (store && !process.hasEnded) expect([label, may]).toEqual([label, [await readContent(store)]]);
  for (const left of ["everything", "what was synced"] as const) {
    const after = await openOnDisk(
      again!,
      disk.createAfterCut(again!, left, () => 0),
    ).catch((error: Error) => {
      throw new Error(`${label}, ${left}: ${error.message}`, { cause: error });
    });
    const content = await readContent(after);
    if (!may.includes(content)) expect([label, left, content]).toEqual([label, left, may.at(-1)!]);
    await after.close();
  }
  await store?.close().catch(() => {});
  await Promise.all([directory!, again!].map((each) => rm(each, { recursive: true })));
  return isFailed;
}

test.each(["ENOSPC", "EIO", "EMFILE"])(
  "whichever call to the disk fails with %s, acknowledged changes are stored, and refused ones aren't",
  async (code) => {
    const step = CUT_STEP === 1 ? 1 : 11;
    let runs = 0;
    for (let failing = 0; await runWithFault(failing, code); failing += step) runs++;
    if (CUT_STEP === 1) console.log(`${runs} calls failed with ${code}`);
    expect(runs * step).toBeGreaterThan(100);
  },
);
