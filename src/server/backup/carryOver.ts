/** Carries data that must survive a restore over from the replaced site into its replacement, in advance. */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { isRefusal } from "../shared/errors.ts";
import { forEachConcurrently } from "../shared/forEachConcurrently.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { Bin } from "../bin/bin.ts";
import { parseEntryPath } from "../storage/archiveEntries.ts";
import {
  createFile,
  ensureFolder,
  orUndefinedIfMissing,
  writeDurably,
} from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { SECRET_FILE } from "../storage/siteSecret.ts";
import type { Store } from "../storage/store.ts";

type Subscription = Item<"emailSubscriptions">;

interface CarryOverTarget {
  /** Has `data` in it and, afterwards, the secret. */
  readonly folder: string;
  /** Names of entities, and `SECRET`. */
  readonly carriedEntities: readonly string[];
}

/**
 * If erasures are carried over, so are unsubscriptions and withdrawn testimonials. Reads as much of `present` as
 * possible. Can be repeated. Throws `cannot_store`, and what the disk throws.
 */
export async function carryOver(
  present: Engine,
  { folder, carriedEntities }: CarryOverTarget,
): Promise<void> {
  const data = join(folder, "data");
  if (carriedEntities.includes(entities.erasures.name)) await carryWithdrawals(present, data);
  if (carriedEntities.length > 0) await carryEntities(present, new Set(carriedEntities), data);
  await carrySecret(
    carriedEntities.includes(SECRET_FILE) ? await present.readSecret() : undefined,
    folder,
  );
  await syncFolders(folder);
}

/** Stores `secret`, else the archive's, else a new one, which ends all sessions and opens no seals. */
async function carrySecret(secret: Uint8Array | undefined, folder: string): Promise<void> {
  const path = join(folder, SECRET_FILE);
  if (!secret && (await orUndefinedIfMissing(stat(path)))) return;
  await writeDurably(disk, path, secret ?? randomBytes(32));
}

/** Their files replace those of the archive; without any, the archive's stay. */
async function carryEntities(
  present: Engine,
  names: ReadonlySet<string>,
  folder: string,
): Promise<void> {
  if (!(await present.isInstalled())) return;
  const carried = new Set<string>();
  for await (const { path, bytes } of present.readFiles()) {
    const entry = parseEntryPath(path);
    if (!entry || entry.kind === "marker" || entry.kind === "version") continue;
    const { entity: name } = entry;
    if (!names.has(name)) continue;
    if (!carried.has(name)) {
      for (const each of [name, `${name}.json`, `${name}.json.bak`])
        await rm(join(folder, each), { recursive: true, force: true });
      carried.add(name);
    }
    await ensureFolder(disk, dirname(join(folder, path)));
    await createFile(disk, join(folder, path), bytes);
  }
}

/**
 * Repeats withdrawals newer than the backup, so that a restore doesn't undo them: changes the staged folder.
 */
async function carryWithdrawals(present: Engine, folder: string): Promise<void> {
  const unsubscribed = await findUnsubscribed(present);
  const withdrawn = await findWithdrawn(present);
  if (unsubscribed.length + withdrawn.size === 0) return;
  const store = await createFolderEngine(folder).open({ entities: allEntities, log: () => {} });
  try {
    await carryUnsubscribed(store, unsubscribed);
    await carryWithdrawn(store, withdrawn);
  } finally {
    await store.close();
  }
  // Files that belong to an open store, above all its lock: the target folder has its own.
  for (const name of await readdir(folder))
    if (name.startsWith(".")) await rm(join(folder, name), { recursive: true });
}

/** Subscribers who left the mailing list, or can't be reached any more. */
interface UnsubscribedRecords {
  readonly listed: readonly Subscription[];
  /** In the bin. */
  readonly deleted: readonly Subscription[];
  readonly length: number;
}

async function findUnsubscribed(present: Engine): Promise<UnsubscribedRecords> {
  const listed = onlyInactive(await readOrEmpty(present.readRecords(entities.emailSubscriptions)));
  const deleted = onlyInactive(await readDeletedSubscriptions(present));
  return { listed, deleted, length: listed.length + deleted.length };
}

async function carryUnsubscribed(
  store: Store,
  { listed, deleted }: UnsubscribedRecords,
): Promise<void> {
  const { emailSubscriptions } = entities;
  const byEmail = new Map([...deleted, ...listed].map((each) => [each.email, each]));
  const again = (existing: Subscription) =>
    repeatUnsubscription(existing, byEmail.get(existing.email));
  const list = store.of(emailSubscriptions);
  await new Bin(store).changeItems(emailSubscriptions, (row) => again(row as Subscription));
  await forEachConcurrently(deleted, ({ email }) => list.updateUnique(email, again));
  // Adds those missing in the backup, too: a complaint counts permanently.
  await forEachConcurrently(listed, (each) =>
    list.upsert(each.email, (existing) => (existing ? again(existing) : { ...each, owed: null })),
  );
}

/** The time when a testimonial was withdrawn, by its id. */
type WithdrawnTimes = ReadonlyMap<string, string>;

async function findWithdrawn(present: Engine): Promise<WithdrawnTimes> {
  const requests = await readOrEmpty(present.readDocument(entities.testimonialRequests));
  return new Map(
    requests.flatMap(({ testimonialId, takenBackAt }) =>
      testimonialId !== null && takenBackAt !== null ? [[testimonialId, takenBackAt] as const] : [],
    ),
  );
}

/**
 * Moves them to the bin, and records that at their links; one that is already in the bin is restored, if at
 * all, as hidden.
 */
async function carryWithdrawn(store: Store, withdrawn: WithdrawnTimes): Promise<void> {
  if (withdrawn.size === 0) return;
  const bin = new Bin(store);
  const isWithdrawn = ({ id }: StoredItem) => withdrawn.has(id);
  await bin.changeItems(entities.testimonials, (item) =>
    isWithdrawn(item) ? { ...item, isActive: false } : item,
  );
  await bin.discardItems(entities.testimonials, async (transaction) => {
    const list = transaction.of(entities.testimonials);
    const { value } = await list.read();
    await list.update((all) => all.filter((each) => !isWithdrawn(each)));
    await transaction.of(entities.testimonialRequests).update((all) =>
      all.map((each) => {
        const withdrawnAt = withdrawn.get(each.testimonialId ?? "");
        return withdrawnAt === undefined ? each : { ...each, takenBackAt: withdrawnAt };
      }),
    );
    return value
      .filter(isWithdrawn)
      .map((each) => ({ ...each, isActive: false, isWaiting: false }));
  });
}

/** A damaged list must not prevent a restore: it counts as empty then. */
async function readOrEmpty<T>(pending: Promise<readonly T[] | undefined>): Promise<readonly T[]> {
  try {
    return (await pending) ?? [];
  } catch (error) {
    if (isRefusal(error, "cannot_open")) return [];
    throw error;
  }
}

const onlyInactive = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

async function readDeletedSubscriptions(present: Engine): Promise<Subscription[]> {
  const deleted = await readOrEmpty(present.readRecords(entities.bin));
  return selectBinItems(deleted, entities.emailSubscriptions).map(({ item }) => item);
}

function repeatUnsubscription(
  current: Subscription,
  earlier: Subscription | undefined,
): Subscription {
  if (!earlier) return current;
  const isComplaint = earlier.unreachable === "complained";
  // Joined again since: a newer backup is restored over an older one.
  if (!isComplaint && (current.subscribedAt ?? "") > (earlier.subscribedAt ?? "")) return current;
  const unreachable =
    current.unreachable === "complained" ? current.unreachable : earlier.unreachable;
  if (earlier.status !== "unsubscribed") return { ...current, unreachable };
  return { ...current, status: "unsubscribed", owed: null, unreachable };
}
