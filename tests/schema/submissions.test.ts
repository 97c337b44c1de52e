/** A submission's answers are stored once; those of version 1 had them twice. */
import { describe, expect, test } from "bun:test";
import { formSubmissions } from "../../src/schema/visitors.ts";

const question = { id: "name", label: "Full name", type: "text", answer: "Ann" };
const migrate = (record: object) => formSubmissions.migrations![1]!(record);
const shown = (record: unknown) => (formSubmissions.shown as Function)(record);

test("what calls return holds the answers by field id, in the order asked", () => {
  const goals = { id: "goals", label: "Goals", type: "checkbox", answer: ["Rest", "Play"] };
  expect(shown({ id: "1", questions: [question, goals] })).toEqual({
    id: "1",
    questions: [question, goals],
    submissionData: '{"name":"Ann","goals":["Rest","Play"]}',
  });
});

describe("a submission of version 1", () => {
  test("loses the second copy of its answers and nothing else", () => {
    const stored = {
      id: "1",
      status: "new",
      submissionData: '{"name":"Ann"}',
      questions: [question],
    };
    expect(migrate(stored)).toEqual({ id: "1", status: "new", questions: [question] });
  });

  test.each([
    [
      "without questions",
      '{"name":"Ann","boxes":["a","b"]}',
      [
        { id: "name", label: "name", type: "text", answer: "Ann" },
        { id: "boxes", label: "boxes", type: "text", answer: ["a", "b"] },
      ],
    ],
    [
      "of an unknown shape",
      "free text",
      [{ id: "answers", label: "Answers", type: "textarea", answer: "free text" }],
    ],
    ["without answers", "{}", []],
    ["without anything", undefined, []],
  ])("%s keeps all that was said", (_, submissionData, questions) => {
    expect(migrate({ id: "1", submissionData })).toEqual({ id: "1", questions });
  });

  test("keeps an answer whose question is not among those that were kept", () => {
    const migrated = migrate({
      submissionData: '{"name":"Ann","town":"Rome"}',
      questions: [question],
    });
    expect(migrated).toEqual({
      questions: [question, { id: "town", label: "town", type: "text", answer: "Rome" }],
    });
  });
});
