/** Compares docs/specification with the program: its tables, its texts, and the references to it. */
import { describe, expect, test } from "bun:test";
import { COUNTRIES } from "../src/schema/core/countries.ts";
import { entities } from "../src/schema/index.ts";
import { getWriteMessages, type WriteKind } from "../src/schema/entities/messages.ts";
import { createDeletionQuestion, createPreviewHint } from "../src/schema/entities/sectionTab.ts";
import { getProgramPath } from "./support/program.ts";
import {
  renderChapters,
  readChapters,
  parseTableRows,
  stripTableFormatting,
} from "./support/specification.ts";

const chapters = await readChapters();
const specification = [...chapters.values()].join("\n");

const getChapter = (number: string) =>
  [...chapters].find(([file]) => file.startsWith(`${number}-`))?.[1] ?? "";

describe("the tables of the specification", () => {
  test("match the declarations in the code (if not, run: bun run specification)", async () => {
    const declared = await renderChapters();
    expect(declared.size).toBe(10);
    for (const [file, text] of declared)
      expect([file, stripTableFormatting(chapters.get(file)!)]).toEqual([
        file,
        stripTableFormatting(text),
      ]);
  });

  test("explain every error code, and every call that doesn't belong to an entity", () => {
    const codes = parseTableRows(getChapter("8").split("<!-- table: codes -->")[1]!);
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((cells) => cells.length !== 3 || cells.includes(""))).toEqual([]);
    const names = Object.values(entities).map(({ name }) => name as string);
    const ofEntities = new RegExp(`^\`/api/(?:${names.join("|")})(?:/\\{id\\}|/reorder)?\`$`);
    const calls = parseTableRows(getChapter("7").split("<!-- table: calls -->")[1]!);
    expect(calls.length).toBeGreaterThan(100);
    expect(calls.filter(([path, , , use]) => use === "" && !ofEntities.test(path!))).toEqual([]);
  });

  test("are right that there are about 240 countries", () => {
    expect(Math.abs(COUNTRIES.length - 240)).toBeLessThan(10);
  });
});

test("the specification's index lists every chapter by its title", () => {
  const index = chapters.get("README.md")!;
  for (const [file, text] of chapters)
    if (file !== "README.md") {
      const [number, title] = /^# (\d)\. (.+)\n/.exec(text)!.slice(1);
      expect(index).toContain(`\n${number}. [${title}](${file})\n`);
    }
});

describe("the texts in bold in the specification", () => {
  test("occur in the source", async () => {
    const texts = findBoldTexts(specification);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter(createMissingFilter(await readSourceText()))).toEqual([]);
  });

  test("of chapters 2 to 5 are in the built program", async () => {
    const texts = findBoldTexts(["2", "3", "4", "5"].map(getChapter).join("\n"));
    expect(texts.length).toBeGreaterThan(200);
    // The templates come from the source, since minified templates can't be told from the code around them.
    const isMissing = createMissingFilter(
      await readBuiltText(),
      findTemplates(await readSourceText()),
    );
    // The specification has lists' names with a number.
    const isNumbered = (each: string) => each.endsWith(" #{number}");
    expect(texts.filter((each) => !isNumbered(each) && isMissing(each))).toEqual([]);
  });
});

const findBoldTexts = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\*\*(.+?)\*\*(?!\*)/g)].map(([, bold]) => bold!.replaceAll("\\", "")),
  ),
];

/** Returns a filter for texts that are neither in `source` nor made from its templates. */
function createMissingFilter(
  source: string,
  templates: readonly RegExp[] = findTemplates(source),
): (text: string) => boolean {
  const writes: readonly WriteKind[] = ["save", "create", "update", "delete", "reorder"];
  const messages = Object.values(entities).flatMap((entity) =>
    writes.flatMap((write) => Object.values(getWriteMessages(entity, write))),
  );
  const lists = Object.values(entities).filter((entity) => entity.shape === "collection");
  const ofTabs = lists.flatMap((list) => [createDeletionQuestion(list), createPreviewHint(list)]);
  return (text) =>
    text.includes("{")
      ? !text.split(/\{[^}]*\}/).every((part) => source.includes(part.trim())) &&
        !isCreatedBy(text, templates, source)
      : !source.includes(text) &&
        !messages.includes(text) &&
        !ofTabs.includes(text) &&
        !isCreatedBy(text, templates, source);
}

/** Reads the built dashboard and pages, and the program. The program's code is at its end. */
async function readBuiltText(): Promise<string> {
  const scripts = [...new Bun.Glob("dist/web/**/*.js").scanSync(".")];
  const texts = await Promise.all(scripts.map((file) => Bun.file(file).text()));
  const built = Bun.file(getProgramPath());
  const code = await built.slice(Math.floor(built.size * 0.8)).text();
  return [...texts, code]
    .join("\n")
    .replaceAll(/\\u([\dA-Fa-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(["'`])/g, "$1")
    .replaceAll("’", "'");
}

/** Reads the source as one text, without the sample site, and with JSX and concatenations joined. */
async function readSourceText(): Promise<string> {
  const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(".")].filter(
    (file) => !file.includes("/demo/"),
  );
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  return texts
    .join("\n")
    .replaceAll(/["'`] \+\s+["'`]/g, "")
    .replaceAll(/&apos;|&rsquo;|’/g, "'")
    .replaceAll(/\s+/g, " ");
}

/** Returns the templates in a source as patterns. */
function findTemplates(source: string): RegExp[] {
  const templates = [...source.matchAll(/`([^`]*\$\{[^`]*)`/g)].map(([, text]) =>
    text!.split(/\$\{[^}]*\}/),
  );
  return templates
    .filter((parts) => parts.join("").trim().length >= 5)
    .map((parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("(.+)")}$`));
}

/** Whether a text is a template filled with texts from the source. */
function isCreatedBy(text: string, templates: readonly RegExp[], source: string): boolean {
  return templates.some((template) => {
    const filled = template.exec(text)?.slice(1);
    const isPresent = (words: string) =>
      words.startsWith("{") ||
      ['"', "'", "`"].some((quote) => source.includes(quote + words + quote));
    return filled?.every(isPresent) ?? false;
  });
}

test("every section of the specification that is cited exists", async () => {
  const headings = new Set(
    [...specification.matchAll(/^#{1,3} (\d+(?:\.\d+)?)/gm)].map(([, number]) => number!),
  );
  const wrong: string[] = [];
  for (const file of new Bun.Glob("{src,tests,bench,docs}/**/*.{ts,tsx,css,md}").scanSync(".")) {
    const text = (await Bun.file(file).text()).replaceAll(/\s+(?:\*|\/\/)?\s*/g, " ");
    for (const [, cited] of text.matchAll(/specification, sections? ([\d., and]*\d)/gi))
      for (const [number] of cited!.matchAll(/\d+(?:\.\d+)?/g))
        if (!headings.has(number)) wrong.push(`${file}: ${number}`);
  }
  expect(wrong).toEqual([]);
});

test("no comment cites a document that the repository does not have", async () => {
  const elsewhere =
    /\bspec (?:sections? \d|§)|(?<!\/)\b(?:spec|design|ux|security|toolchain)\.md\b/i;
  const wrong: string[] = [];
  for (const file of new Bun.Glob("{src,tests,bench,docs}/**/*.{ts,tsx,css,md}").scanSync("."))
    if (file !== "tests/specification.test.ts" && elsewhere.test(await Bun.file(file).text()))
      wrong.push(file);
  expect(wrong).toEqual([]);
});
