/** The Colors subtab offers only what helps (specification, section 2.19). */
import { expect, test } from "bun:test";
import { createElement as h } from "react";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { ColorsSubtab } from "../../../../src/web/admin/tabs/styles/ColorsSubtab.tsx";
import type { MeasurePhotoContrasts } from "../../../../src/web/admin/tabs/styles/contrast.ts";
import type { LookDrafts } from "../../../../src/web/admin/tabs/styles/lookDrafts.ts";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";

const [look] = LOOKS;
const sections = Object.entries(look!.sections).map(([key, colors]) => [
  key,
  { entityKey: key, values: { ...colors }, errors: {} },
]);
const drafts = {
  styles: {
    entityKey: "styles",
    values: { ...getInitialValues(entities.styles.fields), ...look!.styles },
    errors: {},
  },
  sections: Object.fromEntries(sections),
} as unknown as LookDrafts;

test("text that no color makes readable on its photo gets an explanation instead of Fix contrast", async () => {
  const measurePhotos: MeasurePhotoContrasts = () => [
    {
      textLabel: "Hero text",
      text: "styles.heroTextColor",
      backgroundLabel: "the photo",
      background: "styles.heroBackgroundColor",
      ratio: 2,
    },
  ];
  const text = await renderInDashboard(h(ColorsSubtab, { drafts, measurePhotos }));
  expect(text).toContain("1 hard to read");
  expect(text).not.toContain("Fix contrast");
  expect(text.replaceAll("&#x27;", "'")).toContain("No color is readable on this photo.");
});
