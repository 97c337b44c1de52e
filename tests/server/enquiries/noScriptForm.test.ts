import { describe, expect, test } from "bun:test";
import type { EnquiryField, EnquiryTree } from "../../../src/schema/enquiry/enquiry.ts";
import type { FieldType } from "../../../src/schema/enquiry/forms.ts";
import { advanceNoScriptForm } from "../../../src/server/enquiries/noScriptForm.ts";

const createField = (id: string, fieldType: FieldType, isRequired = false): EnquiryField => ({
  id,
  stepId: "s",
  fieldType,
  label: `Label ${id}`,
  placeholder: "",
  isRequired,
  isActive: true,
  fieldOrder: 1,
  options: "A\nB",
});
const createStep = (id: string, fields: EnquiryField[]) => ({
  id,
  formId: "f",
  title: id,
  subtitle: "",
  description: "",
  stepOrder: 1,
  isActive: true,
  fields,
});
const form: EnquiryTree = {
  id: "f",
  title: "Coaching",
  subtitle: "",
  description: "",
  isActive: true,
  thankYouMessage: "",
  redirectUrl: null,
  createdAt: null,
  steps: [
    createStep("one", [createField("name", "text", true), createField("mail", "email")]),
    createStep("two", [
      createField("boxes", "checkbox"),
      createField("phone", "international_phone"),
    ]),
    createStep("three", [createField("story", "textarea", true)]),
  ],
};
const postForm = (fields: string) =>
  advanceNoScriptForm(form, new URLSearchParams(`formId=f&${fields}`));

describe("the enquiry form without scripts", () => {
  test("Next moves forward when the required fields of the step are filled", () => {
    const { state, checkedAnswers: send } = postForm("step=0&action=next&name=Ann");
    expect(state).toMatchObject({ status: 200, step: 1, answers: { name: "Ann" }, error: null });
    expect(send).toBeUndefined();
  });

  test("Next reports the first missing field of the step and stays", () => {
    const { state } = postForm("step=0&action=next&name=+&mail=x");
    const words = "Label name is required";
    expect(state).toMatchObject({ status: 422, step: 0, error: words, errors: { name: words } });
    expect(state.answers).toEqual({ mail: "x" });
  });

  test("Next reports the first invalid answer and stays", () => {
    const words = "Enter an email address such as name@example.com.";
    const { state } = postForm("step=0&action=next&name=Ann&mail=x");
    expect(state).toMatchObject({ status: 422, step: 0, error: words, errors: { mail: words } });
  });

  test("Previous moves back and keeps every answer", () => {
    const { state } = postForm("step=2&action=previous&name=Ann&boxes=A&boxes=B&story=half");
    expect(state).toMatchObject({ status: 200, step: 1 });
    expect(state.answers).toEqual({ name: "Ann", boxes: ["A", "B"], story: "half" });
    expect(postForm("step=0&action=previous&name=Ann").state.step).toBe(0);
  });

  test("a post without a button's name moves forward", () => {
    expect(postForm("step=0&name=Ann").state.step).toBe(1);
    expect(postForm("step=2&name=Ann&story=mine").checkedAnswers).toEqual({
      name: "Ann",
      story: "mine",
    });
  });

  test("Submit returns checked answers, with the dial prefix joined to the number", () => {
    const { checkedAnswers: send } = postForm(
      "step=2&action=submit&name=Ann&story=mine&prefix:phone=GB&phone=7700+900123",
    );
    expect(send).toEqual({ name: "Ann", phone: "+447700 900123", story: "mine" });
  });

  test("Submit goes back to the first step with an answer to correct", () => {
    const { state, checkedAnswers: send } = postForm(
      "step=2&action=submit&name=Ann&mail=no&story=",
    );
    expect(send).toBeUndefined();
    expect(state).toMatchObject({ status: 422, step: 0, isDone: false });
    expect(state.error).toBe("Enter an email address such as name@example.com.");
    expect(Object.keys(state.errors)).toEqual(["story", "mail"]);
  });

  test("an unknown step or field changes nothing", () => {
    expect(postForm("step=-4&action=previous").state.step).toBe(0);
    expect(postForm("step=99&action=previous").state.step).toBe(1);
    expect(postForm("step=0&name=Ann&evil=1").state.answers).toEqual({ name: "Ann" });
  });

  test("a form that is no longer active starts again with a message", () => {
    const { state } = advanceNoScriptForm(form, new URLSearchParams("formId=old&step=2&name=Ann"));
    const error = "This form has changed since you opened it. Reload the page to see it.";
    expect(state).toMatchObject({ status: 422, step: 0, answers: {}, error });
  });
});
