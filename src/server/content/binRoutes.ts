/** The owner's routes for the bin: list, restore, delete permanently. */
import { Elysia } from "elysia";
import { BIN_KINDS, type BinKind, getBinKind } from "../../schema/people/bin.ts";
import { toRecordResponse, type StoredItem } from "../../schema/entities/entity.ts";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import {
  type AccessGuard,
  type Reauthentication,
  requirePermission,
  type SessionUser,
} from "../accounts/guard.ts";
import { createEtagHeaders } from "../http/conditionalRequests.ts";
import { type PageRange, readPageRange, DEFAULT_PAGE_SIZE } from "../http/pagination.ts";
import { invalidInput, notFound } from "../shared/errors.ts";
import type { Bin, BinItem, DeletableEntity } from "../bin/bin.ts";
import type { Transaction } from "../storage/store.ts";

export interface BinHandler {
  /** Puts an item back into its list, and returns it for clients. Throws `conflict` if the list can't contain it. */
  restore(binItem: BinItem, transaction: Transaction): Promise<StoredItem>;
  /** Does work outside the store, such as on files, after the transaction. */
  afterRestore?(binItem: BinItem): Promise<void>;
  /** Returns the owner's list with the restored item; missing for lists without an ETag. */
  findOwnerList?(binItem: BinItem): readonly StoredItem[];
  /** Returns a function that deletes what belongs to an item, within the transaction. Throws `cannot_store`. */
  prepareRemoval(binItem: BinItem): Promise<(transaction: Transaction) => Promise<void>>;
  /** Returns a function that describes an item, such as where a picture is used. */
  createDescriber?(): Promise<DescribeItem>;
}

interface BinItemDetails {
  readonly contains?: object;
  readonly usedIn?: readonly string[];
}

type DescribeItem = (binItem: BinItem) => BinItemDetails | Promise<BinItemDetails>;

interface BinContext {
  readonly bin: Bin;
  readonly guard: AccessGuard;
  readonly reauthentication: Reauthentication;
  readonly getBinHandler: (entity: DeletableEntity) => BinHandler;
  readonly findThumbnail: (
    upload: Item<"uploads">,
  ) => Promise<{ readonly path: string; readonly contentType: string } | undefined>;
  readonly sweep: () => Promise<void>;
}

const NOT_IN_TRASH_MESSAGE = "This is no longer in the trash.";

/** GET `/api/bin?kind&offset&limit` returns items, last deleted first. The DELETE routes delete permanently. */
export function createBinRoutes(context: BinContext) {
  const { bin, guard, reauthentication, getBinHandler, sweep } = context;
  return new Elysia({ name: "bin" })
    .use(guard)
    .get(
      "/api/bin",
      async ({ request, owner, set }) => {
        const { kind, ...range } = readBinQuery(request.url);
        if (range.limit > DEFAULT_PAGE_SIZE) reauthentication.require(owner);
        const { items, total } = await bin.readPage({
          entities: kind && listEntitiesOfKind(kind),
          ...range,
        });
        set.headers["x-total-count"] = String(total);
        const describeItem = await createItemDescriber(getBinHandler, items);
        return Promise.all(
          items.map(async (binItem) => ({
            ...toBinResponse(binItem),
            ...(await describeItem(binItem)),
          })),
        );
      },
      { owner: true },
    )
    .get("/api/bin/counts", () => countByKind(bin), { owner: true })
    .get("/api/bin/:id/picture", ({ params }) => respondWithThumbnail(context, params.id), {
      owner: true,
    })
    .post(
      "/api/bin/:id/restore",
      async ({ params, user, set, logAudit }) => {
        const { entity, item, headers } = await restoreFromBin(context, params.id, user);
        Object.assign(set.headers, headers);
        logAudit("content", `restored a deleted item of ${entity.section}`);
        return item;
      },
      { may: "content", parse: "none" },
    )
    .delete(
      "/api/bin/:id",
      async ({ params, set, logAudit }) => {
        if ((await bin.expireItems([params.id])) === 0) throw notFound(NOT_IN_TRASH_MESSAGE);
        await sweep();
        logAudit("data", "permanently deleted an item in the trash");
        set.status = 204;
      },
      { owner: "reauthenticated" },
    )
    .delete(
      "/api/bin",
      async ({ logAudit }) => {
        const deleted = await bin.expireItems();
        await sweep();
        logAudit("data", "emptied the trash");
        return { deleted };
      },
      { owner: "reauthenticated" },
    );
}

async function respondWithThumbnail(
  { bin, findThumbnail }: BinContext,
  id: string,
): Promise<Response> {
  const binItem = await bin.getItem(id);
  const isPicture = binItem?.entity === entities.uploads;
  const file = isPicture ? await findThumbnail(binItem.item as Item<"uploads">) : undefined;
  if (!file) throw notFound();
  return new Response(Bun.file(file.path), {
    headers: {
      "content-type": file.contentType,
      "content-security-policy": "default-src 'none'; sandbox",
      // A deleted picture is only for owners, so it isn't cached.
      "cache-control": "no-store",
    },
  });
}

/** Restores an item and returns it, with the ETags of its list. Throws `not_found`, `not_allowed` and `conflict`. */
async function restoreFromBin({ bin, getBinHandler }: BinContext, id: string, user: SessionUser) {
  const binItem = await bin.getItem(id);
  if (!binItem) throw notFound(NOT_IN_TRASH_MESSAGE);
  const { entity } = binItem;
  // Only owners may delete visitors' records, and restore them.
  requirePermission(user, entity.shape === "records" ? "site" : entity.permission);
  const handler = getBinHandler(entity);
  const item = await bin.restoreItem(id, handler.restore, handler.afterRestore);
  if (!item) throw notFound(NOT_IN_TRASH_MESSAGE);
  const list = handler.findOwnerList?.(binItem);
  // The list as it was before the restore. If it has also changed otherwise, its ETag differs from the client's.
  const before = list?.filter((each) => each.id !== id);
  return { entity, item, headers: list && before ? createEtagHeaders(list, before) : {} };
}

const listEntitiesOfKind = (kind: BinKind) =>
  allEntities.flatMap(({ key }) => (getBinKind(key) === kind ? key : []));

const toBinResponse = ({ entity, item, deletedAt, until }: BinItem) => ({
  id: item.id,
  entity: entity.key,
  item: entity.shape === "records" ? toRecordResponse(entity, item) : item,
  deletedAt,
  until,
});

/** Returns a function that describes an item. Each entity has one describer, since some read many items. */
async function createItemDescriber(
  getBinHandler: BinContext["getBinHandler"],
  items: readonly BinItem[],
) {
  const describers = new Map<DeletableEntity, DescribeItem>();
  for (const { entity } of items) {
    const describeItem = describers.has(entity)
      ? undefined
      : await getBinHandler(entity).createDescriber?.();
    if (describeItem) describers.set(entity, describeItem);
  }
  return async (binItem: BinItem): Promise<BinItemDetails> =>
    (await describers.get(binItem.entity)?.(binItem)) ?? {};
}

async function countByKind(bin: Bin): Promise<Record<BinKind, number>> {
  const counts = { pictures: 0, enquiries: 0, other: 0 };
  for (const [entity, count] of Object.entries(await bin.countByEntity()))
    counts[getBinKind(entity)] += count;
  return counts;
}

function readBinQuery(url: string): PageRange & { readonly kind: BinKind | undefined } {
  const query = new URL(url).searchParams;
  const kind = query.get("kind");
  const binKind = BIN_KINDS.find((each) => each === kind);
  if (kind && !binKind) {
    const message = "Choose one of the options.";
    throw invalidInput(message, { kind: message });
  }
  return { ...readPageRange(query), kind: binKind };
}
