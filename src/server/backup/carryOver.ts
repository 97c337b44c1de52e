/** Copies data that must survive a restore from the current data into the staged data. */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { isRefusal } from "../shared/errors.ts";
import { forEachConcurrently } from "../shared/concurrency.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { Bin } from "../bin/bin.ts";
import { parseEntryPath } from "../storage/archiveEntries.ts";
import { createFile, ensureFolder, ignoreMissing, writeDurably } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { SECRET_FILE } from "../storage/siteSecret.ts";
import type { Store } from "../storage/store.ts";

type Subscription = Item<"emailSubscriptions">;

/**
 * Copies the entities in `names` from `currentData` into the staging folder's `data`. If `names` has `SECRET_FILE`,
 * also copies the secret; if it has the erasures, also unsubscriptions and withdrawals of testimonials. Can be
 * repeated. Throws `cannot_store`, and errors of the disk.
 */
export async function carryOver(currentData: Engine, folder: string, names: readonly string[]) {
  const data = join(folder, "data");
  if (names.includes(entities.erasures.name)) await carryConsentWithdrawals(currentData, data);
  if (names.length > 0) await carryEntities(currentData, new Set(names), data);
  const secret = names.includes(SECRET_FILE) ? await currentData.readSecret() : undefined;
  await carrySecret(secret, folder);
  await syncFolders(folder);
}

/** Stores `secret`, or keeps the folder's secret. If there is neither, creates one, which ends all sessions. */
async function carrySecret(secret: Uint8Array | undefined, folder: string): Promise<void> {
  const path = join(folder, SECRET_FILE);
  if (!secret && (await ignoreMissing(stat(path)))) return;
  await writeDurably(disk, path, secret ?? randomBytes(32));
}

/** Replaces the archive's files of these entities with the current files, if an entity has any. */
async function carryEntities(currentData: Engine, names: ReadonlySet<string>, folder: string) {
  if (!(await currentData.isInstalled())) return;
  const carriedNames = new Set<string>();
  for await (const { path, bytes } of currentData.readFiles()) {
    const entry = parseEntryPath(path);
    if (!entry || entry.kind === "marker" || entry.kind === "revision") continue;
    const { entity: name } = entry;
    if (!names.has(name)) continue;
    if (!carriedNames.has(name)) {
      for (const each of [name, `${name}.json`, `${name}.json.bak`])
        await rm(join(folder, each), { recursive: true, force: true });
      carriedNames.add(name);
    }
    await ensureFolder(disk, dirname(join(folder, path)));
    await createFile(disk, join(folder, path), bytes);
  }
}

/** Repeats in the staged data what people did since the backup: unsubscriptions and withdrawals of testimonials. */
async function carryConsentWithdrawals(currentData: Engine, folder: string): Promise<void> {
  const inactive = await findInactiveSubscriptions(currentData);
  const withdrawnTimes = await findWithdrawnTestimonials(currentData);
  const { listed, deleted } = inactive;
  if (listed.length + deleted.length + withdrawnTimes.size === 0) return;
  const store = await createFolderEngine(folder).open({ entities: allEntities, log: () => {} });
  try {
    await carryInactiveSubscriptions(store, inactive);
    await carryWithdrawnTestimonials(store, withdrawnTimes);
  } finally {
    await store.close();
  }
  // Removes hidden files of the store, such as its lock.
  for (const name of await readdir(folder))
    if (name.startsWith(".")) await rm(join(folder, name), { recursive: true });
}

/** Unsubscribed and unreachable subscribers. `listed` are among the stored subscriptions, `deleted` in the bin. */
interface InactiveSubscriptions {
  readonly listed: readonly Subscription[];
  readonly deleted: readonly Subscription[];
}

async function findInactiveSubscriptions(currentData: Engine): Promise<InactiveSubscriptions> {
  const { emailSubscriptions, bin } = entities;
  const listed = await readOrEmpty(currentData.readRecords(emailSubscriptions));
  const deleted = selectBinItems(
    await readOrEmpty(currentData.readRecords(bin)),
    emailSubscriptions,
  );
  return {
    listed: selectInactive(listed),
    deleted: selectInactive(deleted.map(({ item }) => item)),
  };
}

async function carryInactiveSubscriptions(
  store: Store,
  { listed, deleted }: InactiveSubscriptions,
) {
  const { emailSubscriptions } = entities;
  const byEmail = new Map([...deleted, ...listed].map((each) => [each.email, each]));
  const carryStatus = (existing: Subscription) =>
    repeatUnsubscription(existing, byEmail.get(existing.email));
  const list = store.of(emailSubscriptions);
  await new Bin(store).changeItems(emailSubscriptions, (item) => carryStatus(item as Subscription));
  await forEachConcurrently(deleted, ({ email }) => list.updateUnique(email, carryStatus));
  // Adds subscribers that the backup lacks, because only their records show who has complained or unsubscribed.
  await forEachConcurrently(listed, (each) =>
    list.upsert(each.email, (existing) =>
      existing ? carryStatus(existing) : { ...each, owed: null },
    ),
  );
}

/** The times of withdrawals, by the testimonial's id. */
type WithdrawnTimes = ReadonlyMap<string, string>;

async function findWithdrawnTestimonials(currentData: Engine): Promise<WithdrawnTimes> {
  const requests = await readOrEmpty(currentData.readDocument(entities.testimonialRequests));
  return new Map(
    requests.flatMap(({ testimonialId, takenBackAt }) =>
      testimonialId !== null && takenBackAt !== null ? [[testimonialId, takenBackAt] as const] : [],
    ),
  );
}

/** Moves withdrawn testimonials to the bin. Hides them, so that restoring one doesn't show it on the site. */
async function carryWithdrawnTestimonials(
  store: Store,
  withdrawnTimes: WithdrawnTimes,
): Promise<void> {
  if (withdrawnTimes.size === 0) return;
  const bin = new Bin(store);
  const isWithdrawn = ({ id }: StoredItem) => withdrawnTimes.has(id);
  await bin.changeItems(entities.testimonials, (item) =>
    isWithdrawn(item) ? { ...item, isActive: false } : item,
  );
  await bin.moveToBin(entities.testimonials, async (transaction) => {
    const list = transaction.of(entities.testimonials);
    const { value } = await list.read();
    await list.update((all) => all.filter((each) => !isWithdrawn(each)));
    await transaction.of(entities.testimonialRequests).update((all) =>
      all.map((each) => {
        const withdrawnAt = withdrawnTimes.get(each.testimonialId ?? "");
        return withdrawnAt === undefined ? each : { ...each, takenBackAt: withdrawnAt };
      }),
    );
    return value
      .filter(isWithdrawn)
      .map((each) => ({ ...each, isActive: false, isWaiting: false }));
  });
}

/** Reads a list. A damaged list counts as empty, since it must not prevent a restore. */
async function readOrEmpty<T>(reading: Promise<readonly T[] | undefined>): Promise<readonly T[]> {
  try {
    return (await reading) ?? [];
  } catch (error) {
    if (isRefusal(error, "cannot_open")) return [];
    throw error;
  }
}

const selectInactive = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

function repeatUnsubscription(stagedItem: Subscription, currentItem?: Subscription): Subscription {
  if (!currentItem) return stagedItem;
  const isComplaint = currentItem.unreachable === "complained";
  // Keeps the backup's subscription if it is newer than the inactive one: the person has subscribed again.
  if (!isComplaint && (stagedItem.subscribedAt ?? "") > (currentItem.subscribedAt ?? ""))
    return stagedItem;
  const unreachable =
    stagedItem.unreachable === "complained" ? stagedItem.unreachable : currentItem.unreachable;
  if (currentItem.status !== "unsubscribed") return { ...stagedItem, unreachable };
  return { ...stagedItem, status: "unsubscribed", owed: null, unreachable };
}
