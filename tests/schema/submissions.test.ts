/** A submission's answers are stored once, and returned by field id too. */
import { expect, test } from "bun:test";
import { formSubmissions } from "../../src/schema/enquiry/visitors.ts";

const question = { id: "name", label: "Full name", type: "text", answer: "Ann" };
const toResponse = (record: unknown) => (formSubmissions.toResponse as Function)(record);

test("a returned submission has its answers by field id too, in the order of the questions", () => {
  const goals = { id: "goals", label: "Goals", type: "checkbox", answer: ["Rest", "Play"] };
  expect(toResponse({ id: "1", questions: [question, goals] })).toEqual({
    id: "1",
    questions: [question, goals],
    submissionData: '{"name":"Ann","goals":["Rest","Play"]}',
  });
});
