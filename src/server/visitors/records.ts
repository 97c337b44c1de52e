/**
 * The owner's routes on what visitors sent, the same for every entity of records: read page by page,
 * delete, take a deletion back.
 */
import { type AnyElysia, Elysia } from "elysia";
import { shownOf, type StoredItem } from "../../schema/entity.ts";
import type { Field, Fields } from "../../schema/fields.ts";
import { allEntities, type AnyRecords, type Collection, entityWith } from "../../schema/index.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { Owner, OwnerGuard, Proof } from "../accounts/guard.ts";
import type { Clock } from "../shared/clock.ts";
import { gone, invalid, notFound } from "../shared/errors.ts";
import { Bin } from "../storage/bin.ts";
import { type Page, searchPage, type Store } from "../storage/store.ts";

export interface RecordContext {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly proof: Proof;
  readonly bins: RecordBins;
}

/** What was deleted of each entity and can still be brought back. */
export type RecordBins = (entity: AnyRecords) => Bin<StoredItem>;

/** Deleted records are kept whole, so their number is bounded. */
const MOST_IN_BIN = 100;

/** A bin for each entity of records. */
export function recordBins(clock: Clock): RecordBins {
  const entities = allEntities.filter((entity) => entity.shape === "records");
  const bins = new Map(
    entities.map(({ key }) => [
      key,
      new Bin<StoredItem>({ time: { now: clock }, most: MOST_IN_BIN }),
    ]),
  );
  return ({ key }) => bins.get(key)!;
}

/**
 * GET `/api/{name}?offset&limit&status`, newest first, with X-Total-Count and, where records begin as
 * new, X-Count-New; of one parent with GET `/api/{name}/{parentId}`. POST `…/search` takes the same and
 * `search` in its body, since a name in an address would stay in histories and proxies' logs. More than
 * 200 at a time, as an export reads them, need a proof. DELETE
 * `/api/{name}/{id}`; POST `/api/{name}/{id}/restore` within ten minutes (409 when what must be
 * unique has been taken since).
 */
export function recordRoutes(
  entity: AnyRecords,
  { store, guard, proof, bins }: RecordContext,
): AnyElysia {
  const base = `/api/${entity.name}` as const;
  const records = store.of(entity);
  const bin = bins(entity);
  const read = async ({ owner, set: { headers } }: Reading, asked: unknown, parentId?: string) => {
    if (parentId !== undefined) requireParent(store, entity, parentId);
    const query = readListQuery(asked, entity);
    if (query.limit > USUAL_LIMIT) proof.require(owner);
    const { items, total } = await list(store, entity, query, parentId);
    headers["x-total-count"] = String(total);
    if (statusesOf(entity).includes("new"))
      headers["x-count-new"] = String(records.count(isOf(entity, parentId, "new")));
    return items.map((record) => shownOf(entity, record));
  };
  const app = new Elysia()
    .use(guard)
    .delete(
      `${base}/:id`,
      async ({ params, set }) => {
        const record = await records.delete(params.id!);
        if (!record) throw gone(entity);
        bin.keep(record);
        set.status = 204;
      },
      { owner: true },
    )
    .post(
      `${base}/:id/restore`,
      async ({ params, status }) => {
        const restored = await bin.take(params.id!, (record) => {
          if (entity.parent && !parentOf(store, entity, record[entity.parent.field]))
            throw notKept(entity);
          return records.insert(record);
        });
        if (!restored) throw notKept(entity);
        return status(201, shownOf(entity, restored));
      },
      { owner: true, parse: "none" },
    );
  const path = entity.parent ? (`${base}/:id` as const) : base;
  return app
    .get(
      path,
      (context) => {
        const { search: _, ...asked } = queryOf(context.request);
        return read(context, asked, idOf(context.params));
      },
      { owner: true },
    )
    .post(
      `${path}/search`,
      async (context) =>
        read(context, await readJson(context.request, PUBLIC_JSON), idOf(context.params)),
      { owner: true, parse: "none" },
    );
}

const queryOf = ({ url }: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url).searchParams);

/** A path without parameters has none, not even an empty object. */
const idOf = (params: { readonly id?: string } | undefined) => params?.id;

/** What of a request's context reading a list needs. */
interface Reading {
  readonly owner: Owner;
  readonly set: { readonly headers: Record<string, unknown> };
}

const notKept = ({ label }: AnyRecords) =>
  notFound(`This ${label.toLowerCase()} can no longer be restored.`);

function requireParent(store: Store, entity: AnyRecords, id: string): void {
  if (!parentOf(store, entity, id)) throw gone(entityWith(entity.parent!.entity)!);
}

/** A deleted parent takes its records along. */
function parentOf(store: Store, entity: AnyRecords, id: unknown): StoredItem | undefined {
  const parents = store.of(entityWith(entity.parent!.entity) as Collection).read().value;
  return parents.find((parent) => parent.id === id);
}

/** One page, by parent, by status and by text in what names the person. */
function list(
  store: Store,
  entity: AnyRecords,
  { offset, limit, status, search }: ListQuery,
  parentId?: string,
): Promise<Page<StoredItem>> {
  const records = store.of(entity);
  const where = isOf(entity, parentId, status);
  const request = { where, newestFirst: true, offset, limit };
  if (search === undefined) return records.page(request);
  const holds = (text: string) => text.toLowerCase().includes(search);
  return searchPage(records, (record) => namedIn(entity, record).some(holds), request);
}

function isOf(entity: AnyRecords, parentId?: string, status?: string) {
  return (key: Readonly<Record<string, unknown>>) =>
    (parentId === undefined || key[entity.parent!.field] === parentId) &&
    (status === undefined || key.status === status);
}

/** All texts of a record that name the person it is about. */
export function namedIn({ fields }: AnyRecords, record: StoredItem): string[] {
  const named = Object.entries(fields as Fields).filter(([, { personal }]) => personal === "named");
  return named.flatMap(([name, field]) => field.texts?.(record[name]) ?? textsIn(record[name]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
}

/** What the owner asks of a long list: one page, newest first. */
interface ListQuery {
  readonly offset: number;
  readonly limit: number;
  readonly status: string | undefined;
  /** Trimmed and in lower case; undefined for everything. */
  readonly search: string | undefined;
}

const USUAL_LIMIT = 200;
const MOST = 1000;
const LONGEST_SEARCH = 200;

/** Reads `offset`, `limit`, `status` and `search`, texts or numbers. Throws a 422 with a message by name. */
export function readListQuery(asked: unknown, entity: AnyRecords): ListQuery {
  const query = new Map(
    Object.entries((asked ?? {}) as object).map(([name, each]) => [name, String(each)]),
  );
  const status = query.get("status") || undefined;
  const search = query.get("search")?.trim().slice(0, LONGEST_SEARCH).toLowerCase();
  if (status !== undefined && !statusesOf(entity).includes(status))
    throw wrongQuery("status", "Choose one of the options.");
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", USUAL_LIMIT, 1, MOST),
    status,
    search: search || undefined,
  };
}

function statusesOf({ fields }: AnyRecords): string[] {
  const { choices = [] }: Partial<Field> = (fields as Fields)["status"] ?? {};
  return choices.map(({ value }) => value);
}

function wholeNumber(
  query: ReadonlyMap<string, string>,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = query.get(name);
  if (given === undefined || given === "") return usual;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw wrongQuery(
    name,
    most === MOST
      ? `The ${name} must be a whole number from ${least} to ${most}.`
      : `The ${name} must be a whole number, ${least} or more.`,
  );
}

const wrongQuery = (name: string, message: string) => invalid(message, { [name]: message });
