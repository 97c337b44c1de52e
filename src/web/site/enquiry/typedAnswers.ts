/** Reads answers out of the inputs of a step. */
import { dialOf } from "../../../schema/countries.ts";
import type { Answer, Answers } from "../../../schema/questions.ts";
import type { EnquiryField } from "./loadEnquiry.ts";

/** The answers that are there, by field id. */
export function typedAnswers(fields: readonly EnquiryField[], form: FormData): Answers {
  const answers = fields.map((field) => [field.id, typedAnswer(field, form)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => answer.length > 0));
}

function typedAnswer({ id, fieldType }: EnquiryField, form: FormData): Answer {
  if (fieldType === "checkbox") return form.getAll(id).map(String);
  const typed = String(form.get(id) ?? "");
  if (fieldType !== "international_phone" || typed === "" || typed.startsWith("+")) return typed;
  return `${dialOf(String(form.get(`prefix:${id}`))) ?? ""}${typed}`;
}
