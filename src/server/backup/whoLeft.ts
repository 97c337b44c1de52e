/** Whoever left the mailing list after a backup, or can't be written to any more, stays so when it comes back. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import { openBin } from "../bin/bin.ts";
import type { Engine, Replacement } from "../storage/engine.ts";

type Subscription = Item<"emailSubscriptions">;

/** Changed at once, so that they share writes. */
const AT_ONCE = 200;

/**
 * Carries them from what was set aside over into a folder with what is put in, before it is. Reads what can be
 * read, in the bin too. Can be repeated. Throws `cannot_store`.
 */
export async function keepWhoLeft(
  present: Engine,
  replacement: Replacement,
  folder: string,
): Promise<void> {
  const { emailSubscriptions } = entities;
  const listed = onlyGone((await present.peekRecords(emailSubscriptions)) as Subscription[]);
  const deleted = onlyGone(await deletedIn(present));
  const gone = [...deleted, ...listed];
  if (gone.length === 0) return;
  const byEmail = new Map(gone.map((each) => [each.email, each]));
  const again = (known: Subscription) => stillGone(known, byEmail.get(known.email));
  const store = await replacement.at(folder).open({ entities: allEntities, log: () => {} });
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

const onlyGone = (all: readonly Subscription[]) =>
  all.filter(({ status, unreachable }) => status === "unsubscribed" || unreachable !== null);

/** Of the bin; a subscription that was deleted under an earlier release says less. */
async function deletedIn(present: Engine): Promise<Subscription[]> {
  const deleted = (await present.peekRecords(entities.bin)) as Item<"bin">[];
  return deleted
    .filter(({ entity }) => entity === entities.emailSubscriptions.key)
    .map(({ item }) => ({ unreachable: null, ...item }) as unknown as Subscription);
}

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
