/** A template names the page that its form will have (specification, section 2.18). */
import { expect, test } from "bun:test";
import { createElement as h } from "react";
import { createSiteWords } from "../../../../src/web/words/siteWords.ts";
import { en } from "../../../../src/web/words/en.ts";
import { TemplateChooser } from "../../../../src/web/admin/tabs/forms/TemplateChooser.tsx";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";
import { describePage, FORM_TEMPLATES } from "../../../../src/web/admin/tabs/forms/templates.ts";

const words = createSiteWords("en", en);
const [template] = FORM_TEMPLATES;
const path = en.defaults.headings.forms.title[template.key].toLowerCase().replaceAll(" ", "-");

test("a template names the coaching page for the first active form, and a page of its own for another form", () => {
  expect(describePage(template, [], words)).toBe("Its page: /coaching");
  const first = { path: null, isActive: true };
  expect(describePage(template, [first], words)).toBe(`Its page: /${path}`);
  expect(describePage(template, [first, { path, isActive: false }], words)).toBe(
    "This form has no page until you enter its URL.",
  );
});

test("a template doesn't name the coaching page if that page shows another form", async () => {
  const render = (forms: readonly object[]) =>
    renderInDashboard(h(TemplateChooser, { forms: forms as never, onCreated: () => undefined }));
  expect(await render([])).toContain("Its page: /coaching");
  expect(await render([{ path: null, isActive: true }])).not.toContain("/coaching");
});
