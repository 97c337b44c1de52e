/** The calls of all content: one set for each declared entity, written once (design.md section 3). */
import { type AnyElysia, Elysia } from "elysia";
import type { Collection, Entity, Singleton } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import { visitorView } from "../../schema/visitorView.ts";
import { noSession } from "../errors.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { isoTime } from "../http/clock.ts";
import { etagOf, requireMatch } from "../http/conditional.ts";
import { changedValues, stamps } from "./check.ts";
import { historyRoutes } from "./history.ts";
import { type ContentContext, ownersList, requireVisibleParent } from "./parents.ts";
import { changeItem, createItem, type ListContext, removeItem, reorderItems } from "./writes.ts";

// The calls of a list: GET, POST, PUT, DELETE and reorder under `/api/{name}` (spec section 7).

/** Lists with a parent are read one parent at a time: GET `/api/{name}/{parentId}`. */
function collectionRoutes(entity: Collection, parts: ContentContext): AnyElysia {
  const list = { ...parts, entity };
  const app = new Elysia().use(readRoutes(list)).use(writeRoutes(list));
  return entity.arrangement ? app.use(reorderRoute(list)) : app;
}

function writeRoutes(parts: ListContext) {
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

function reorderRoute(parts: ListContext) {
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
    ? app.get(`${base}/:id`, ({ viewer, params }) => read(!!viewer, params.id ?? ""), {
        viewer: true,
      })
    : app.get(base, ({ viewer }) => read(!!viewer), { viewer: true });
}

// The calls of an entity of which there is one: GET and POST `/api/{name}` (spec section 7).

/** POST merges what is sent into what is stored, and answers the whole. */
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

/** Every entity with readers gets its calls; records have capabilities of their own. */
export function contentRoutes(parts: ContentContext): AnyElysia {
  const app = new Elysia().use(historyRoutes(parts));
  return allEntities
    .filter(({ readers }) => readers !== "none")
    .map((entity) => routesOf(entity, parts))
    .reduce<AnyElysia>((all, calls) => (calls ? all.use(calls) : all), app);
}

function routesOf(entity: Entity, parts: ContentContext): AnyElysia | undefined {
  if (entity.shape === "singleton") return singletonRoutes(entity, parts);
  return entity.shape === "collection" ? collectionRoutes(entity, parts) : undefined;
}
