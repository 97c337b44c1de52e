/** Carries what must stay of a replaced site over into its replacement, in advance. */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { isRefusal } from "../shared/errors.ts";
import { forEachConcurrently } from "../shared/forEachConcurrently.ts";
import { binnedAmong } from "../bin/binnedItem.ts";
import { Bin } from "../bin/bin.ts";
import { parseEntryPath } from "../storage/archive/entries.ts";
import {
  createFile,
  ensureFolder,
  undefinedIfMissing,
  writeDurably,
} from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { folderEngine } from "../storage/files/folderEngine.ts";
import { SECRET } from "../storage/files/secretFile.ts";
import type { Store } from "../storage/store.ts";

type Subscription = Item<"emailSubscriptions">;

interface CarriedInto {
  /** Has `data` in it and, afterwards, the secret. */
  readonly folder: string;
  /** Names of entities, and `SECRET`. */
  readonly keeps: readonly string[];
}

/**
 * Where erasures are kept, so are unsubscriptions and withdrawn testimonials. Reads as much of `present` as possible. Can
 * be repeated.
 * Throws `cannot_store`, and what the disk throws.
 */
export async function carryOver(present: Engine, { folder, keeps }: CarriedInto): Promise<void> {
  const data = join(folder, "data");
  if (keeps.includes(entities.erasures.name)) await keepWithdrawals(present, data);
  if (keeps.length > 0) await keepEntities(present, new Set(keeps), data);
  await keepSecret(keeps.includes(SECRET) ? await present.secret() : undefined, folder);
  await syncFolders(folder);
}

/** The secret in `kept`, or the archive's, or a new one, which ends all sessions and opens no seals. */
async function keepSecret(kept: Uint8Array | undefined, folder: string): Promise<void> {
  const path = join(folder, SECRET);
  if (!kept && (await undefinedIfMissing(stat(path)))) return;
  await writeDurably(disk, path, kept ?? randomBytes(32));
}

/** Their files replace those of the archive; without any, the archive's stay. */
async function keepEntities(
  present: Engine,
  names: ReadonlySet<string>,
  folder: string,
): Promise<void> {
  if (!(await present.isInstalled())) return;
  const taken = new Set<string>();
  for await (const { path, bytes } of present.files()) {
    const entry = parseEntryPath(path);
    if (!entry || entry.kind === "marker" || entry.kind === "version") continue;
    const { entity: name } = entry;
    if (!names.has(name)) continue;
    if (!taken.has(name)) {
      for (const each of [name, `${name}.json`, `${name}.json.bak`])
        await rm(join(folder, each), { recursive: true, force: true });
      taken.add(name);
    }
    await ensureFolder(disk, dirname(join(folder, path)));
    await createFile(disk, join(folder, path), bytes);
  }
}

/** What people took back after the backup stays so after a restore: changes the staged folder. */
async function keepWithdrawals(present: Engine, folder: string): Promise<void> {
  const unsubscribed = await unsubscribedIn(present);
  const takenBack = await takenBackIn(present);
  if (unsubscribed.length + takenBack.size === 0) return;
  const store = await folderEngine(folder).open({ entities: allEntities, log: () => {} });
  try {
    await keepUnsubscribed(store, unsubscribed);
    await keepTakenBack(store, takenBack);
  } finally {
    await store.close();
  }
  // Files that an open store keeps for itself, above all its lock: the target folder has its own.
  for (const name of await readdir(folder))
    if (name.startsWith(".")) await rm(join(folder, name), { recursive: true });
}

/** Who left the mailing list, or can't be reached any more. */
interface Unsubscribed {
  readonly listed: readonly Subscription[];
  /** In the bin. */
  readonly deleted: readonly Subscription[];
  readonly length: number;
}

async function unsubscribedIn(present: Engine): Promise<Unsubscribed> {
  const listed = onlyGone(await readable(present.readRecords(entities.emailSubscriptions)));
  const deleted = onlyGone(await deletedIn(present));
  return { listed, deleted, length: listed.length + deleted.length };
}

async function keepUnsubscribed(store: Store, { listed, deleted }: Unsubscribed): Promise<void> {
  const { emailSubscriptions } = entities;
  const byEmail = new Map([...deleted, ...listed].map((each) => [each.email, each]));
  const again = (known: Subscription) => stillGone(known, byEmail.get(known.email));
  const list = store.of(emailSubscriptions);
  await new Bin(store).change(emailSubscriptions, (row) => again(row as Subscription));
  await forEachConcurrently(deleted, ({ email }) => list.updateUnique(email, again));
  // Adds those not in the backup, too: a complaint counts for good.
  await forEachConcurrently(listed, (each) =>
    list.upsert(each.email, (known) => (known ? again(known) : { ...each, owed: null })),
  );
}

/** When the words of a testimonial were taken back, by its id. */
type TakenBack = ReadonlyMap<string, string>;

async function takenBackIn(present: Engine): Promise<TakenBack> {
  const requests = await readable(present.readDocument(entities.testimonialRequests));
  return new Map(
    requests.flatMap(({ testimonialId, takenBackAt }) =>
      testimonialId !== null && takenBackAt !== null ? [[testimonialId, takenBackAt] as const] : [],
    ),
  );
}

/** Moves them to the bin, and says so at their links; one that is in the bin already comes back to be seen by nobody. */
async function keepTakenBack(store: Store, takenBack: TakenBack): Promise<void> {
  if (takenBack.size === 0) return;
  const bin = new Bin(store);
  const isTaken = ({ id }: StoredItem) => takenBack.has(id);
  await bin.change(entities.testimonials, (item) =>
    isTaken(item) ? { ...item, isActive: false } : item,
  );
  await bin.discard(entities.testimonials, async (transaction) => {
    const list = transaction.of(entities.testimonials);
    const { value } = await list.read();
    await list.update((all) => all.filter((each) => !isTaken(each)));
    await transaction.of(entities.testimonialRequests).update((all) =>
      all.map((each) => {
        const takenBackAt = takenBack.get(each.testimonialId ?? "");
        return takenBackAt === undefined ? each : { ...each, takenBackAt };
      }),
    );
    return value.filter(isTaken).map((each) => ({ ...each, isActive: false, isWaiting: false }));
  });
}

/** A damaged list must not prevent a restore: then nothing of it is known. */
async function readable<T>(reading: Promise<readonly T[] | undefined>): Promise<readonly T[]> {
  try {
    return (await reading) ?? [];
  } catch (error) {
    if (isRefusal(error, "cannot_open")) return [];
    throw error;
  }
}

const onlyGone = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

async function deletedIn(present: Engine): Promise<Subscription[]> {
  const deleted = await readable(present.readRecords(entities.bin));
  return binnedAmong(deleted, entities.emailSubscriptions).map(({ item }) => item);
}

function stillGone(known: Subscription, gone: Subscription | undefined): Subscription {
  if (!gone) return known;
  const isComplaint = gone.unreachable === "complained";
  // Joined again since: a newer backup is restored over an older one.
  if (!isComplaint && (known.subscribedAt ?? "") > (gone.subscribedAt ?? "")) return known;
  const unreachable = known.unreachable === "complained" ? known.unreachable : gone.unreachable;
  if (gone.status !== "unsubscribed") return { ...known, unreachable };
  return { ...known, status: "unsubscribed", owed: null, unreachable };
}
