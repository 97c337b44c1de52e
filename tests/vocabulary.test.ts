/** Names use the field's own words (docs/style.md), without the fragments of a private dialect. */
import { expect, test } from "bun:test";

const SOURCE = new URL("../src/", import.meta.url).pathname;
/**
 * Matches declarations, also inside functions. Destructured names aren't matched, since they follow their properties.
 */
const DECLARATION =
  /^\s*(?:export )?(?:async |abstract )*(?:function\*?|const|class|interface|type|let|enum) (\w+)/gm;

const FRAGMENTS = new Set(
  (
    "said told meant found given known own look keep keeps kept take takes taken stand stands still " +
    "theirs owed way who whom"
  ).split(" "),
);

/** Names in which such a word is a technical term: a look is a theme, 404 is "not found", a snapshot is taken. */
const FIELD_TERMS = [
  /[Nn]otFound|NOT_FOUND/,
  /Looks?(?:$|[A-Z])|^looks?(?:$|[A-Z])|LOOKS|LOOK_/,
  /^takeSnapshot$/,
];

const findFragments = (name: string) =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((each) => each.toLowerCase())
    .filter((each) => FRAGMENTS.has(each));

const isFieldTerm = (name: string) => FIELD_TERMS.some((pattern) => pattern.test(name));

test("no declared name in the code contains a word from the list of unclear words", async () => {
  const names: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE))
    for (const [, name = ""] of (await Bun.file(SOURCE + file).text()).matchAll(DECLARATION))
      names.push(name);
  expect(names.length).toBeGreaterThan(9000);
  expect(names.filter((name) => findFragments(name).length > 0 && !isFieldTerm(name))).toEqual([]);
});

test("the scan for unclear words finds them in names of every notation", () => {
  for (const name of ["takeBack", "KEPT_REVISIONS", "WhoCalls", "stillOffered"])
    expect([name, findFragments(name).length]).toEqual([name, 1]);
  expect(findFragments("restoreBackup")).toEqual([]);
});

/** Files that may have curly quotation marks: other languages, and code that reads any quotation marks. */
const MAY_HAVE_CURLY =
  /^web\/words\/|^schema\/core\/inputNormalization\.ts$|^web\/site\/sections\/Press\.tsx$/;

test("the site's English texts have straight quotation marks", async () => {
  const curly: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE))
    if (!MAY_HAVE_CURLY.test(file) && /[“”]/.test(await Bun.file(SOURCE + file).text()))
      curly.push(file);
  expect(curly).toEqual([]);
});
