/** The dashboard's routes to read visitors' records page by page, and to delete one. */
import { type AnyElysia, Elysia } from "elysia";
import {
  getEntityFields,
  getParentId,
  toRecordResponse,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import type { Field } from "../../schema/kinds/fields.ts";
import { type AnyRecords, findParentList } from "../../schema/index.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { toFields, readFields } from "../http/body.ts";
import { type PageRange, readPageRange, DEFAULT_PAGE_SIZE } from "../http/pagination.ts";
import {
  type LogAudit,
  type AccessGuard,
  type Reauthentication,
  requirePermission,
  type SessionUser,
} from "../accounts/guard.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, invalidField, noLongerExists } from "../shared/errors.ts";
import { findVisibleIds, createParentFilter, assertParentListed } from "../bin/listedItems.ts";
import type { Bin, DeleteItem, DeleteWithFollowUp } from "../bin/bin.ts";
import type { Page, Store, Transaction } from "../storage/store.ts";
import { MINUTE } from "../shared/time.ts";

export interface RecordContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly reauthentication: Reauthentication;
  readonly bin: Bin;
  readonly clock: Clock;
}

/** The dashboard requests an export page by page. Pages within this time are logged as one export. */
const EXPORT_WINDOW_MS = 10 * MINUTE;
const MAX_EXPORTING_SESSIONS = 1000;

interface DeleteOptions {
  /** Deletes what depends on a record, such as a booked call, together with the record. */
  readonly deleteCascading?: DeleteWithFollowUp | undefined;
}

/**
 * GET `/api/{name}?offset&limit&status&stage` returns records, newest first, with X-Total-Count and the number of new
 * ones in X-Count-New. POST `…/search` takes the same fields and `search` in the body, because a name in a URL would be
 * stored in histories and logs. More than 200 records at a time require reauthentication.
 */
export function createRecordRoutes(
  entity: AnyRecords,
  { store, guard, reauthentication, bin, clock, deleteCascading }: RecordContext & DeleteOptions,
): AnyElysia {
  const basePath = `/api/${entity.name}` as const;
  /** The time of each session's last logged export, in milliseconds since 1970. */
  const exportTimes = new BoundedMap<string, number>(MAX_EXPORTING_SESSIONS);
  const readPage = async (
    { user, logAudit, set }: RequestContext,
    input: unknown,
    parentId?: string,
  ) => {
    const { headers } = set;
    if (parentId !== undefined) assertStoredParent(store, entity, parentId);
    const query = readListQuery(input, entity);
    if (query.limit > DEFAULT_PAGE_SIZE) {
      requirePermission(user, "site");
      reauthentication.require(user);
      const exportedAt = exportTimes.get(user.sessionId);
      // An export requests many pages, but is logged once. A request that skips the first page is logged, too.
      if (
        query.offset === 0 ||
        exportedAt === undefined ||
        clock() - exportedAt > EXPORT_WINDOW_MS
      ) {
        exportTimes.set(user.sessionId, clock());
        logAudit("data", `exported ${entity.plural.toLowerCase()}`);
      }
    }
    const parentFilter = createParentFilter(store, entity, parentId);
    const { items, total } = await listRecords(store, entity, query, parentFilter);
    headers["x-total-count"] = String(total);
    if (listChoiceValues(entity, "status").includes("new"))
      headers["x-count-new"] = String(
        await store.of(entity).count({ ...parentFilter, status: "new" }),
      );
    return items.map((record) => toRecordResponse(entity, record));
  };
  const app = new Elysia()
    .use(guard)
    .use(createDeletionRoute(entity, { store, bin, guard, deleteCascading }));
  for (const path of entity.parent ? ([basePath, `${basePath}/:id`] as const) : [basePath])
    app
      .get(
        path,
        (context) => {
          const { search: _, ...input } = parseQuery(context.request);
          return readPage(context, input, getIdParam(context.params));
        },
        { may: entity.permission },
      )
      .post(
        `${path}/search`,
        async (context) =>
          readPage(context, await readFields(context.request), getIdParam(context.params)),
        { may: entity.permission, parse: "none" },
      );
  return app;
}

function createDeletionRoute(
  entity: AnyRecords,
  {
    store,
    bin,
    guard,
    deleteCascading,
  }: Pick<RecordContext, "store" | "bin" | "guard"> & DeleteOptions,
) {
  return new Elysia().use(guard).delete(
    `/api/${entity.name}/:id`,
    async ({ params, set, logAudit }) => {
      const id = assertDefined(params.id, "id in the path");
      const deleteRecord: DeleteItem = (beforeDelete) =>
        moveRecordToBin({ store, bin }, entity, id, beforeDelete);
      const auditAction = deleteCascading
        ? await deleteCascading(id, deleteRecord)
        : await deleteRecord();
      logAudit("data", `deleted a ${entity.label.toLowerCase()}`);
      if (auditAction) logAudit("data", auditAction);
      set.status = 204;
    },
    { owner: true },
  );
}

/** Throws a 404 if the record no longer exists. `beforeDelete` runs first, in the same transaction. */
function moveRecordToBin(
  { store, bin }: Pick<RecordContext, "store" | "bin">,
  entity: AnyRecords,
  id: string,
  beforeDelete: Parameters<DeleteItem>[0],
): ReturnType<DeleteItem> {
  return bin.moveToBin(entity, async (transaction) => {
    await beforeDelete?.(transaction);
    const record = await transaction.of(entity).delete(id);
    if (!record || !hasParent(store, entity, record)) throw noLongerExists(entity);
    return record;
  });
}

const parseQuery = ({ url }: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url).searchParams);

/** Elysia's `params` are undefined if the path has no parameters. */
const getIdParam = (params: { readonly id?: string } | undefined) => params?.id;

interface RequestContext {
  readonly user: SessionUser;
  readonly logAudit: LogAudit;
  readonly set: { readonly headers: Record<string, unknown> };
}

/** Throws a 409 if the record's parent was deleted, or if another record has the same unique value. */
export async function restoreRecord(
  transaction: Transaction,
  entity: AnyRecords,
  record: StoredItem,
): Promise<StoredItem> {
  await assertParentListed(transaction, entity, record);
  const list = transaction.of(entity);
  const { uniqueField, label } = entity;
  if (uniqueField && (await list.findUnique(String(record[uniqueField]))))
    throw conflict(
      `There is a newer ${label.toLowerCase()} with the same ${uniqueField}. Delete that one first.`,
    );
  return toRecordResponse(entity, await list.insert(record));
}

function assertStoredParent(store: Store, entity: AnyRecords, id: string): void {
  const list = findParentList(entity);
  if (list && !findVisibleIds(store, list).has(id)) throw noLongerExists(list);
}

/** Whether a record's parent exists and isn't in the bin. Otherwise, the record is hidden. */
function hasParent(store: Store, entity: AnyRecords, record: StoredItem): boolean {
  const list = findParentList(entity);
  return (
    !entity.parent || !list || findVisibleIds(store, list).has(getParentId(entity.parent, record))
  );
}

function listRecords(
  store: Store,
  entity: AnyRecords,
  { offset, limit, status, stage, search }: ListQuery,
  parentFilter: ReturnType<typeof createParentFilter>,
): Promise<Page<StoredItem>> {
  const where = {
    ...parentFilter,
    ...(status !== undefined && { status }),
    ...(stage !== undefined && { stage }),
  };
  return store.of(entity).readPage({ where, search, newestFirst: true, offset, limit });
}

interface ListQuery extends PageRange {
  readonly status: string | undefined;
  /** Undefined matches every stage. The empty text is a stage, too. */
  readonly stage: string | undefined;
  /** The trimmed search text; undefined matches every record. */
  readonly search: string | undefined;
}

const MAX_SEARCH_LENGTH = 200;

const PRIMITIVE_TYPES = new Set(["string", "number", "boolean"]);

/** Reads the parameters of a list query. Throws a 422 that names the wrong parameter. */
export function readListQuery(input: unknown, entity: AnyRecords): ListQuery {
  const parameters = new Map<string, string>();
  for (const [name, each] of Object.entries(toFields(input))) {
    if (!PRIMITIVE_TYPES.has(typeof each)) throw invalidField(name, "This must be text.");
    parameters.set(name, String(each));
  }
  const status = parameters.get("status") || undefined;
  const search = parameters.get("search")?.trim().slice(0, MAX_SEARCH_LENGTH);
  const stage = "stage" in entity.fields ? parameters.get("stage") : undefined;
  for (const [name, value] of Object.entries({ status, stage }))
    if (value !== undefined && !listChoiceValues(entity, name).includes(value))
      throw invalidField(name, "Choose one of the options.");
  return { ...readPageRange(parameters), status, stage, search: search || undefined };
}

function listChoiceValues(entity: AnyRecords, name: string): string[] {
  const { choices = [] }: Partial<Field> = getEntityFields(entity)[name] ?? {};
  return choices.map(({ value }) => value);
}
