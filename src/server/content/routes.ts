/** The routes of all content: one set for each shape of entity, written once. */
import { type AnyElysia, Elysia } from "elysia";
import type { Collection, Entity, Singleton } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import { visitorView } from "../../schema/visitorView.ts";
import { requireMay, type SessionUser } from "../accounts/guard.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { etagsOf, requireMatch } from "../http/conditional.ts";
import { isoTime } from "../shared/clock.ts";
import { noSession, secondFactorDue } from "../shared/errors.ts";
import { auditKind, changedValues, labelsOfChanged, requireRules, stamps } from "./check.ts";
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
      ({ viewer, session }) => {
        requireReader(entity, { viewer, session });
        const { value } = document.read();
        return viewer ? value : visitorView(entity, value);
      },
      { viewer: true },
    )
    .post(
      path,
      async ({ request, set, happened }) => {
        const values = changedValues(entity, await readJson(request, DASHBOARD_JSON));
        let changed: string[] = [];
        let before: unknown;
        const saved = await document.update((current) => {
          requireMatch(request, current);
          before = current;
          changed = labelsOfChanged(entity, current, values);
          const next = { ...current, ...values, ...stamps(entity, "save", isoTime(clock)) };
          return Bun.deepEquals(next, current) ? current : requireRules(entity, next);
        });
        Object.assign(set.headers, etagsOf(saved.value, before));
        if (changed.length > 0)
          happened(auditKind(entity), `changed ${entity.section}: ${changed.join(", ")}`);
        return saved.value;
      },
      { may: entity.permission },
    );
}

function collectionRoutes(entity: Collection, context: ContentContext): AnyElysia {
  const list = { ...context, entity };
  const app = new Elysia().use(readRoutes(list)).use(writeRoutes(list));
  return entity.arrangement ? app.use(reorderRoute(list)) : app;
}

function readRoutes({ entity, store, guard }: ListContext) {
  const read = ({ viewer, session }: WhoReads, parentId?: string) => {
    const isOwner = viewer !== undefined;
    requireReader(entity, { viewer, session });
    if (parentId !== undefined) requireVisibleParent(store, entity, parentId, isOwner);
    const list = ownersList(entity, store.of(entity).read().value, parentId);
    return isOwner ? list : visitorView(entity, list);
  };
  const app = new Elysia().use(guard);
  const base = `/api/${entity.name}` as const;
  return entity.parent
    ? app.get(`${base}/:id`, ({ params, ...who }) => read(who, params.id!), { viewer: true })
    : app.get(base, (who) => read(who), { viewer: true });
}

function writeRoutes(context: ListContext) {
  const { entity } = context;
  const base = `/api/${entity.name}` as const;
  return new Elysia()
    .use(context.guard)
    .post(
      base,
      async ({ request, set, happened }) => {
        const { item, list, before } = await createItem(context, request, await sentWith(request));
        set.status = 201;
        Object.assign(set.headers, etagsOf(list, before));
        happened(auditKind(entity), `added to ${entity.section}`);
        return item;
      },
      { may: entity.permission },
    )
    .put(
      `${base}/:id`,
      async ({ request, params, set, happened }) => {
        const sent = await sentWith(request);
        const { item, list, before, changed } = await changeItem(context, request, params.id, sent);
        Object.assign(set.headers, etagsOf(list, before));
        if (changed.length > 0)
          happened(auditKind(entity), `changed ${entity.section}: ${changed.join(", ")}`);
        return item;
      },
      { may: entity.permission },
    )
    .delete(
      `${base}/:id`,
      async ({ request, params, set, happened }) => {
        const { list, before } = await removeItem(context, request, params.id);
        Object.assign(set.headers, etagsOf(list, before));
        happened(auditKind(entity), `deleted from ${entity.section}`);
        set.status = 204;
      },
      // What visitors have sent goes with it.
      { may: hasRecords(entity) ? "site" : entity.permission },
    );
}

function reorderRoute(context: ListContext) {
  return new Elysia().use(context.guard).post(
    `/api/${context.entity.name}/reorder`,
    async ({ request, set, happened }) => {
      const { list, before } = await reorderItems(context, request, await sentWith(request));
      Object.assign(set.headers, etagsOf(list, before));
      happened(auditKind(context.entity), `changed the order of ${context.entity.section}`);
      return list;
    },
    { may: context.entity.permission },
  );
}

/** As the guard's `viewer: true` has it. */
interface WhoReads {
  readonly viewer: SessionUser | undefined;
  readonly session: SessionUser | undefined;
}

/** Throws a 401, or a 403, where an entity is not read by everyone. */
function requireReader({ readers, permission }: Entity, { viewer, session }: WhoReads): void {
  if (readers === "everyone") return;
  if (!viewer) throw session ? secondFactorDue() : noSession();
  requireMay(viewer, permission);
}

const hasRecords = ({ key }: Collection) =>
  allEntities.some((entity) => entity.shape === "records" && entity.parent?.entity === key);

const sentWith = (request: Request) => readJson(request, DASHBOARD_JSON);
