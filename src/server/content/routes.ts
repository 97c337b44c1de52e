/** The routes of all content, defined once for each shape of entity. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { type AnyElysia, Elysia } from "elysia";
import { type Collection, hasPersonalData } from "../../schema/entities/entity.ts";
import { allEntities } from "../../schema/index.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { createVisitorView } from "../../schema/entities/visitorView.ts";
import { requireReadable, type ViewerAccess } from "../accounts/guard.ts";
import { MAX_DASHBOARD_JSON_BYTES, readJson } from "../http/body.ts";
import { createEtagHeaders } from "../http/conditionalRequests.ts";
import { getAuditKind } from "./inputChecks.ts";
import { createOwnerView, assertVisibleParent } from "./parents.ts";
import { reorderItems } from "./reordering.ts";
import {
  createBatchRoute,
  canSeeAll,
  createVisitorContext,
  createSingletonRoutes,
} from "./singletonRoutes.ts";
import {
  changeItem,
  type ContentContext,
  createItem,
  type ListContext,
  removeItem,
} from "./listItemWrites.ts";

/**
 * The routes of every entity that can be read:
 *
 *   a singleton         GET, POST /api/{name}
 *   several singletons  POST /api/batch
 *   a collection        GET, POST /api/{name}, PUT, DELETE /api/{name}/{id}, POST /api/{name}/reorder;
 *                       a collection with a parent is read by GET /api/{name}/{parentId}
 *
 * Earlier revisions are served by history.ts, records by `visitors/recordRoutes.ts`.
 */
export function createContentRoutes(context: ContentContext): AnyElysia {
  const app = new Elysia();
  for (const entity of allEntities) {
    if (entity.readers === "none") continue;
    if (entity.shape === "singleton") app.use(createSingletonRoutes(entity, context));
    if (entity.shape === "collection") app.use(createCollectionRoutes(entity, context));
  }
  return app.use(createBatchRoute(context));
}

function createCollectionRoutes(entity: Collection, context: ContentContext): AnyElysia {
  const listContext = { ...context, entity };
  const app = new Elysia().use(createReadRoutes(listContext)).use(createWriteRoutes(listContext));
  return entity.arrangement ? app.use(createReorderRoute(listContext)) : app;
}

function createReadRoutes(context: ListContext) {
  const { entity, store, guard } = context;
  const readList = ({ viewer, session }: ViewerAccess, parentId?: string) => {
    // Items about people are complete only for users who may edit them.
    const isOwner =
      canSeeAll(entity, viewer) &&
      (!hasPersonalData(entity) || hasPermission(viewer?.role ?? "", entity.permission));
    requireReadable(entity, { viewer, session });
    if (parentId !== undefined) assertVisibleParent(store, entity, parentId, isOwner);
    const list = createOwnerView(entity, store.of(entity).read().value, parentId);
    return isOwner ? list : createVisitorView(entity, list, createVisitorContext(context));
  };
  const app = new Elysia().use(guard);
  const path = `/api/${entity.name}` as const;
  return entity.parent
    ? app.get(
        `${path}/:id`,
        ({ params, ...reader }) => readList(reader, assertDefined(params.id, "id in the path")),
        { viewer: true },
      )
    : app.get(path, (reader) => readList(reader), { viewer: true });
}

function createWriteRoutes(context: ListContext) {
  const { entity } = context;
  const base = `/api/${entity.name}` as const;
  return new Elysia()
    .use(context.guard)
    .post(
      base,
      async ({ request, user, set, logAudit }) => {
        const input = await readBody(request);
        const { item, list, before } = await createItem(context, { request, user }, input);
        set.status = 201;
        Object.assign(set.headers, createEtagHeaders(list, before));
        logAudit(getAuditKind(entity), `added to ${entity.section}`);
        return item;
      },
      { may: entity.permission },
    )
    .put(
      `${base}/:id`,
      async ({ request, user, params, set, logAudit }) => {
        const input = await readBody(request);
        const caller = { request, user };
        const { item, list, before, changed } = await changeItem(context, caller, params.id, input);
        Object.assign(set.headers, createEtagHeaders(list, before));
        if (changed.length > 0)
          logAudit(getAuditKind(entity), `changed ${entity.section}: ${changed.join(", ")}`);
        return item;
      },
      { may: entity.permission },
    )
    .delete(
      `${base}/:id`,
      async ({ request, params, set, logAudit }) => {
        const { list, before } = await removeItem(context, request, params.id);
        Object.assign(set.headers, createEtagHeaders(list, before));
        logAudit(getAuditKind(entity), `deleted from ${entity.section}`);
        set.status = 204;
      },
      // Also deletes a form's submissions, so it needs the permission "site".
      { may: hasChildRecords(entity) ? "site" : entity.permission },
    );
}

function createReorderRoute(context: ListContext) {
  return new Elysia().use(context.guard).post(
    `/api/${context.entity.name}/reorder`,
    async ({ request, set, logAudit }) => {
      const { list, before } = await reorderItems(context, request, await readBody(request));
      Object.assign(set.headers, createEtagHeaders(list, before));
      logAudit(getAuditKind(context.entity), `changed the order of ${context.entity.section}`);
      return list;
    },
    { may: context.entity.permission },
  );
}

const hasChildRecords = ({ key }: Collection) =>
  allEntities.some((entity) => entity.shape === "records" && entity.parent?.entity === key);

const readBody = (request: Request) => readJson(request, MAX_DASHBOARD_JSON_BYTES);
