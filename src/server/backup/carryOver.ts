/** What of a site that is replaced stays: put into what takes its place, before it does. */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import type { AnyRecords, StoredItem } from "../../schema/entity.ts";
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
  /** With `data` and, from then on, the secret. */
  readonly folder: string;
  /** The names of entities, and `SECRET`. */
  readonly keeps: readonly string[];
}

/**
 * Where who was erased is known, whoever left the mailing list stays off it as well. Reads what can be read of `present`. Can be
 * repeated. Throws `cannot_store`, and what the disk throws.
 */
export async function carryOver(present: Engine, { folder, keeps }: CarriedInto): Promise<void> {
  const data = join(folder, "data");
  if (keeps.includes(entities.erasures.name)) await keepWhoLeft(present, data);
  if (keeps.length > 0) await keepEntities(present, new Set(keeps), data);
  await keepSecret(keeps.includes(SECRET) ? await present.secret() : undefined, folder);
  await syncFolders(folder);
}

/** That of `kept`, or what came along, or a new one: nobody is logged in then, and nothing sealed is opened. */
async function keepSecret(kept: Uint8Array | undefined, folder: string): Promise<void> {
  const path = join(folder, SECRET);
  if (!kept && (await ifThere(stat(path)))) return;
  await writeDurably(disk, path, kept ?? randomBytes(32));
}

/** Their files take the place of those that came; where there are none, what came stays. */
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
 * Whoever left the mailing list after a backup, or can't be written to any more, stays so when it comes back: changed in a
 * folder with what is put in. Reads the bin too.
 */
async function keepWhoLeft(present: Engine, folder: string): Promise<void> {
  const { emailSubscriptions } = entities;
  const listed = onlyGone((await readable(present, emailSubscriptions)) as Subscription[]);
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
    // Who isn't in the backup either: a complaint counts for good.
    await manyAtOnce(listed, (each) =>
      list.upsert(each.email, (known) => (known ? again(known) : { ...each, owed: null })),
    );
  } finally {
    await store.close();
  }
  // What an open store keeps for itself, its lock above all: the folder that this goes to has its own.
  for (const name of await readdir(folder))
    if (name.startsWith(".")) await rm(join(folder, name), { recursive: true });
}

/** A list that is damaged is no reason to be left without a site. */
const readable = (present: Engine, entity: AnyRecords): Promise<readonly StoredItem[]> =>
  present.peekRecords(entity).catch((error: unknown) => {
    if (isRefusal(error, "cannot_open")) return [];
    throw error;
  });

const onlyGone = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

/** Of the bin; a subscription that was deleted under an earlier release says less. */
async function deletedIn(present: Engine): Promise<Subscription[]> {
  const deleted = (await readable(present, entities.bin)) as Item<"bin">[];
  return deleted
    .filter(({ entity }) => entity === entities.emailSubscriptions.key)
    .map(({ item }) => ({ unreachable: null, ...item }) as Subscription);
}

/** Changed at once, so that they share writes. */
const AT_ONCE = 200;

async function manyAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}

function stillGone(known: Subscription, gone: Subscription | undefined): Subscription {
  if (!gone) return known;
  const isComplaint = gone.unreachable === "complained";
  // Joined once more since: a newer backup comes back over an older one.
  if (!isComplaint && (known.subscribedAt ?? "") > (gone.subscribedAt ?? "")) return known;
  const unreachable = known.unreachable === "complained" ? known.unreachable : gone.unreachable;
  if (gone.status !== "unsubscribed") return { ...known, unreachable };
  return { ...known, status: "unsubscribed", owed: null, unreachable };
}
