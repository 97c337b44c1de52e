import { describe, expect, test } from "bun:test";
import {
  checkAnswers,
  findFirstUnanswered,
  type Question,
} from "../../src/schema/enquiry/answers.ts";
import { COUNTRIES } from "../../src/schema/core/countries.ts";
import { FIELD_TYPES, type FieldType } from "../../src/schema/enquiry/forms.ts";

const makeQuestion = (fieldType: FieldType, more: Partial<Question> = {}): Question => ({
  id: "q",
  fieldType,
  label: "Question",
  isRequired: false,
  options: "Red\nGreen, Blue",
  ...more,
});
const check = (question: Question, answer: unknown) =>
  checkAnswers([question], { q: answer }, COUNTRIES);

const ACCEPTED: [FieldType, unknown][] = [
  ["text", "Ann O’Neil"],
  ["text", "x".repeat(500)],
  ["textarea", `${"x".repeat(4990)}\n\tend`],
  ["email", "ann@example.com"],
  ["email", "o'brien&sons/a+b@example.com"],
  ["email", "ann@xn--exmple-cua.xn--p1ai"],
  ["phone", "07700 900123"],
  ["phone", "+44 (0)7700-900.123"],
  ["international_phone", "+447700900123"],
  ["international_phone", "+44 7700 900 123"],
  ["international_phone", "+1 242-555-0100"],
  ["country", "United Kingdom"],
  ["country", "Côte d’Ivoire"],
  ["select", "Green"],
  ["radio", "Blue"],
  ["checkbox", ["Red", "Blue"]],
  ["number", "42"],
  ["number", "-3.5"],
  ["number", "1e3"],
  ["date", "2028-02-29"],
  ["date", "1958-12-01"],
  ["link", "https://example.com/tape?a=1"],
  ["link", "http://example.com"],
  ["consent", "Agreed"],
];
test.each(ACCEPTED)("a %s answer %j is accepted unchanged", (type, answer) => {
  expect(check(makeQuestion(type), answer)).toEqual({ ok: true, answers: { q: answer as string } });
});

const REFUSED: [FieldType, unknown, string][] = [
  ["text", "x".repeat(501), "Use at most 500 characters."],
  ["textarea", "x".repeat(5001), "Use at most 5,000 characters."],
  ["text", "a\u0000b", "Remove the invisible characters from this text."],
  ["text", 5, "This must be text."],
  ["text", { toString: "x" }, "This must be text."],
  ["text", ["a"], "This must be text."],
  ["email", "ann@localhost", "Enter an email address such as name@example.com."],
  ["email", "ann", "Enter an email address such as name@example.com."],
  ["phone", "call me", "Enter a phone number using only digits, spaces and +."],
  ["phone", "12", "Enter a phone number using only digits, spaces and +."],
  ["international_phone", "07700900123", "Choose a country code and enter a phone number."],
  ["international_phone", "+999 7700900123", "Choose a country code and enter a phone number."],
  ["international_phone", "+44 12", "Choose a country code and enter a phone number."],
  ["country", "united kingdom", "Choose a country from the list."],
  ["country", "GB", "Choose a country from the list."],
  ["select", "Purple", "Choose one of the options."],
  ["radio", "red", "Choose one of the options."],
  ["checkbox", ["Red", "Purple"], "Choose from the options."],
  ["checkbox", "Red", "This must be a list of options."],
  ["checkbox", [["Red"]], "This must be a list of options."],
  ["number", "many", "Enter a number such as 12 or 3.5."],
  ["number", "Infinity", "Enter a number such as 12 or 3.5."],
  ["number", "0x10", "Enter a number such as 12 or 3.5."],
  ["date", "2027-02-29", "Enter a date such as March 14, 2027."],
  ["date", "the 14th of March", "Enter a date such as March 14, 2027."],
  ["date", "2127-01-01", "Enter a date such as March 14, 2027."],
  ["link", "ann@example.com", "Enter a full link that starts with https://."],
  ["link", "javascript:alert(1)", "Enter a full link that starts with https://."],
  ["link", "https://youtu.be/a https://youtu.be/b", "Enter a full link that starts with https://."],
  ["link", "https://bank.example@evil.example", "Enter a full link that starts with https://."],
  ["consent", "yes", "Choose one of the options."],
];
test.each(REFUSED)("a %s answer %j is refused with a message", (type, answer, words) => {
  expect(check(makeQuestion(type), answer)).toEqual({
    ok: false,
    error: words,
    fields: { q: words },
  });
});

test("no refusal of an answer repeats the typed text", () => {
  for (const [type, answer] of REFUSED) {
    const outcome = JSON.stringify(check(makeQuestion(type), answer));
    if (typeof answer === "string" && answer.length > 6) expect(outcome).not.toContain(answer);
  }
});

describe("required answers", () => {
  test.each(FIELD_TYPES.map(({ value }) => value))(
    "an empty required %s is refused as {label} is required",
    (type) => {
      const words = type === "consent" ? 'Please agree to "Question".' : "Question is required";
      for (const empty of [undefined, null, "", "  \n", []])
        expect(check(makeQuestion(type, { isRequired: true }), empty)).toEqual({
          ok: false,
          error: words,
          fields: { q: words },
        });
    },
  );

  test("a long consent text is shortened in the refusal", () => {
    const label = "I have read the privacy policy at /privacy-policy and agree to be written to.";
    expect(check(makeQuestion("consent", { isRequired: true, label }), "")).toMatchObject({
      error: 'Please agree to "I have read the privacy policy at /privacy-policy and agree…".',
    });
  });

  test("a dial prefix alone counts as unanswered", () => {
    const question = makeQuestion("international_phone", { isRequired: true });
    expect(findFirstUnanswered([question], { q: "+44 " })?.id).toBe("q");
    expect(findFirstUnanswered([question], { q: "+447700900123" })).toBeUndefined();
  });

  test("a missing answer is reported before an invalid answer to an earlier question", () => {
    const questions = [
      makeQuestion("email", { id: "a" }),
      makeQuestion("text", { id: "b", label: "Name", isRequired: true }),
      makeQuestion("text", { id: "c", label: "Town", isRequired: true }),
    ];
    const outcome = checkAnswers(questions, { a: "no", b: " " }, COUNTRIES);
    expect(outcome).toMatchObject({ ok: false, error: "Name is required" });
    expect(outcome.ok || Object.keys(outcome.fields)).toEqual(["b", "c", "a"]);
    expect(findFirstUnanswered(questions, {})?.label).toBe("Name");
  });
});

test("answers are stored trimmed, without empty answers and repeated choices", () => {
  const questions = [
    makeQuestion("text", { id: "a" }),
    makeQuestion("text", { id: "b" }),
    makeQuestion("checkbox", { id: "c" }),
    makeQuestion("checkbox", { id: "d" }),
  ];
  const data = { a: " ", b: " x ", c: ["Red", "Red ", ""], d: [""] };
  expect(checkAnswers(questions, data, COUNTRIES)).toEqual({
    ok: true,
    answers: { b: "x", c: ["Red"] },
  });
});

test("an answer to an unknown question is refused, since the form has changed", () => {
  const words = "This form has changed since you opened it. Reload the page to see it.";
  for (const data of [{ other: "x" }, { constructor: "x" }, JSON.parse('{"__proto__":"x"}')])
    expect(checkAnswers([makeQuestion("text")], data, COUNTRIES)).toEqual({
      ok: false,
      error: words,
      fields: { "": words },
    });
  expect(checkAnswers([makeQuestion("text")], { other: "" }, COUNTRIES)).toEqual({
    ok: true,
    answers: {},
  });
});

test("answers are never read from Object.prototype", () => {
  const question = makeQuestion("text", { id: "toString", isRequired: true });
  expect(checkAnswers([question], {}, COUNTRIES)).toMatchObject({
    ok: false,
    error: "Question is required",
  });
  expect(findFirstUnanswered([question], {})?.id).toBe("toString");
});

test("an answer with more than 50 chosen options is refused", () => {
  const options = Array.from({ length: 60 }, (_, at) => `Option ${at}`);
  const question = makeQuestion("checkbox", { options: options.join("\n") });
  expect(check(question, options.slice(0, 50)).ok).toBe(true);
  expect(check(question, options)).toMatchObject({ error: "Choose up to 50 options." });
});
