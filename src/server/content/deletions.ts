/**
 * Deletes an item and all that belongs to it, so that nothing stays and nothing else goes, wherever a
 * crash or a full disk comes in between:
 *
 * 1. Note the deletion. 2. Delete the item. 3. Delete what belongs to it, each step noted likewise.
 * 4. Strike the note.
 *
 * Only what is noted is ever deleted this way: a parent that is merely missing may stand in a list that
 * is itself damaged.
 */
import type { Collection, RecordsEntity, StoredItem } from "../../schema/entity.ts";
import { allEntities, entities, entityWith, type Item } from "../../schema/index.ts";
import { isRefusal } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";

export interface DeletionsContext {
  readonly store: Store;
  /** A line for the operator. */
  readonly log: (line: string) => void;
}

type Child = Collection | RecordsEntity;
type Note = Item<"deletions">;

const CHILDREN = allEntities.filter(
  (entity): entity is Child => entity.shape !== "singleton" && entity.parent !== undefined,
);

const childrenOf = (key: string) => CHILDREN.filter(({ parent }) => parent!.entity === key);

/** True when other entities belong to the items of this one. */
export const hasChildren = (key: string) => childrenOf(key).length > 0;

/**
 * `removeItem` deletes the item itself. What belongs to it and can't be deleted now is tried again by
 * `finishDeletions`. Throws what `removeItem` throws, and `cannot_store` when the deletion can't be noted.
 */
export async function deleteItem<R>(
  context: DeletionsContext,
  entity: Collection,
  id: string,
  removeItem: () => Promise<R>,
): Promise<R> {
  if (!hasChildren(entity.key)) return removeItem();
  const notes = await note(context.store, entity, [id]);
  try {
    const result = await removeItem();
    await finish(context, notes);
    return result;
  } catch (error) {
    // The item is still there, so `finishDeletions` would strike the note as well.
    await strike(context.store, notes).catch(passOverFullDisk);
    throw error;
  }
}

/** Finishes what was noted and not struck; a note whose item is still there was never carried out. */
export async function finishDeletions(context: DeletionsContext): Promise<void> {
  const { store } = context;
  const notes = store.of(entities.deletions).read().value;
  if (notes.length === 0) return;
  const [undone, begun] = [
    notes.filter(isThere(store)),
    notes.filter((each) => !isThere(store)(each)),
  ];
  await strike(store, undone).catch(passOverFullDisk);
  await finish(context, begun);
}

const isThere = (store: Store) => (each: Note) => {
  const parent = entityWith(each.entity);
  if (parent?.shape !== "collection") return false;
  return store
    .of(parent)
    .read()
    .value.some(({ id }) => id === each.item);
};

async function note(store: Store, { key }: Collection, ids: readonly string[]): Promise<Note[]> {
  const notedAt = new Date().toISOString();
  const notes = ids.map((item) => ({ id: Bun.randomUUIDv7(), entity: key, item, notedAt }));
  await store.of(entities.deletions).update((earlier) => [...earlier, ...notes]);
  return notes;
}

async function strike(store: Store, notes: readonly Note[]): Promise<void> {
  const struck = new Set(notes.map(({ id }) => id));
  await store
    .of(entities.deletions)
    .update((all) => (struck.size === 0 ? all : all.filter(({ id }) => !struck.has(id))));
}

/** A deletion that can't be finished stays noted, and says so. */
async function finish(context: DeletionsContext, notes: readonly Note[]): Promise<void> {
  const { store, log } = context;
  try {
    for (const each of notes) {
      const counts = await deleteChildren(context, each.entity, new Set([each.item]));
      const said = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
      log(`deleted ${each.entity} ${each.item} with ${said || "nothing that belonged to it"}`);
    }
    await strike(store, notes);
  } catch (error) {
    passOverFullDisk(error);
    log(`deleting what belongs to a deleted item failed for now; it is tried again every minute`);
  }
}

function passOverFullDisk(error: unknown): void {
  if (!isRefusal(error, "cannot_store")) throw error;
}

/** Returns how many went, by the name of their entity. */
async function deleteChildren(
  context: DeletionsContext,
  parentKey: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const child of childrenOf(parentKey)) {
    const [count, below] = await deleteOf(context, child, ids);
    for (const [name, more] of [[child.name, count] as const, ...below])
      if (more > 0) counts.set(name, (counts.get(name) ?? 0) + more);
  }
  return counts;
}

async function deleteOf(
  context: DeletionsContext,
  child: Child,
  parents: ReadonlySet<string>,
): Promise<[count: number, below: ReadonlyMap<string, number>]> {
  const { store } = context;
  const { field } = child.parent!;
  const goes = (item: Readonly<Record<string, unknown>>) => parents.has(item[field] as string);
  if (child.shape === "records") return [await store.of(child).deleteWhere(goes), new Map()];
  const items = store.of(child);
  const ids = items
    .read()
    .value.filter(goes)
    .map(({ id }) => id);
  if (ids.length === 0) return [0, new Map()];
  // Once these are gone nothing but a note tells whose children theirs were.
  const notes = hasChildren(child.key) ? await note(store, child, ids) : [];
  await items.update(
    (all: readonly StoredItem[]) => all.filter((item) => !goes(item)) as StoredItem[],
  );
  const below = await deleteChildren(context, child.key, new Set(ids));
  await strike(store, notes);
  return [ids.length, below];
}

const MINUTE_MS = 60_000;

/** Tries again what could not be finished, every minute; the timer keeps no process alive. */
export function keepFinishing(context: DeletionsContext): void {
  let running = Promise.resolve();
  const again = () => {
    running = running
      .then(() => finishDeletions(context))
      .catch((error: Error) => context.log(`finishing deletions failed (${error.message})`));
  };
  setInterval(again, MINUTE_MS).unref();
}
