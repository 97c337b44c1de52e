/** Checks and stores enquiries. Each contains its questions, so that it stays readable when its form changes. */
import { type Answers, getMaxAnswerLength } from "../../schema/enquiry/answers.ts";
import {
  findActiveForm,
  createEnquiryTree,
  type EnquiryTree,
  findFormByPath,
} from "../../schema/enquiry/enquiry.ts";
import { entities, type Item } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { AnsweredQuestion } from "../../schema/enquiry/visitors.ts";
import { sortItems, selectVisible } from "../../schema/entities/visitorView.ts";
import type { Visitor } from "../http/visitor.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { invalidInput, isRefusal, notFound } from "../shared/errors.ts";
import { createVisibilityContext } from "../shared/visibilityContext.ts";
import type { Store } from "../storage/store.ts";
import type { EnquiryRateLimits } from "../visitors/enquiryRateLimits.ts";
import { collectFields, checkEnquiry } from "./enquiryAnswers.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";
import {
  type CheckedEnquiry,
  type EnquiryIdDerivation,
  findEarlierId,
} from "./enquiryDeduplication.ts";
import {
  type BodyFields,
  isObject,
  MAX_DASHBOARD_JSON_BYTES,
  MAX_PUBLIC_JSON_BYTES,
} from "../http/body.ts";

type StoredSubmission = Item<"formSubmissions">;

/**
 * Stores an enquiry from `{formId, data, submittedAt}`. Pages also send `website` (the honeypot), `started` (the proof
 * of the start time) and `about` (a package's id). If the honeypot is filled in, nothing is stored, but the response is
 * the same (decision 25). Throws a 404, 422 or 429, or `cannot_store`.
 */
export async function submitEnquiry(
  context: SubmissionContext,
  body: unknown,
  visitor: Visitor,
): Promise<{ id: string }> {
  if (!isObject(body)) throw invalidInput("Send the fields as a JSON object.");
  if (isHoneypotFilled(body.website)) return { id: Bun.randomUUIDv7() };
  const { formId, data } = readBody(body);
  const form = findActiveFormTreeById(context.store, formId);
  if (!form) throw notFound(VISITOR_REFUSALS.formClosed);
  const result = checkEnquiry(form, data);
  if (!result.ok) throw invalidInput(result.error, result.fields);
  const { started, submittedAt, about } = body;
  const enquiry = { form, answers: result.answers, started, submittedAt, about, visitor };
  return storeOnce(context, context.enquiryIds.createIdsByProof(enquiry), enquiry);
}

function readBody({ formId, data }: BodyFields): { formId: string; data: BodyFields } {
  if (typeof formId === "string" && formId !== "" && isObject(data)) return { formId, data };
  const fields: Record<string, string> = {};
  if (typeof formId !== "string" || formId === "")
    fields.formId = "Specify which form this is for (formId).";
  if (!isObject(data)) fields.data = "Send the answers by field id (data).";
  const [error = ""] = Object.values(fields);
  throw invalidInput(error, fields);
}

/** Whether the honeypot is filled in: a field that people don't see, so that usually only bots fill it in. */
export const isHoneypotFilled = (website: unknown) =>
  typeof website === "string" ? website !== "" : Boolean(website);

export interface SubmissionContext {
  readonly enquiryIds: EnquiryIdDerivation;
  readonly rateLimits: EnquiryRateLimits;
  readonly store: Store;
  readonly clock: Clock;
  readonly visitorQuota: VisitorQuota;
  /** Stores a submission together with the messages about it. */
  readonly storeEnquiry: (submission: StoredSubmission) => Promise<void>;
}

interface SubmittedEnquiry extends CheckedEnquiry {
  readonly visitor: Visitor;
  readonly submittedAt?: unknown;
  /** The id of the package that the enquiry is about; may be unknown. */
  readonly about?: unknown;
}

/** Stores an enquiry, unless one is stored under one of `ids`. Returns its id. Throws a 429 or `cannot_store`. */
export async function storeOnce(
  context: SubmissionContext,
  ids: readonly string[],
  enquiry: SubmittedEnquiry,
): Promise<{ id: string }> {
  const earlierId = await findEarlierId(context.store, ids);
  if (earlierId !== undefined) return { id: earlierId };
  context.rateLimits.admit(enquiry.visitor, enquiry.started);
  const [id = Bun.randomUUIDv7()] = ids;
  try {
    const submission = createSubmission(context, id, enquiry);
    await context.visitorQuota.consume("formSubmissions", submission, enquiry.visitor);
    await context.storeEnquiry(submission);
  } catch (error) {
    // Another request has just stored the same enquiry.
    if (!isRefusal(error, "conflict")) throw error;
  }
  return { id };
}

function createSubmission(
  { store, clock }: SubmissionContext,
  id: string,
  { form, answers, visitor, submittedAt, about }: SubmittedEnquiry,
): StoredSubmission {
  return {
    id,
    formId: form.id,
    status: "new",
    createdAt: getTimestamp(clock),
    submittedAt: parseVisitorTime(submittedAt),
    questions: createAnsweredQuestions(form, answers),
    about: findPackageTitle(about, store, clock()),
    stage: "",
    remindOn: null,
    closedAt: null,
    booked: null,
    callsUntil: null,
    replies: [],
    notes: [],
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
  };
}

function createAnsweredQuestions(form: EnquiryTree, answers: Answers): AnsweredQuestion[] {
  return collectFields(form).flatMap(({ id, label, fieldType: type }) => {
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
    return answer === undefined ? [] : [{ id, label, type, answer }];
  });
}

/** Returns a package's title; null if visitors can't see the package. */
function findPackageTitle(about: unknown, store: Store, now: number): string | null {
  const packages = store.of(entities.packages).read().value;
  const context = createVisibilityContext(store, now);
  const visiblePackages = selectVisible(entities.packages, packages, context);
  return visiblePackages?.find(({ id }) => id === about)?.title ?? null;
}

/** Parses the time of the visitor's clock, which is only stored. Decisions use the server's clock. */
function parseVisitorTime(submittedAt: unknown): string | null {
  if (typeof submittedAt !== "string" || submittedAt.length > 40) return null;
  const timestamp = new Date(submittedAt);
  return Number.isNaN(timestamp.getTime()) ? null : timestamp.toISOString();
}

/** Returns the coaching page's form; null if no form is active. */
export function findActiveFormTree(store: Store): EnquiryTree | null {
  return buildFormTree(store, findActiveForm(listForms(store)));
}

/** Returns the form of a page; null if the page has no active form. */
export function findFormTreeOfPage(store: Store, pagePath: string): EnquiryTree | null {
  if (pagePath === COACHING_PATH) return findActiveFormTree(store);
  const form = findFormByPath(listForms(store), pagePath.slice(1));
  return form?.isActive ? buildFormTree(store, form) : null;
}

/** Returns the largest limit of all active forms. A request's form is only known after its body is read. */
export const computeMaxEnquiryBytesOfForms = (store: Store): number =>
  Math.max(
    computeMaxEnquiryBytes(null),
    ...listForms(store).flatMap((form) =>
      form.isActive ? computeMaxEnquiryBytes(buildFormTree(store, form)) : [],
    ),
  );

/** `中` has three bytes in UTF-8, and nine when it is URL-encoded: `%E4%B8%AD`. */
const MAX_BYTES_PER_CHARACTER = 9;
/** The size of a field's name, a phone number's prefix and the separators. */
const FIELD_OVERHEAD_BYTES = 300;

/** Returns the size of a form's post with the longest answers, in bytes: a multiple of 64 KB, at most 1 MB. */
export function computeMaxEnquiryBytes(form: EnquiryTree | null): number {
  let bytes = MAX_PUBLIC_JSON_BYTES / 8;
  for (const field of form ? collectFields(form) : [])
    bytes +=
      (getMaxAnswerLength(field) + field.options.length) * MAX_BYTES_PER_CHARACTER +
      FIELD_OVERHEAD_BYTES;
  const roundedBytes = Math.ceil(bytes / MAX_PUBLIC_JSON_BYTES) * MAX_PUBLIC_JSON_BYTES;
  return Math.min(roundedBytes, MAX_DASHBOARD_JSON_BYTES);
}

/** Returns a form; null if it is unknown or inactive. */
function findActiveFormTreeById(store: Store, formId: string): EnquiryTree | null {
  return buildFormTree(store, findActiveForm(listForms(store).filter(({ id }) => id === formId)));
}

function listForms(store: Store): Item<"forms">[] {
  return sortItems(entities.forms, store.of(entities.forms).read().value);
}

function buildFormTree(store: Store, form: Item<"forms"> | undefined): EnquiryTree | null {
  if (!form) return null;
  return createEnquiryTree(form, {
    formSteps: sortItems(entities.formSteps, store.of(entities.formSteps).read().value),
    formFields: sortItems(entities.formFields, store.of(entities.formFields).read().value),
  });
}
