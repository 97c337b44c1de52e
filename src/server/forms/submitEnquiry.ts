/** Takes an enquiry as the page's script sends it (spec section 7, design.md section 5). */
import { checkAnswers } from "../../schema/answers.ts";
import { COUNTRIES } from "../../schema/countries.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { Visitor } from "../http/visitor.ts";
import { enquiryNamed } from "./activeEnquiry.ts";
import type { FloodGuards } from "./floodGuards.ts";
import { allFields } from "./plainSteps.ts";
import { storeSubmission, type SubmissionStore } from "./storeSubmission.ts";

type Body = Readonly<Record<string, unknown>>;

/**
 * Takes `{formId, data, submittedAt}` and, from pages, `website` (honeypot) and `started` (proof of
 * the filling time). Resolves once it is stored; raises a Refusal otherwise. A filled honeypot is
 * answered alike and stores nothing (decision 0301).
 */
export async function submitEnquiry(
  to: SubmissionStore,
  guards: FloodGuards,
  body: unknown,
  visitor: Visitor,
): Promise<{ id: string }> {
  guards.attempt(visitor);
  if (!isObject(body)) throw invalid("Send the fields as a JSON object.");
  if (isFilled(body.website)) return { id: Bun.randomUUIDv7() };
  const { formId, data } = readBody(body);
  const form = enquiryNamed(to.store, formId);
  if (!form) throw notFound("This form is not taking answers at the moment.");
  const checked = checkAnswers(allFields(form), data, COUNTRIES);
  if (!checked.ok) throw invalid(checked.error, checked.fields);
  guards.admit(visitor, body.started);
  const { id } = await storeSubmission(to, form, checked.answers, visitor, body.submittedAt);
  return { id };
}

function readBody({ formId, data }: Body): { formId: string; data: Body } {
  const fields: Record<string, string> = {};
  if (typeof formId !== "string" || formId === "") fields.formId = "Say which form this answers.";
  if (!isObject(data)) fields.data = "Send the answers by the id of their field.";
  const [error] = Object.values(fields);
  if (error !== undefined) throw invalid(error, fields);
  return { formId: formId as string, data: data as Body };
}

/** True for a hidden field that only a robot fills in. */
export const isFilled = (website: unknown) =>
  typeof website === "string" ? website !== "" : Boolean(website);

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
