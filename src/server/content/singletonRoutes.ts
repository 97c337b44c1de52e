/** The routes of singletons: each has its own, and `/api/batch` saves several together. */
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import type { Entity, Singleton } from "../../schema/entities/entity.ts";
import { entities, findEntityByName } from "../../schema/index.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { type VisibilityContext, createVisitorView } from "../../schema/entities/visitorView.ts";
import {
  type LogAudit,
  requirePermission,
  requireReadable,
  type ViewerAccess,
} from "../accounts/guard.ts";
import { MAX_DASHBOARD_JSON_BYTES, readJson } from "../http/body.ts";
import { createEtagHeaders, assertEtag } from "../http/conditionalRequests.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { invalidInput, withEntityName } from "../shared/errors.ts";
import { createVisibilityContext } from "../shared/visibilityContext.ts";
import type { Document } from "../storage/store.ts";
import {
  type Author,
  getAuditKind,
  checkChangedValues,
  findChangedFieldLabels,
  assertPermissions,
  assertItemRules,
  createTimestamps,
  type Values,
} from "./inputChecks.ts";
import type { ContentContext } from "./listItemWrites.ts";

/** GET `/api/{name}` returns the value. POST `/api/{name}` changes the sent fields, and returns the whole value. */
export function createSingletonRoutes(entity: Singleton, context: ContentContext): AnyElysia {
  const { store, guard, clock, reauthentication } = context;
  const document = store.of(entity);
  const path = `/api/${entity.name}` as const;
  return new Elysia()
    .use(guard)
    .get(
      path,
      ({ viewer, session }) => {
        requireReadable(entity, { viewer, session });
        const { value } = document.read();
        return canSeeAll(entity, viewer)
          ? value
          : createVisitorView(entity, value, createVisitorContext(context));
      },
      { viewer: true },
    )
    .post(
      path,
      async ({ request, user, set, logAudit }) => {
        const values = checkChangedValues(
          entity,
          await readJson(request, MAX_DASHBOARD_JSON_BYTES),
        );
        const expectedEtag = request.headers.get("if-match");
        const change = {
          entity,
          values,
          expectedEtag,
          author: { user, reauthentication },
        };
        const saved = await saveSingleton(document, change, clock);
        Object.assign(set.headers, createEtagHeaders(saved.value, saved.before));
        logChange(logAudit, saved);
        return saved.value;
      },
      { may: entity.permission },
    );
}

/** Whether a viewer sees drafts, inactive items and internal fields. Users who may read submissions see all forms. */
export const canSeeAll = ({ key, permission }: Entity, viewer: ViewerAccess["viewer"]): boolean =>
  viewer !== undefined &&
  (hasPermission(viewer.role, permission) ||
    hasPermission(viewer.role, "content") ||
    (FORM_ENTITIES.has(key) && hasPermission(viewer.role, "enquiries")));

const FORM_ENTITIES: ReadonlySet<string> = new Set([
  entities.forms.key,
  entities.formSteps.key,
  entities.formFields.key,
]);

export const createVisitorContext = ({ store, clock }: ContentContext): VisibilityContext =>
  createVisibilityContext(store, clock());

/**
 * POST `/api/batch` saves several singletons in one transaction. Returns `{name, value, etag, previousEtag}` for each,
 * in the order of the request. A refusal has the refused entity in `name`.
 */
export function createBatchRoute({
  store,
  guard,
  clock,
  reauthentication,
}: ContentContext): AnyElysia {
  return new Elysia().use(guard).post(
    "/api/batch",
    async ({ request, user, logAudit }) => {
      const changes = readChanges(await readJson(request, MAX_DASHBOARD_JSON_BYTES), {
        user,
        reauthentication,
      });
      const savedSingletons = await store.transaction(async (transaction) => {
        const results: SavedSingleton[] = [];
        for (const change of changes) {
          const document = addNameToRefusals(change.entity.name, transaction.of(change.entity));
          results.push(await saveSingleton(document, change, clock)); // oxlint-disable-line no-await-in-loop
        }
        return results;
      });
      for (const saved of savedSingletons) logChange(logAudit, saved);
      return savedSingletons.map(({ entity, value, before }) => {
        const { etag, "x-previous-etag": previousEtag } = createEtagHeaders(value, before);
        return { name: entity.name, value, etag, previousEtag };
      });
    },
    { may: "content" },
  );
}

/** A change whose values were checked, except against the rules that need the stored value. */
interface SingletonChange {
  readonly entity: Singleton;
  readonly values: Values;
  /** The ETag that the stored value must have; null if any is accepted. */
  readonly expectedEtag: string | null;
  readonly author: Author;
}

const batchSchema = v.object({
  changes: v.pipe(
    v.array(v.object({ name: v.string(), values: v.unknown(), etag: v.nullish(v.string(), null) })),
    v.minLength(1),
  ),
});

const BATCH_SHAPE_MESSAGE = "Send changes: a list of {name, values, etag}.";
const UNKNOWN_NAME_MESSAGE = "Only sections and settings can be saved together, each by its name.";
const DUPLICATE_SECTION_MESSAGE = "A section is listed twice. List each section once.";

/** Throws a 422 for another shape or an invalid value, and a 403 for an entity that the user may not edit. */
function readChanges(input: unknown, author: Author): SingletonChange[] {
  const batch = v.safeParse(batchSchema, input);
  if (!batch.success) throw invalidInput(BATCH_SHAPE_MESSAGE);
  const seenNames = new Set<string>();
  return batch.output.changes.map(({ name, values, etag }) =>
    withEntityName(name, () => {
      const entity = findEntityByName(name);
      if (!isSaveable(entity)) throw invalidInput(UNKNOWN_NAME_MESSAGE);
      requirePermission(author.user, entity.permission);
      if (seenNames.has(name)) throw invalidInput(DUPLICATE_SECTION_MESSAGE);
      seenNames.add(name);
      return { entity, values: checkChangedValues(entity, values), expectedEtag: etag, author };
    }),
  );
}

const isSaveable = (entity: Entity | undefined): entity is Singleton =>
  entity?.shape === "singleton" && entity.readers !== "none";

interface SavedSingleton {
  readonly entity: Singleton;
  readonly before: unknown;
  readonly value: Values;
  readonly changedLabels: readonly string[];
}

type SaveableDocument = Pick<Document<Values>, "update">;

/** Throws a 403, a 412 or a 422. */
async function saveSingleton(
  document: SaveableDocument,
  { entity, values, expectedEtag, author }: SingletonChange,
  clock: Clock,
): Promise<SavedSingleton> {
  let changedLabels: readonly string[] = [];
  let before: unknown;
  const { value } = await document.update((current) => {
    assertEtag(expectedEtag, current);
    assertPermissions(entity, author, current, values);
    before = current;
    changedLabels = findChangedFieldLabels(entity, current, values);
    const next = {
      ...current,
      ...values,
      ...createTimestamps(entity, "save", getTimestamp(clock)),
    };
    return Bun.deepEquals(next, current) ? current : assertItemRules(entity, next, current);
  });
  return { entity, before, value, changedLabels };
}

const addNameToRefusals = (name: string, document: SaveableDocument): SaveableDocument => ({
  update: (change) =>
    document.update((current, snapshot) => withEntityName(name, () => change(current, snapshot))),
});

function logChange(logAudit: LogAudit, { entity, changedLabels }: SavedSingleton): void {
  if (changedLabels.length > 0)
    logAudit(getAuditKind(entity), `changed ${entity.section}: ${changedLabels.join(", ")}`);
}
