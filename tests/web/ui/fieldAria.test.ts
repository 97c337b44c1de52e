/** A control says what its note is, that it is wrong and that it is needed, alike in forms and drafts. */
import { describe, expect, test } from "bun:test";
import { createElement as h } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { text, toggle } from "../../../src/schema/kinds/fields.ts";
import { FieldInput } from "../../../src/web/admin/editor/FieldInput.tsx";
import { FieldFrame } from "../../../src/web/ui/FieldFrame.tsx";
import { Form, TextField, useForm, useValues } from "../../../src/web/ui/Form.tsx";

/** Every id that an attribute of the markup points at is in it. */
function expectNotesIn(markup: string): void {
  for (const [, ids = ""] of markup.matchAll(/aria-describedby="([^"]+)"/g))
    for (const id of ids.split(" ")) expect(markup).toContain(`id="${id}"`);
}

function InForm({ hint }: { hint?: string }) {
  const form = useForm(useValues({ name: "" }), { save: async () => undefined });
  return h(Form, { of: form, children: h(TextField, { name: "name", label: "Name", hint }) });
}

/** `declaration` in the frame of a draft's field. */
function inDraft(declaration: ReturnType<typeof text> | ReturnType<typeof toggle>, error?: string) {
  const id = "field";
  const { label, hint } = declaration;
  const input = {
    id,
    label,
    declaration,
    value: declaration.initial,
    values: {},
    invalid: error !== undefined,
    onChange: () => {},
    onLeave: () => {},
  };
  const frame = { id, label, hint, error, children: h(FieldInput, input) };
  return renderToStaticMarkup(h(FieldFrame, frame));
}

describe("the note that a control points at is there", () => {
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
  ])("in a draft, of %s", (_, declaration, error, isNoted) => {
    const markup = inDraft(declaration, error);
    expect(markup.includes("aria-describedby")).toBe(isNoted);
    expect(markup.includes("aria-invalid")).toBe(error !== undefined);
    expectNotesIn(markup);
  });
});

test("a control that must be filled in says so", () => {
  expect(inDraft(text("Name", { required: true }))).toContain('aria-required="true"');
  expect(inDraft(text("Name"))).not.toContain("aria-required");
});
