/** The routes of singletons: each is read and saved alone, and several can be saved together. */
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import type { Entity, Singleton } from "../../schema/entities/entity.ts";
import { entities, entityByName } from "../../schema/index.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { type VisibilityContext, visitorView } from "../../schema/entities/visitorView.ts";
import {
  type Happened,
  requirePermission,
  requireReader,
  type CurrentReader,
} from "../accounts/guard.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { etagsOf, requireEtag } from "../http/conditional.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { invalid, withEntityName } from "../shared/errors.ts";
import { visibilityContextAt } from "../shared/visibilityContext.ts";
import type { Document } from "../storage/store.ts";
import {
  type Author,
  auditKind,
  checkChangedValues,
  labelsOfChanged,
  requirePermissions,
  requireRules,
  timestampsFor,
  type Values,
} from "./inputChecks.ts";
import type { ContentContext } from "./writes.ts";

/** POST merges the sent fields into the stored value, and returns the result. */
export function singletonRoutes(entity: Singleton, context: ContentContext): AnyElysia {
  const { store, guard, clock, proof } = context;
  const document = store.of(entity);
  const path = `/api/${entity.name}` as const;
  return new Elysia()
    .use(guard)
    .get(
      path,
      ({ viewer, session }) => {
        requireReader(entity, { viewer, session });
        const { value } = document.read();
        return seesAll(entity, viewer) ? value : visitorView(entity, value, sightOf(context));
      },
      { viewer: true },
    )
    .post(
      path,
      async ({ request, user, set, happened }) => {
        const values = checkChangedValues(entity, await readJson(request, DASHBOARD_JSON));
        const expected = request.headers.get("if-match");
        const change = { entity, values, expected, author: { user, proof } };
        const saved = await save(document, change, clock);
        Object.assign(set.headers, etagsOf(saved.value, saved.before));
        note(happened, saved);
        return saved.value;
      },
      { may: entity.permission },
    );
}

/**
 * Whether a viewer sees drafts, inactive items and internal fields: whoever may edit content, and of forms a reader,
 * who needs them for the submissions.
 */
export const seesAll = ({ key, permission }: Entity, viewer: CurrentReader["viewer"]): boolean =>
  viewer !== undefined &&
  (hasPermission(viewer.role, permission) ||
    hasPermission(viewer.role, "content") ||
    (FORM_ENTITIES.has(key) && hasPermission(viewer.role, "enquiries")));

const FORM_ENTITIES: ReadonlySet<string> = new Set([
  entities.forms.key,
  entities.formSteps.key,
  entities.formFields.key,
]);

/** The value that a visitor sees now. */
export const sightOf = ({ store, clock }: ContentContext): VisibilityContext =>
  visibilityContextAt(store, clock());

/**
 * POST `/api/batch` saves several singletons in one transaction, each as its own POST would. Returns `{name, value,
 * etag, previousEtag}` for each, in the order of the request. A refusal names its entity in `name`.
 */
export function batchRoute({ store, guard, clock, proof }: ContentContext): AnyElysia {
  return new Elysia().use(guard).post(
    "/api/batch",
    async ({ request, user, happened }) => {
      const changes = changesIn(await readJson(request, DASHBOARD_JSON), { user, proof });
      const all = await store.transaction(async (transaction) => {
        const done: Saved[] = [];
        for (const change of changes) {
          const document = withNameInRefusals(change.entity.name, transaction.of(change.entity));
          done.push(await save(document, change, clock)); // oxlint-disable-line no-await-in-loop
        }
        return done;
      });
      for (const saved of all) note(happened, saved);
      return all.map(({ entity, value, before }) => {
        const { etag, "x-previous-etag": previousEtag } = etagsOf(value, before);
        return { name: entity.name, value, etag, previousEtag };
      });
    },
    { may: "content" },
  );
}

/** A requested save, checked as far as possible without the stored value. */
interface Change {
  readonly entity: Singleton;
  readonly values: Values;
  /** The ETag that the stored value must have; null accepts any. */
  readonly expected: string | null;
  readonly author: Author;
}

const batchSchema = v.object({
  changes: v.pipe(
    v.array(v.object({ name: v.string(), values: v.unknown(), etag: v.nullish(v.string(), null) })),
    v.minLength(1),
  ),
});

const SHAPE = "Send changes: a list of {name, values, etag}.";
const UNKNOWN = "Only sections and settings can be saved together, each by its name.";
const TWICE = "A section is listed twice. List each section once.";

/** Throws a 422 for another shape and for what a single save would refuse, a 403 for what this person may not edit. */
function changesIn(sent: unknown, author: Author): Change[] {
  const batch = v.safeParse(batchSchema, sent);
  if (!batch.success) throw invalid(SHAPE);
  const seen = new Set<string>();
  return batch.output.changes.map(({ name, values, etag }) =>
    withEntityName(name, () => {
      const entity = entityByName(name);
      if (!isSaved(entity)) throw invalid(UNKNOWN);
      requirePermission(author.user, entity.permission);
      if (seen.has(name)) throw invalid(TWICE);
      seen.add(name);
      return { entity, values: checkChangedValues(entity, values), expected: etag, author };
    }),
  );
}

const isSaved = (entity: Entity | undefined): entity is Singleton =>
  entity?.shape === "singleton" && entity.readers !== "none";

/** The stored value before and after, and the labels of the changed fields. */
interface Saved {
  readonly entity: Singleton;
  readonly before: unknown;
  readonly value: Values;
  readonly changed: readonly string[];
}

type Saveable = Pick<Document<Values>, "update">;

/** Updates one document. Throws 403, 412, 422. */
async function save(
  document: Saveable,
  { entity, values, expected, author }: Change,
  clock: Clock,
): Promise<Saved> {
  let changed: readonly string[] = [];
  let before: unknown;
  const { value } = await document.update((current) => {
    requireEtag(expected, current);
    requirePermissions(entity, author, current, values);
    before = current;
    changed = labelsOfChanged(entity, current, values);
    const next = { ...current, ...values, ...timestampsFor(entity, "save", isoTime(clock)) };
    return Bun.deepEquals(next, current) ? current : requireRules(entity, next, current);
  });
  return { entity, before, value, changed };
}

const withNameInRefusals = (name: string, document: Saveable): Saveable => ({
  update: (change) =>
    document.update((current, snapshot) => withEntityName(name, () => change(current, snapshot))),
});

function note(happened: Happened, { entity, changed }: Saved): void {
  if (changed.length > 0)
    happened(auditKind(entity), `changed ${entity.section}: ${changed.join(", ")}`);
}
