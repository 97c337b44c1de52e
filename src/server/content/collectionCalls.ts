/** The calls of a list: GET, POST, PUT, DELETE and reorder under `/api/{name}` (spec section 7). */
import { Elysia, type AnyElysia } from "elysia";
import type { Collection } from "../../schema/entity.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { etagOf } from "../http/etag.ts";
import { noSession } from "../http/refusal.ts";
import {
  changeItem,
  createItem,
  removeItem,
  reorderItems,
  type ListParts,
} from "./collectionWrites.ts";
import { requireVisibleParent } from "./parents.ts";
import { itemsOf, type ContentParts } from "./parts.ts";
import { visitorView } from "../../schema/visitorView.ts";
import { ownersList } from "./ownersList.ts";

/** Lists with a parent are read one parent at a time: GET `/api/{name}/{parentId}`. */
export function collectionCalls(entity: Collection, parts: ContentParts): AnyElysia {
  const list = { ...parts, entity };
  const app = new Elysia().use(readCalls(list)).use(writeCalls(list));
  return entity.arrangement ? app.use(reorderCall(list)) : app;
}

function writeCalls(parts: ListParts) {
  const base = `/api/${parts.entity.name}` as const;
  return new Elysia()
    .use(parts.guard)
    .post(
      base,
      async ({ request, set }) => {
        const { item, list } = await createItem(parts, request, await sentWith(request));
        set.status = 201;
        set.headers.etag = etagOf(list);
        return item;
      },
      { owner: true },
    )
    .put(
      `${base}/:id`,
      async ({ request, params, set }) => {
        const { item, list } = await changeItem(parts, request, params.id, await sentWith(request));
        set.headers.etag = etagOf(list);
        return item;
      },
      { owner: true },
    )
    .delete(
      `${base}/:id`,
      async ({ request, params, set }) => {
        set.headers.etag = etagOf(await removeItem(parts, request, params.id));
        set.status = 204;
      },
      { owner: true },
    );
}

function reorderCall(parts: ListParts) {
  return new Elysia().use(parts.guard).post(
    `/api/${parts.entity.name}/reorder`,
    async ({ request, set }) => {
      const list = await reorderItems(parts, request, await sentWith(request));
      set.headers.etag = etagOf(list);
      return list;
    },
    { owner: true },
  );
}

const sentWith = (request: Request) => readJson(request, DASHBOARD_JSON);

function readCalls({ entity, store, guard }: ListParts) {
  const read = (isOwner: boolean, parentId?: string) => {
    if (!isOwner && entity.readers === "owner") throw noSession();
    if (parentId !== undefined) requireVisibleParent(store, entity, parentId, isOwner);
    const list = ownersList(entity, itemsOf(store, entity).read().value, parentId);
    return isOwner ? list : visitorView(entity, list);
  };
  const app = new Elysia().use(guard);
  const base = `/api/${entity.name}` as const;
  return entity.parent
    ? app.get(`${base}/:id`, ({ viewer, params }) => read(!!viewer, params.id ?? ""), {
        viewer: true,
      })
    : app.get(base, ({ viewer }) => read(!!viewer), { viewer: true });
}
