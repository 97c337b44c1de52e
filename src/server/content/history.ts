/** Earlier versions of the owner's content: list, view, restore. */
import { type AnyElysia, Elysia } from "elysia";
import { describeChanges } from "../../schema/entities/changes.ts";
import { getInitialValues } from "../../schema/entities/check.ts";
import type { Collection, Entity, Singleton, StoredItem } from "../../schema/entities/entity.ts";
import { entities, findEntityByName } from "../../schema/index.ts";
import { requirePermission, type SessionUser } from "../accounts/guard.ts";
import { createEtag, assertIfMatch } from "../http/conditionalRequests.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, notFound } from "../shared/errors.ts";
import type { RevisionSummary, Store, Transaction } from "../storage/store.ts";
import {
  type Author,
  getAuditKind,
  sanitizeValues,
  assertPermissions,
  setChangeTime,
  restoreProtectedFields,
  type Values,
} from "./inputChecks.ts";
import { hasChildren } from "./descendants.ts";
import { removeUsedPath } from "./formPaths.ts";
import {
  areAncestorsPresent,
  createItemReader,
  createOwnerView,
  readParentLists,
} from "./parents.ts";
import { createWithdrawnFilter, readWithdrawnFilter } from "./withdrawnTestimonials.ts";
import type { ContentContext } from "./listItemWrites.ts";

const NO_REVISION_MESSAGE = "This version is no longer available.";
const ERASED_MEANWHILE_MESSAGE =
  "Someone's data was erased in the meantime, so nothing was restored. Try again.";

/**
 * GET `/api/history/{name}` lists an entity's versions with the changes of each save. GET `…/{revision}` returns one,
 * POST `…/{revision}/restore` restores it.
 */
export function createHistoryRoutes({
  store,
  bin,
  guard,
  clock,
  reauthentication,
}: ContentContext): AnyElysia {
  return new Elysia({ prefix: "/api/history" })
    .use(guard)
    .get(
      "/:name",
      ({ params, user }) => listVersions(store, requireEditableEntity(params.name, user)),
      { may: "content" },
    )
    .get(
      "/:name/:revision",
      ({ params, user }) =>
        readRevision(store, requireEditableEntity(params.name, user), params.revision),
      { may: "content" },
    )
    .post(
      "/:name/:revision/restore",
      async ({ request, params, set, user, logAudit }) => {
        const entity = requireEditableEntity(params.name, user);
        const author = { user, reauthentication };
        const erasureRevision = store.of(entities.erasureMark).read().revision;
        const earlierValue = await readRevision(store, entity, params.revision);
        const saved = await bin.runWithSweepPaused((changeLists) =>
          changeLists(filterCollections([entity]), async (transaction) => {
            await assertNoErasureSince(transaction, erasureRevision);
            const { value } = await transaction.of(entity).read();
            assertIfMatch(request, toOwnerValue(entity, value));
            const next = await restoreItems(
              { transaction, clock, author },
              entity,
              earlierValue,
              value,
            );
            return transaction.of(entity).update(() => next);
          }),
        );
        set.headers.etag = createEtag(toOwnerValue(entity, saved.value));
        logAudit(getAuditKind(entity), `restored an earlier version of ${entity.section}`);
        return excludeOrphans(store, entity, saved.value);
      },
      { may: "content" },
    );
}

interface EntityVersion extends RevisionSummary {
  readonly current: boolean;
  /** The changes since the previous version, as sentences. Empty if that version is no longer stored. */
  readonly changes: readonly string[];
}

/** Returns the versions, newest first. */
async function listVersions(
  store: Store,
  entity: Singleton | Collection,
): Promise<EntityVersion[]> {
  const document = store.of<Singleton | Collection>(entity);
  const { revision, savedAt } = document.read();
  const summaries = [{ revision, savedAt }, ...(await document.listRevisions())];
  const versions: EntityVersion[] = [];
  let after = await document.readRevision(revision);
  for (const [index, summary] of summaries.entries()) {
    const earlier = summaries[index + 1];
    const before = earlier && (await document.readRevision(earlier.revision));
    const changes = before && after ? describeChanges(entity, before.value, after.value) : [];
    versions.push({ ...summary, current: index === 0, changes });
    after = before;
  }
  return versions;
}

/** Throws `not_found` for an entity without history, and `not_allowed` if the user may not edit it. */
function requireEditableEntity(name: string, user: SessionUser): Singleton | Collection {
  const entity = findEntityByName(name);
  if (!entity?.hasHistory || entity.readers === "none" || entity.shape === "records")
    throw notFound("This content has no version history.");
  requirePermission(user, entity.permission);
  return entity;
}

async function readRevision(store: Store, entity: Singleton | Collection, revision: string) {
  if (!/^[1-9]\d{0,14}$/.test(revision)) throw notFound(NO_REVISION_MESSAGE);
  const snapshot = await store.of<Singleton | Collection>(entity).readRevision(Number(revision));
  if (!snapshot) throw notFound(NO_REVISION_MESSAGE);
  const { value } = snapshot;
  if (entity.shape !== "collection") return value;
  const isWithdrawn = createWithdrawnFilter(
    entity,
    store.of(entities.testimonialRequests).read().value,
  );
  const { unfinished } = store.of(entities.erasureMark).read().value;
  const erasedIds = new Set(unfinished.map(({ id }) => id));
  return (value as StoredItem[]).filter((item) => !isWithdrawn(item) && !erasedIds.has(item.id));
}

const excludeOrphans = (store: Store, entity: Entity, value: unknown) =>
  entity.shape === "collection"
    ? (value as StoredItem[]).filter((item) =>
        areAncestorsPresent(createItemReader(store), entity, item),
      )
    : value;

/** Returns a value in the form of the owner's GET, but with the children of all parents if it is a nested list. */
const toOwnerValue = (entity: Entity, value: unknown) =>
  entity.shape === "collection" && !entity.parent
    ? createOwnerView(entity, value as StoredItem[])
    : value;

/** An entity whose value was replaced, and the revision of the replaced value. */
interface ReplacedEntity {
  /** The name in `/api/history/{name}`. */
  readonly name: string;
  readonly revision: number;
}

/**
 * Replaces current values by earlier ones in one transaction. `values` must have parents before their children.
 * `erasureRevision` is the revision of `erasureMark` when the values were read.
 */
export const restoreValues = (
  { bin, clock }: Pick<ContentContext, "bin" | "clock">,
  values: ReadonlyMap<Singleton | Collection, unknown>,
  erasureRevision: number,
): Promise<ReplacedEntity[]> =>
  bin.runWithSweepPaused((changeLists) =>
    changeLists(filterCollections(values.keys()), async (transaction) => {
      await assertNoErasureSince(transaction, erasureRevision);
      const replaced: ReplacedEntity[] = [];
      for (const [entity, earlierValue] of values) {
        const before = await transaction.of(entity).read();
        const next = await restoreItems({ transaction, clock }, entity, earlierValue, before.value);
        if (Bun.deepEquals(next, before.value)) continue;
        await transaction.of(entity).update(() => next);
        replaced.push({ name: entity.name, revision: before.revision });
      }
      return replaced;
    }),
  );

/** Throws `conflict` if a person was erased after the values were read, since they may contain that person's data. */
async function assertNoErasureSince(
  transaction: Transaction,
  erasureRevision: number,
): Promise<void> {
  const { revision } = await transaction.of(entities.erasureMark).read();
  if (revision !== erasureRevision) throw conflict(ERASED_MEANWHILE_MESSAGE);
}

const filterCollections = (contentEntities: Iterable<Singleton | Collection>): Collection[] =>
  [...contentEntities].flatMap((entity) => (entity.shape === "collection" ? entity : []));

interface RestoreContext {
  readonly transaction: Transaction;
  readonly clock: Clock;
  /** The user who restores. If undefined, no field is protected. */
  readonly author?: Author;
}

/**
 * Returns the value to store. Newer forms and steps remain, as do children of items in the bin, since submissions
 * depend on them. Items aren't restored if their parent was deleted or their author withdrew them. Fields that the user
 * may not change retain their current values.
 */
async function restoreItems(
  { transaction, clock, author }: RestoreContext,
  entity: Singleton | Collection,
  earlierValue: unknown,
  currentValue: unknown,
): Promise<unknown> {
  const restoreProtectedValues = <I extends Values>(
    item: I,
    currentItem: Values = getInitialValues(entity.fields),
  ): I => {
    if (author === undefined) return item;
    const sanitized = restoreProtectedFields(entity, author.user, item, currentItem);
    assertPermissions(entity, author, currentItem, sanitized);
    return sanitized;
  };
  if (entity.shape !== "collection")
    return sanitizeValues(
      entity,
      restoreProtectedValues(earlierValue as StoredItem, currentValue as StoredItem),
    );
  const readItems = await readParentLists(transaction, entity);
  const isWithdrawn = await readWithdrawnFilter(transaction, entity);
  const items = (earlierValue as StoredItem[]).filter(
    (item) => areAncestorsPresent(readItems, entity, item) && !isWithdrawn(item),
  );
  const ids = new Set(items.map(({ id }) => id));
  const isRetained = (item: StoredItem) =>
    !ids.has(item.id) &&
    (hasChildren(entity.key) || !areAncestorsPresent(readItems, entity, item) || isWithdrawn(item));
  const retainedItems = (currentValue as StoredItem[]).filter(isRetained);
  const currentItems = new Map((currentValue as StoredItem[]).map((item) => [item.id, item]));
  return [
    ...items.map((item) => {
      const merged = restoreProtectedValues(item, currentItems.get(item.id));
      const restored = removeUsedPath(
        entity,
        retainedItems,
        sanitizeValues(entity, merged) as StoredItem,
      );
      return setChangeTime(entity, restored, currentItems.get(item.id), clock);
    }),
    ...retainedItems,
  ];
}
