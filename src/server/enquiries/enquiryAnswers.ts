/** Checks the answers of a whole enquiry. */
import { checkAnswers, type CheckedAnswers, type Answers } from "../../schema/enquiry/answers.ts";
import { COUNTRIES } from "../../schema/core/countries.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  findVisibleSteps,
} from "../../schema/enquiry/enquiry.ts";
import { normalizePhone } from "../../schema/core/phone.ts";

/**
 * Checks the answers to visible questions, and drops the others: the visitor may have gone back and changed an answer
 * on which a question depends.
 */
export function checkEnquiry(
  form: EnquiryTree,
  input: Readonly<Record<string, unknown>>,
): CheckedAnswers {
  const visibleFields = findVisibleSteps(form, input).flatMap(({ fields }) => fields);
  const droppedIds = new Set(collectFields(form).map(({ id }) => id));
  for (const { id } of visibleFields) droppedIds.delete(id);
  const remainingEntries = Object.entries(input).filter(([id]) => !droppedIds.has(id));
  const result = checkAnswers(visibleFields, Object.fromEntries(remainingEntries), COUNTRIES);
  return result.ok ? { ok: true, answers: normalizePhones(visibleFields, result.answers) } : result;
}

/** Normalizes international phone numbers. The numbering plans are too large a download for pages. */
function normalizePhones(fields: readonly EnquiryField[], answers: Answers): Answers {
  const phones = fields.flatMap(({ id, fieldType }) => {
    const answer = answers[id];
    const isPhone = fieldType === "international_phone" && typeof answer === "string";
    return isPhone ? [[id, normalizePhone(answer)]] : [];
  });
  return { ...answers, ...Object.fromEntries(phones) };
}

export function collectFields(form: EnquiryTree): EnquiryField[] {
  return form.steps.flatMap((step) => step.fields);
}
