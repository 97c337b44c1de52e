/** Earlier revisions of the owner's content: listed, looked at, restored. */
import { type AnyElysia, Elysia } from "elysia";
import { changesIn } from "../../schema/changes.ts";
import type { Collection, Entity, Singleton, StoredItem } from "../../schema/entity.ts";
import { entityNamed } from "../../schema/index.ts";
import { requireMay } from "../accounts/guard.ts";
import { etagOf, requireMatch } from "../http/conditional.ts";
import { notFound } from "../shared/errors.ts";
import type { RevisionSummary, Store } from "../storage/store.ts";
import { auditKind, cleanValues } from "./check.ts";
import { hasChildren } from "./belonging.ts";
import { isLive, ownersList } from "./parents.ts";
import type { ContentContext } from "./writes.ts";

const NO_REVISION = "This version is no longer kept.";

/**
 * GET `/api/history/{name}` with what each save changed, GET `…/{revision}`, POST `…/{revision}/restore`;
 * for who may change it.
 */
export function historyRoutes({ store, bin, guard }: ContentContext): AnyElysia {
  return new Elysia({ prefix: "/api/history" })
    .use(guard)
    .get(
      "/:name",
      ({ params, user }) => {
        requireMay(user, entityWithHistory(params.name).permission);
        return versionsOf(store, params.name);
      },
      { may: "content" },
    )
    .get(
      "/:name/:revision",
      ({ params, user }) => {
        requireMay(user, entityWithHistory(params.name).permission);
        return valueAt(store, params);
      },
      { may: "content" },
    )
    .post(
      "/:name/:revision/restore",
      async ({ request, params, set, user, happened }) => {
        const entity = entityWithHistory(params.name);
        requireMay(user, entity.permission);
        const earlier = await valueAt(store, params);
        const saved = await bin.whileListing(() =>
          documentOf(store, params.name).update((current) => {
            requireMatch(request, shown(entity, current));
            return restored(store, entity, earlier, current);
          }),
        );
        set.headers.etag = etagOf(shown(entity, saved.value));
        happened(auditKind(entity), `brought back an earlier version of ${entity.section}`);
        return live(store, entity, saved.value);
      },
      { may: "content" },
    );
}

/** One state of an entity, without its value. */
interface Version extends RevisionSummary {
  /** True for the present state, which is the first of all. */
  readonly current: boolean;
  /** What its save changed, in words; none where the version before is no longer kept. */
  readonly changes: readonly string[];
}

/** The present state, then the earlier ones, newest first. */
async function versionsOf(store: Store, name: string): Promise<Version[]> {
  const entity = entityWithHistory(name);
  const document = documentOf(store, name);
  const { revision, savedAt } = document.read();
  const summaries = [{ revision, savedAt }, ...(await document.history())];
  const versions: Version[] = [];
  let after = await document.revision(revision);
  for (const [at, summary] of summaries.entries()) {
    const before = summaries[at + 1] && (await document.revision(summaries[at + 1]!.revision));
    const changes = before && after ? changesIn(entity, before.value, after.value) : [];
    versions.push({ ...summary, current: at === 0, changes });
    after = before;
  }
  return versions;
}

function entityWithHistory(name: string): Singleton | Collection {
  const entity = entityNamed(name);
  if (!entity?.history || entity.readers === "none" || entity.shape === "records")
    throw notFound("There are no earlier versions of this.");
  return entity;
}

const documentOf = (store: Store, name: string) => store.of(entityWithHistory(name));

async function valueAt(store: Store, { name, revision }: { name: string; revision: string }) {
  const document = documentOf(store, name);
  if (!/^[1-9]\d{0,14}$/.test(revision ?? "")) throw notFound(NO_REVISION);
  const snapshot = await document.revision(Number(revision));
  if (!snapshot) throw notFound(NO_REVISION);
  return snapshot.value;
}

/** Without what belongs to something in the bin. */
const live = (store: Store, entity: Entity, value: unknown) =>
  entity.shape === "collection"
    ? (value as StoredItem[]).filter((item) => isLive(store, entity, item))
    : value;

/** What the owner's GET returns; the lists of a collection with parents are compared as a whole. */
const shown = (entity: Entity, value: unknown) =>
  entity.shape === "collection" && !entity.parent
    ? ownersList(entity, value as StoredItem[])
    : value;

/**
 * Puts an earlier value in the place of the present one, which stays in the history. Returns the revision
 * that it was; undefined when nothing changed.
 */
export async function putValue(
  { store, bin }: Pick<ContentContext, "store" | "bin">,
  entity: Singleton | Collection,
  earlier: unknown,
): Promise<number | undefined> {
  let before: number | undefined;
  await bin.whileListing(() =>
    store.of(entity).update((current: unknown, { revision }) => {
      const next = restored(store, entity, earlier, current);
      if (Bun.deepEquals(next, current)) return current;
      before = revision;
      return next;
    }),
  );
  return before;
}

/**
 * The value to store. A restore takes nothing away that submissions hang on: forms and steps that
 * have come since stay, and so does what belongs to a form or step in the bin. What belonged to one
 * that is gone does not come back alone.
 */
function restored(store: Store, entity: Entity, earlier: unknown, current: unknown): unknown {
  if (entity.shape !== "collection") return cleanValues(entity, earlier as StoredItem);
  const items = (earlier as StoredItem[])
    .filter((item) => isLive(store, entity, item))
    .map((item) => cleanValues(entity, item));
  const ids = new Set(items.map(({ id }) => id));
  const stays = (item: StoredItem) =>
    !ids.has(item.id as string) && (hasChildren(entity.key) || !isLive(store, entity, item));
  return [...items, ...(current as StoredItem[]).filter(stays)];
}
