/** A control announces its note, its error and that it is required, in forms and drafts alike. */
import { describe, expect, test } from "bun:test";
import { createElement as h } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { text, toggle } from "../../../src/schema/kinds/fields.ts";
import { FieldInput } from "../../../src/web/admin/editor/FieldInput.tsx";
import { CheckboxField, RadioField } from "../../../src/web/admin/parts/ChoiceFields.tsx";
import { ToggleField } from "../../../src/web/admin/parts/Toggle.tsx";
import { type ControlProps, Field, PasswordField, TextField } from "../../../src/web/ui/Field.tsx";
import { LongTextField } from "../../../src/web/ui/LongTextField.tsx";
import { SelectField } from "../../../src/web/ui/SelectField.tsx";
import { Form, useForm, useFormValues } from "../../../src/web/ui/Form.tsx";

/** Expects every id that an aria-describedby refers to in the markup. */
function expectNotesIn(markup: string): void {
  for (const [, ids = ""] of markup.matchAll(/aria-describedby="([^"]+)"/g))
    for (const id of ids.split(" ")) expect(markup).toContain(`id="${id}"`);
}

function InForm({ hint }: { hint?: string }) {
  const form = useForm(useFormValues({ name: "" }), { save: async () => undefined });
  return h(Form, { form, children: h(TextField, { name: "name", label: "Name", hint }) });
}

/** Renders `declaration` as a field of a draft. */
function renderInDraft(
  declaration: ReturnType<typeof text> | ReturnType<typeof toggle>,
  error?: string,
) {
  const { label, hint, required: isRequired, initial: value } = declaration;
  const state = { value, setValue: () => {}, error };
  const children = (control: ControlProps, onChange: (value: unknown) => void) =>
    h(FieldInput, { control, label, declaration, onChange });
  return renderToStaticMarkup(h(Field, { state, label, hint, isRequired, children }));
}

describe("the description that a control refers to exists", () => {
  test.each([undefined, "As on your passport."])("in a form, with the hint %j", (hint) => {
    const markup = renderToStaticMarkup(h(InForm, hint === undefined ? {} : { hint }));
    expect(markup.includes("aria-describedby")).toBe(hint !== undefined);
    expectNotesIn(markup);
  });

  test.each([
    ["a text without a hint", text("Name"), undefined, false],
    ["a text with one", text("Name", { hint: "As on your passport." }), undefined, true],
    ["a text that is refused", text("Name"), "This can't be empty.", true],
    ["a switch with a hint", toggle("Active", true, { hint: "Visitors see it." }), undefined, true],
  ])("in a draft, for %s", (_, declaration, error, isNoted) => {
    const markup = renderInDraft(declaration, error);
    expect(markup.includes("aria-describedby")).toBe(isNoted);
    expect(markup.includes("aria-invalid")).toBe(error !== undefined);
    expectNotesIn(markup);
  });
});

test.each([
  ["a text", TextField],
  ["a secret", PasswordField],
  ["a long text", LongTextField],
  ["a choice", (field: any) => h(SelectField, { ...field, options: [] })],
  ["a switch", ToggleField],
  ["a checkbox", CheckboxField],
  ["radio buttons", (field: any) => h(RadioField, { ...field, options: [] })],
] as const)("the control of %s refers to its hint or error by aria-describedby", (_, Kind) => {
  const state = { value: "", change: () => {} };
  const draw = (props: object) =>
    renderToStaticMarkup(h(Kind as any, { label: "Name", state, ...props }));
  const hinted = draw({ hint: "As on your passport." });
  expect(hinted).toContain("aria-describedby");
  expectNotesIn(hinted);
  const refused = draw({ state: { ...state, error: "This can't be empty." } });
  expect(refused).toContain('aria-invalid="true"');
  expectNotesIn(refused);
});

test("a required control is announced as required", () => {
  expect(renderInDraft(text("Name", { required: true }))).toContain('aria-required="true"');
  expect(renderInDraft(text("Name"))).not.toContain("aria-required");
});
