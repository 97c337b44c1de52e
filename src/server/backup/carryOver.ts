/** Carries what must stay of a replaced site over into its replacement, in advance. */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import type { AnyRecords, ItemOf } from "../../schema/entity.ts";
import { isRefusal } from "../shared/errors.ts";
import { openBin } from "../bin/bin.ts";
import { entryOf } from "../storage/archive/entries.ts";
import { createFile, ensureFolder, ifThere, writeDurably } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { folderEngine } from "../storage/files/folderEngine.ts";
import { SECRET } from "../storage/files/installation.ts";

type Subscription = Item<"emailSubscriptions">;

interface CarriedInto {
  /** Has `data` in it and, afterwards, the secret. */
  readonly folder: string;
  /** Names of entities, and `SECRET`. */
  readonly keeps: readonly string[];
}

/**
 * If erasures are kept, so is who left the mailing list. Reads as much of `present` as possible. Can be repeated.
 * Throws `cannot_store`, and what the disk throws.
 */
export async function carryOver(present: Engine, { folder, keeps }: CarriedInto): Promise<void> {
  const data = join(folder, "data");
  if (keeps.includes(entities.erasures.name)) await keepUnsubscribed(present, data);
  if (keeps.length > 0) await keepEntities(present, new Set(keeps), data);
  await keepSecret(keeps.includes(SECRET) ? await present.secret() : undefined, folder);
  await syncFolders(folder);
}

/** The secret in `kept`, or the archive's, or a new one, which ends all sessions and opens no seals. */
async function keepSecret(kept: Uint8Array | undefined, folder: string): Promise<void> {
  const path = join(folder, SECRET);
  if (!kept && (await ifThere(stat(path)))) return;
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
    const entry = entryOf(path);
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

/**
 * People who left the mailing list after the backup, or can't be reached any more, stay so after a restore: changes the
 * staged folder. Reads the bin too.
 */
async function keepUnsubscribed(present: Engine, folder: string): Promise<void> {
  const { emailSubscriptions } = entities;
  const listed = onlyGone(await readable(present, emailSubscriptions));
  const deleted = onlyGone(await deletedIn(present));
  const gone = [...deleted, ...listed];
  if (gone.length === 0) return;
  const byEmail = new Map(gone.map((each) => [each.email, each]));
  const again = (known: Subscription) => stillGone(known, byEmail.get(known.email));
  const store = await folderEngine(folder).open({ entities: allEntities, log: () => {} });
  try {
    const list = store.of(emailSubscriptions);
    await openBin(store).change(emailSubscriptions, (row) => again(row as Subscription));
    await manyAtOnce(deleted, ({ email }) => list.updateUnique(email, again));
    // Adds those not in the backup, too: a complaint counts for good.
    await manyAtOnce(listed, (each) =>
      list.upsert(each.email, (known) => (known ? again(known) : { ...each, owed: null })),
    );
  } finally {
    await store.close();
  }
  // Files that an open store keeps for itself, above all its lock: the target folder has its own.
  for (const name of await readdir(folder))
    if (name.startsWith(".")) await rm(join(folder, name), { recursive: true });
}

/** A damaged list must not prevent a restore. */
const readable = <E extends AnyRecords>(
  present: Engine,
  entity: E,
): Promise<readonly ItemOf<E>[]> =>
  present.peekRecords(entity).catch((error: unknown) => {
    if (isRefusal(error, "cannot_open")) return [];
    throw error;
  });

const onlyGone = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

/** From the bin; subscriptions deleted under an earlier release have fewer fields. */
async function deletedIn(present: Engine): Promise<Subscription[]> {
  const deleted = await readable(present, entities.bin);
  return deleted
    .filter(({ entity }) => entity === entities.emailSubscriptions.key)
    .map(({ item }) => ({ unreachable: null, ...item }) as Subscription);
}

/** In batches, so that they share writes. */
const AT_ONCE = 200;

async function manyAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
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
