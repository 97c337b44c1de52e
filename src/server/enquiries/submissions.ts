/**
 * Accepts enquiries: checked against the current form, stored so that they are readable even after the form
 * changes.
 */
import type { Answers } from "../../schema/enquiry/answers.ts";
import {
  findActiveForm,
  createEnquiryTree,
  type EnquiryTree,
  findFormByPath,
} from "../../schema/enquiry/enquiry.ts";
import { entities, type Item } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pagePaths.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { AnsweredQuestion } from "../../schema/enquiry/visitors.ts";
import { sortItems, visiblePart } from "../../schema/entities/visitorView.ts";
import type { Visitor } from "../http/visitor.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { invalidInput, isRefusal, notFound } from "../shared/errors.ts";
import { createVisibilityContext } from "../shared/visibilityContext.ts";
import type { Store } from "../storage/store.ts";
import { maxEnquiryBytes } from "./enquirySize.ts";
import type { EnquiryRateLimits } from "../visitors/enquiryRateLimits.ts";
import { collectFields, checkEnquiry } from "./enquiryAnswers.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";
import { type CheckedEnquiry, type EnquiryIds, findEarlierId } from "./enquiryDeduplication.ts";
import { type BodyFields, isObject } from "../http/body.ts";

type StoredSubmission = Item<"formSubmissions">;

/**
 * Takes `{formId, data, submittedAt}` and, from pages, `website` (honeypot), `started` (proof of the filling time)
 * and `about` (a package's id). Resolves once stored; throws otherwise. A filled honeypot gets the same response and
 * stores nothing (decision 25). Whoever calls it counts the attempt before reading the body.
 */
export async function submitEnquiry(
  to: SubmissionContext,
  guards: EnquiryRateLimits,
  body: unknown,
  visitor: Visitor,
): Promise<{ id: string }> {
  if (!isObject(body)) throw invalidInput("Send the fields as a JSON object.");
  if (isHoneypotFilled(body.website)) return { id: Bun.randomUUIDv7() };
  const { formId, data } = readBody(body);
  const form = findActiveFormTreeById(to.store, formId);
  if (!form) throw notFound(VISITOR_REFUSALS.formClosed);
  const checked = checkEnquiry(form, data);
  if (!checked.ok) throw invalidInput(checked.error, checked.fields);
  const { started, submittedAt, about } = body;
  const sent = { form, answers: checked.answers, started, submittedAt, about, visitor };
  return storeOnce(to, guards, to.ids.byProof(sent), sent);
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

/** True when the hidden field is filled in, which only bots do. */
export const isHoneypotFilled = (website: unknown) =>
  typeof website === "string" ? website !== "" : Boolean(website);

export interface SubmissionContext {
  readonly ids: EnquiryIds;
  readonly store: Store;
  readonly clock: Clock;
  readonly room: VisitorQuota;
  /** Stores a submission together with the messages about it. */
  readonly storeEnquiry: (submission: StoredSubmission) => Promise<void>;
}

/** An enquiry with valid answers, and its sender. */
interface SentEnquiry extends CheckedEnquiry {
  readonly visitor: Visitor;
  readonly submittedAt?: unknown;
  readonly about?: unknown;
}

/**
 * Stores an enquiry, or returns the one already stored under one of `ids`. Resolves once it is on disk. Throws 429
 * when the limit is reached, or `cannot_store`.
 */
export async function storeOnce(
  to: SubmissionContext,
  guards: EnquiryRateLimits,
  ids: readonly string[],
  sent: SentEnquiry,
): Promise<{ id: string }> {
  const before = await findEarlierId(to.store, ids);
  if (before !== undefined) return { id: before };
  guards.admit(sent.visitor, sent.started);
  const [id = Bun.randomUUIDv7()] = ids;
  try {
    const submission = createSubmission(to, id, sent);
    await to.room.consume("formSubmissions", submission, sent.visitor);
    await to.storeEnquiry(submission);
  } catch (error) {
    // The same enquiry arrived twice at once.
    if (!isRefusal(error, "conflict")) throw error;
  }
  return { id };
}

function createSubmission(
  { store, clock }: SubmissionContext,
  id: string,
  { form, answers, visitor, submittedAt, about }: SentEnquiry,
): StoredSubmission {
  return {
    id,
    formId: form.id,
    status: "new",
    createdAt: isoTime(clock),
    submittedAt: readVisitorTime(submittedAt),
    questions: answeredQuestions(form, answers),
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

function answeredQuestions(form: EnquiryTree, answers: Answers): AnsweredQuestion[] {
  return collectFields(form).flatMap(({ id, label, fieldType: type }) => {
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
    return answer === undefined ? [] : [{ id, label, type, answer }];
  });
}

/** The title of a package that visitors see, otherwise null: it may have been removed while the form was filled in. */
function findPackageTitle(about: unknown, store: Store, now: number): string | null {
  const { value } = store.of(entities.packages).read();
  const shown = visiblePart(entities.packages, value, createVisibilityContext(store, now));
  return shown?.find(({ id }) => id === about)?.title ?? null;
}

/** For the record only: the server's clock is authoritative. */
function readVisitorTime(submittedAt: unknown): string | null {
  if (typeof submittedAt !== "string" || submittedAt.length > 40) return null;
  const timestamp = new Date(submittedAt);
  return Number.isNaN(timestamp.getTime()) ? null : timestamp.toISOString();
}

/** The form that visitors get; null when none is active. */
export function findActiveFormTree(store: Store): EnquiryTree | null {
  return buildFormTree(store, findActiveForm(listForms(store)));
}

/** The active form on a page; null without one. */
export function findFormTreeOfPage(store: Store, page: string): EnquiryTree | null {
  if (page === COACHING_PATH) return findActiveFormTree(store);
  const form = findFormByPath(listForms(store), page.slice(1));
  return form?.isActive ? buildFormTree(store, form) : null;
}

/**
 * The largest limit of any active form, in bytes: the form that a call is about is known only after reading
 * it.
 */
export const maxEnquiryBytesOfForms = (store: Store): number =>
  Math.max(
    maxEnquiryBytes(null),
    ...listForms(store).flatMap((form) =>
      form.isActive ? maxEnquiryBytes(buildFormTree(store, form)) : [],
    ),
  );

/** A form that accepts answers; null when it is unknown or inactive. */
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
