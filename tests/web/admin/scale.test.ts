/** The dashboard has one scale of spacing, type and radius, which is defined only in tokens.css. */
import { expect, test } from "bun:test";
import { type Declaration, parse, Rule } from "postcss";

const TOKENS = "src/web/admin/tokens.css";

/** Style sheets that public pages use too, where sizes follow the visitor's font size and the owner's theme. */
const SHARED = /\/ui\/(?:Button|Dialog|Toaster|plainButtons|ui)\.css$/;

/** Selectors of lengths that match the fixed size of another element, and so aren't spacings of the scale. */
const SIZES: Record<string, string> = {
  ".admin select": "an arrow",
  '.search > input[type="search"]': "a sign in the field",
  ".password > input": "the eye in the field",
  ".admin .channel-field > input": "a sign at either end of the field",
  ".ui-dialog .ui-dialog-title": "the button that closes",
  ".picture-editor .ui-dialog-title": "the button that closes",
  ".submission-details": "the arrow of the line above",
  ".letter-option > :not(label)": "the box to tick",
  '.switch input[role="switch"]:checked::before': "the way of the switch's knob",
  ".welcome-preview": "the phone over the poster's corner",
  '.welcome-preview > .device[data-device="phone"]': "the phone over the poster's corner",
  ".dashboard > .content": "the save bar",
  "body:has(.preview-sheet) .ui-toasts": "the preview's sheet",
  "body .ui-dialog:has(.actions) .ui-toasts": "the docked buttons",
  ".picture-editor .ui-toasts": "the docked buttons",
};

const SPACING =
  /^(?:(?:padding|margin|inset)(?:-|$)|(?:row-|column-)?gap$|top$|right$|bottom$|left$)/;
/** A hairline isn't part of the scale; zero is the fallback of a custom property. */
const LITERAL = /(?<![\w.])(?!1px)[\d.]*[1-9][\d.]*(?:px|rem)\b/;

const getSelector = ({ parent }: Declaration) =>
  parent instanceof Rule ? parent.selector.replaceAll(/\s+/g, " ") : "";

const declarations: Declaration[] = [];
for (const file of new Bun.Glob("src/web/{admin,ui}/**/*.css").scanSync("."))
  if (!SHARED.test(file))
    parse(await Bun.file(file).text(), { from: file }).walkDecls((one) => {
      declarations.push(one);
    });

const findLiterals = (property: RegExp) =>
  declarations.filter(({ prop, value }) => property.test(prop) && LITERAL.test(value));
const listValues = (prefix: string) => [
  ...new Set(declarations.filter(({ prop }) => prop.startsWith(prefix)).map(({ value }) => value)),
];

test("the dashboard's style sheets take spacings only from the scale, except offsets from a fixed size", () => {
  const literal = findLiterals(SPACING).map(getSelector);
  expect(literal.filter((selector) => !(selector in SIZES))).toEqual([]);
  expect(Object.keys(SIZES).filter((selector) => !literal.includes(selector))).toEqual([]);
});

test("the dashboard's style sheets take font sizes and radii only from the scale", () => {
  const elsewhere = findLiterals(/^font(?:-size)?$|radius/).filter(
    ({ prop }) => !/^--(?:type|radius)-/.test(prop),
  );
  expect(elsewhere.map((one) => `${getSelector(one)} ${one}`)).toEqual([]);
});

test("the scale has eight spacings, eight font sizes and six radii, all defined in tokens.css", () => {
  expect(listValues("--space-")).toHaveLength(8);
  expect(listValues("--type-")).toHaveLength(8);
  expect(listValues("--radius-")).toHaveLength(6);
  for (const { prop, source } of declarations)
    if (/^--(?:space|type|radius)-/.test(prop)) expect(source!.input.file).toEndWith(TOKENS);
});
