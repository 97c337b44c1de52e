/**
 * A round that deletes closed enquiries, interrupted at any moment, leaves each in its list or in the bin, and the
 * audit log counts those in the bin; the next round continues (specification, section 4.17).
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { AuditLog } from "../../../src/server/accounts/auditLog.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { deleteClosed } from "../../../src/server/visitors/closedEnquiries.ts";
import { addForm } from "../../support/enquirySite.ts";
import { storedSubmission } from "../content/storedSubmission.ts";
import { cutDisk } from "../../support/cutDisk.ts";
import { faultyDisk } from "../storage/faultyDisk.ts";

const COUNT = 230;

const clock = Date.now;
const log = () => {};
const opened = (directory: string, disk = faultyDisk(() => {}, true)) =>
  openStore({ directory, entities: allEntities, log, disk });

type Store = Awaited<ReturnType<typeof opened>>;

const round = (store: Store) =>
  deleteClosed(
    { store, bin: new Bin(store), clock, audit: new AuditLog({ store, clock, log }) },
    async () => true,
  );

/** The numbers in the list, in the bin, in both, and in the audit log. */
async function countIn(store: Store) {
  const ids = async (list: AsyncIterable<{ id: string }>) =>
    new Set((await Array.fromAsync(list)).map(({ id }) => id));
  const listed = await ids(store.of(entities.formSubmissions).scan());
  const binned = await ids(new Bin(store).allOf(entities.formSubmissions));
  const entries = await Array.fromAsync(store.of(entities.auditLog).scan());
  const noted = entries.map(({ what }) => Number(/^deleted (\d+) closed/.exec(what)?.[1]));
  return {
    all: listed.union(binned).size,
    twice: listed.intersection(binned).size,
    unnoted: binned.size - noted.reduce((sum, each) => sum + each, 0),
    there: listed.size,
  };
}

test("wherever the daily deletion is interrupted, each enquiry is in its list or in the trash and counted, and the next one continues", async () => {
  const { folder, cuts, disk, during, remove } = await cutDisk(() => directory);
  const directory = join(folder, "data");
  const store = await opened(directory, disk);
  await addForm(store);
  await store
    .of(entities.forms)
    .update((all) => all.map((form) => ({ ...form, deleteAfter: "6" as const })));
  const list = store.of(entities.formSubmissions);
  const one = { stage: "closed" as const, createdAt: "2024-01-01T00:00:00.000Z" };
  await Promise.all(
    Array.from({ length: COUNT }, () => list.insert({ ...storedSubmission("form"), ...one })),
  );
  await store.purgeOldVersions();
  await during(async () => {
    await round(store);
    await store.purgeOldVersions();
  });
  const whole = { all: COUNT, twice: 0, unnoted: 0 };
  expect(await countIn(store)).toEqual({ ...whole, there: 0 });
  await store.close();

  const left = new Set<number>();
  for (const [at, cut] of cuts.entries()) {
    /* oxlint-disable no-await-in-loop -- one start after the other */
    const after = await opened(cut);
    const { there, ...found } = await countIn(after);
    expect([at, found]).toEqual([at, whole]);
    left.add(there);
    await round(after);
    expect([at, await countIn(after)]).toEqual([at, { ...whole, there: 0 }]);
    await after.close();
    /* oxlint-enable no-await-in-loop */
  }
  // Before the first transaction, between them, and after the last.
  expect([...left].toSorted((one, other) => one - other)).toEqual([0, 30, 130, 230]);
  await remove();
}, 300_000);
