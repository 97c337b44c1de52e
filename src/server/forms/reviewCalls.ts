/** The owner's calls on submissions: read, mark, delete, take back a deletion. */
import { Elysia } from "elysia";
import * as v from "valibot";
import type { Content } from "../../schema/index.ts";
import { formSubmissions, SUBMISSION_STATUSES } from "../../schema/submissions.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { readListQuery } from "../http/listQuery.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";
import { countSubmissions, listSubmissions } from "./listSubmissions.ts";
import { type Submission, submissionRecords } from "./submissionRecords.ts";

/** What the calls stand on. */
export interface ReviewParts {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Bin<Submission>;
}

const GONE = "This submission is no longer there.";
const NOT_KEPT = "This submission can no longer be brought back.";

/**
 * GET /api/form-submissions/{formId}?offset&limit&status&search, newest first, with X-Total-Count
 * and X-Count-New; GET /api/form-submission-counts; PUT …/{id}/status; DELETE …/{id};
 * POST …/{id}/restore within ten minutes.
 */
export function reviewCalls({ store, guard, deleted }: ReviewParts) {
  const records = submissionRecords(store);
  return new Elysia({ name: "review-calls" })
    .use(guard)
    .get("/api/form-submission-counts", () => countSubmissions(store), { owner: true })
    .get(
      "/api/form-submissions/:id",
      async ({ params: { id: formId }, request, set }) => {
        if (!formThere(store, formId)) throw notFound("This form is no longer there.");
        const query = readListQuery(request.url, SUBMISSION_STATUSES);
        const { items, total } = await listSubmissions(store, formId, query);
        const isNew = (key: { formId: string; status: string }) =>
          key.formId === formId && key.status === "new";
        set.headers["x-total-count"] = String(total);
        set.headers["x-count-new"] = String(records.count(isNew));
        return items;
      },
      { owner: true },
    )
    .put(
      "/api/form-submissions/:id/status",
      async ({ params: { id }, request }) => {
        const status = readStatus(await readJson(request, DASHBOARD_JSON));
        return (await records.update(id, (record) => ({ ...record, status }))) ?? gone();
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/api/form-submissions/:id",
      async ({ params: { id }, status }) => {
        deleted.keep((await records.delete(id)) ?? gone());
        return status(204, undefined);
      },
      { owner: true },
    )
    .post(
      "/api/form-submissions/:id/restore",
      async ({ params: { id }, status }) => {
        const restored = await deleted.take(id, (record) => {
          if (!formThere(store, record.formId)) throw notFound(NOT_KEPT);
          return records.insert(record);
        });
        return status(201, restored ?? notKept());
      },
      { owner: true, parse: "none" },
    );
}

function readStatus(body: unknown): Submission["status"] {
  const given = (body as { status?: unknown } | null)?.status;
  const outcome = v.safeParse(formSubmissions.fields.status.schema, given);
  if (outcome.success) return outcome.output;
  const words = outcome.issues[0].message;
  throw invalid(words, { status: words });
}

/** A deleted form takes its submissions along. */
const formThere = (store: Store, formId: string) =>
  store
    .document<Content<"forms">>("forms")
    .read()
    .value.some(({ id }) => id === formId);

function gone(): never {
  throw notFound(GONE);
}

function notKept(): never {
  throw notFound(NOT_KEPT);
}
