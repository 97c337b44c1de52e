/** The routes of all content: one set for each shape of entity, written once. */
import { type AnyElysia, Elysia } from "elysia";
import type { Collection, Singleton } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import { visitorView } from "../../schema/visitorView.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { etagOf, requireMatch } from "../http/conditional.ts";
import { isoTime } from "../shared/clock.ts";
import { noSession } from "../shared/errors.ts";
import { changedValues, stamps } from "./check.ts";
import { ownersList, requireVisibleParent } from "./parents.ts";
import {
  changeItem,
  type ContentContext,
  createItem,
  type ListContext,
  removeItem,
  reorderItems,
} from "./writes.ts";

/**
 * Every entity with readers gets its routes:
 *
 *   a singleton      GET, POST /api/{name}
 *   a collection     GET, POST /api/{name}, PUT, DELETE /api/{name}/{id}, POST /api/{name}/reorder;
 *                    with a parent it is read by GET /api/{name}/{parentId}
 *
 * Earlier revisions are served by history.ts, records by `visitors/records.ts`.
 */
export function contentRoutes(context: ContentContext): AnyElysia {
  const app = new Elysia();
  for (const entity of allEntities) {
    if (entity.readers === "none") continue;
    if (entity.shape === "singleton") app.use(singletonRoutes(entity, context));
    if (entity.shape === "collection") app.use(collectionRoutes(entity, context));
  }
  return app;
}

/** POST merges what is sent into what is stored, and returns the whole. */
function singletonRoutes(entity: Singleton, { store, guard, clock }: ContentContext): AnyElysia {
  const document = store.of(entity);
  const path = `/api/${entity.name}` as const;
  return new Elysia()
    .use(guard)
    .get(
      path,
      ({ viewer }) => {
        if (!viewer && entity.readers === "owner") throw noSession();
        const { value } = document.read();
        return viewer ? value : visitorView(entity, value);
      },
      { viewer: true },
    )
    .post(
      path,
      async ({ request, set }) => {
        const values = changedValues(entity, await readJson(request, DASHBOARD_JSON));
        const saved = await document.update((current) => {
          requireMatch(request, current);
          const next = { ...current, ...values, ...stamps(entity, "save", isoTime(clock)) };
          return Bun.deepEquals(next, current) ? current : next;
        });
        set.headers.etag = etagOf(saved.value);
        return saved.value;
      },
      { owner: true },
    );
}

function collectionRoutes(entity: Collection, context: ContentContext): AnyElysia {
  const list = { ...context, entity };
  const app = new Elysia().use(readRoutes(list)).use(writeRoutes(list));
  return entity.arrangement ? app.use(reorderRoute(list)) : app;
}

function readRoutes({ entity, store, guard }: ListContext) {
  const read = (isOwner: boolean, parentId?: string) => {
    if (!isOwner && entity.readers === "owner") throw noSession();
    if (parentId !== undefined) requireVisibleParent(store, entity, parentId, isOwner);
    const list = ownersList(entity, store.of(entity).read().value, parentId);
    return isOwner ? list : visitorView(entity, list);
  };
  const app = new Elysia().use(guard);
  const base = `/api/${entity.name}` as const;
  return entity.parent
    ? app.get(`${base}/:id`, ({ viewer, params }) => read(!!viewer, params.id!), {
        viewer: true,
      })
    : app.get(base, ({ viewer }) => read(!!viewer), { viewer: true });
}

function writeRoutes(context: ListContext) {
  const base = `/api/${context.entity.name}` as const;
  return new Elysia()
    .use(context.guard)
    .post(
      base,
      async ({ request, set }) => {
        const { item, list } = await createItem(context, request, await sentWith(request));
        set.status = 201;
        set.headers.etag = etagOf(list);
        return item;
      },
      { owner: true },
    )
    .put(
      `${base}/:id`,
      async ({ request, params, set }) => {
        const { item, list } = await changeItem(
          context,
          request,
          params.id,
          await sentWith(request),
        );
        set.headers.etag = etagOf(list);
        return item;
      },
      { owner: true },
    )
    .delete(
      `${base}/:id`,
      async ({ request, params, set }) => {
        set.headers.etag = etagOf(await removeItem(context, request, params.id));
        set.status = 204;
      },
      { owner: true },
    );
}

function reorderRoute(context: ListContext) {
  return new Elysia().use(context.guard).post(
    `/api/${context.entity.name}/reorder`,
    async ({ request, set }) => {
      const list = await reorderItems(context, request, await sentWith(request));
      set.headers.etag = etagOf(list);
      return list;
    },
    { owner: true },
  );
}

const sentWith = (request: Request) => readJson(request, DASHBOARD_JSON);
