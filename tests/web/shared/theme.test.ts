/** What the owner's styles become on a page, as far as it can be told without one. */
import { expect, test } from "bun:test";
import { initialValues } from "../../../src/schema/check.ts";
import { entities } from "../../../src/schema/index.ts";
import { themeProperties } from "../../../src/web/shared/theme.ts";

const propertiesOf = (styles: object) =>
  themeProperties({ ...initialValues(entities.styles.fields), ...styles });

test.each([
  ["navy", "#FFFFFF"],
  ["rgb(255 220 0)", "#001018"],
])("words on a primary color written as %s can be read", (primaryColor, words) => {
  expect(propertiesOf({ primaryColor })["--on-primary"]).toBe(words);
});

test("the coaching hero's words can be read on its dark grey under any text color", () => {
  const of = (textColor: string) => propertiesOf({ textColor })["--on-dark-grey"];
  expect([of("#000000"), of("#111111"), of("#F5E9D0")]).toEqual(["#FFFFFF", "#FFFFFF", "#F5E9D0"]);
  expect(propertiesOf({})["--dark-grey"]).toBe("#1A1A1A");
});
