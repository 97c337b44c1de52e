/** Holds docs/specification.md against the program: its tables, its texts, and those who cite it. */
import { describe, expect, test } from "bun:test";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../src/schema/accounts.ts";
import { COUNTRIES } from "../src/schema/countries.ts";
import type { Entity } from "../src/schema/entity.ts";
import type { Field } from "../src/schema/fields.ts";
import { FONT_WEIGHTS } from "../src/schema/fonts.ts";
import { entities, type EntityKey } from "../src/schema/index.ts";
import { messagesFor, type Write } from "../src/schema/messages.ts";
import { deletionQuestion, previewHint } from "../src/schema/sectionTab.ts";
import { PLATFORMS } from "../src/schema/platforms.ts";
import { FIELD_TYPES, MAX_TEXT_ANSWER, MAX_TEXTAREA_ANSWER } from "../src/schema/questions.ts";
import { FONT_FAMILIES } from "../src/schema/styles.ts";
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from "../src/schema/uploads.ts";
import { DASHBOARD_JSON, PUBLIC_JSON, UPLOAD_BODY } from "../src/server/http/body.ts";
import type { Method } from "./support/client.ts";
import { program } from "./support/program.ts";
import { siteForAll } from "./support/siteForAll.ts";
import { startSite } from "./support/startSite.ts";

const specification = await Bun.file("docs/specification.md").text();

/** The text under a heading, up to the next of the same rank or a higher one. */
function section(number: string): string {
  const rank = number.includes(".") ? "###" : "##";
  const start = specification.indexOf(`\n${rank} ${number}${rank === "##" ? "." : ""} `);
  expect([number, start]).not.toEqual([number, -1]);
  const end = specification.slice(start + 1).search(rank === "##" ? /\n## / : /\n###? /);
  return specification.slice(start, end === -1 ? undefined : start + 1 + end);
}

/** The rows of the first table of a text, without its head; a cell's formatting is taken off. */
function rows(text: string): string[][] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const table = lines
    .slice(first)
    .filter((_, at, all) => all.slice(0, at + 1).every((line) => line.startsWith("|")));
  return table.slice(2).map((line) =>
    line
      .slice(1, line.lastIndexOf("|"))
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const plain = (cell: string) => cell.replace(/^[`*]+|[`*]+$/g, "");

describe("section 3, the entities", () => {
  const INTERNAL: readonly EntityKey[] = ["users", "sessions", "invitations"];
  const keys = (Object.keys(entities) as EntityKey[]).filter((key) => !INTERNAL.includes(key));
  const KINDS: Readonly<Record<string, string>> = {
    text: "text",
    longText: "long text",
    richText: "rich text",
    image: "picture",
    toggle: "yes or no",
    number: "whole number",
    color: "color",
    wallTime: "time of day",
    timeZone: "time zone",
  };

  function kindOf({ kind: { name: input }, setBy }: Field): string {
    if (input === "none") return setBy === "client" ? "an id" : "the server's";
    return KINDS[input] ?? input;
  }

  function firstValueOf({ kind: { name: input }, setBy, initial }: Field): string {
    if (String(initial ?? "none") === "" || (input === "none" && setBy !== "client")) return "";
    // A cell has one line.
    return initial === null ? "none" : `\`${String(initial).replaceAll("\n", " ")}\``;
  }

  function rulesOf({ kind: { name: input }, required, maxLength, audience }: Field): string {
    const isCounted = maxLength !== undefined && !/^colou?r$/.test(input);
    const rules = [
      required && "required",
      isCounted && `at most ${maxLength.toLocaleString("en-GB")}`,
      audience === "owner" && "the owner's alone",
    ];
    return rules.filter(Boolean).join(", ");
  }

  test.each(keys)("the table of %s is its declaration", (key) => {
    const table = rows(section("3").slice(section("3").indexOf(`\n\`${key}\`:\n`)));
    const fields = Object.entries(entities[key].fields as Record<string, Field>);
    expect(table).toEqual(
      fields.map(([name, field]) => [
        `\`${name}\``,
        field.label,
        kindOf(field),
        firstValueOf(field),
        rulesOf(field),
      ]),
    );
  });

  test("a list's limit is said where its table is", () => {
    for (const key of keys) {
      const { shape, limit } = entities[key] as Entity & { limit?: number };
      if (shape !== "collection") continue;
      const table = specification.indexOf(`\n\`${key}\`:\n`);
      const before = specification.slice(specification.lastIndexOf("\n### ", table), table);
      expect([key, before]).toEqual([key, expect.stringContaining(limit!.toLocaleString("en-GB"))]);
    }
  });

  test("the platforms and the kinds of question are those offered", () => {
    expect(rows(section("3.7").slice(section("3.7").search(/\| Platform +\| Shown/)))).toEqual(
      PLATFORMS.map(({ value, label, example, ...rest }) => [
        `\`${value}\``,
        label,
        Object.values(rest)[0]!,
        example,
      ]),
    );
    expect(rows(section("3.11").slice(section("3.11").search(/\| Type +\| Shown/)))).toEqual(
      FIELD_TYPES.map(({ value, label }) => [`\`${value}\``, label]),
    );
    expect(Math.abs(COUNTRIES.length - 240)).toBeLessThan(10);
  });

  test("the sentence for a missing field is the entity's", () => {
    const stated = Object.fromEntries(rows(section("5.1")).map((row) => row.map(plain)));
    const declared = keys
      .filter((key) => entities[key].incomplete !== undefined)
      .map((key) => [key, entities[key].incomplete]);
    expect(stated).toEqual(Object.fromEntries(declared));
  });
});

describe("section 7, the calls", () => {
  const site = siteForAll(startSite);
  const methods = (cell: string) => (cell === "" ? [] : cell.split(", "));
  const table = rows(section("7.2")).map(([path, anyone, owner]) => ({
    path: plain(path!),
    anyone: methods(anyone!),
    owner: methods(owner!),
  }));

  test("the table holds every route there is, and no other", () => {
    const stated = table.flatMap(({ path, anyone, owner }) =>
      [...anyone, ...owner].map((method) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`),
    );
    const there = (site.app.routes as { method: string; path: string }[])
      .filter(({ method, path }) => path.startsWith("/api/") && method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, "{}")}`);
    expect(stated.toSorted()).toEqual(there.toSorted());
  });

  test("without a session a call of the owner's answers 401, and no other does", async () => {
    const wrong: string[] = [];
    for (const { path, anyone, owner } of table)
      for (const method of [...anyone, ...owner]) {
        const body = method === "GET" ? undefined : {};
        const real = path.replace(/\{\w+\}/g, "x");
        const { status } = await site.visitor().call(method as Method, real, body);
        if ((status === 401) !== owner.includes(method)) wrong.push(`${method} ${path}: ${status}`);
      }
    expect(wrong).toEqual([]);
  });
});

describe("section 8, the messages", () => {
  test("the codes of refusals are those of the program", async () => {
    const declared = await Bun.file("src/schema/errors.ts").text();
    const union = /type ErrorCode =([^;]*);/.exec(declared)![1]!;
    const codes = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code!);
    expect(
      rows(section("8.1"))
        .map(([code]) => plain(code!))
        .toSorted(),
    ).toEqual(codes.toSorted());
  });

  test("the toasts after a write are those of its entity", () => {
    for (const [key, verb, success, failure] of rows(section("8.3")))
      expect([key, verb, messagesFor(entities[plain(key!) as EntityKey], verb as Write)]).toEqual([
        key,
        verb,
        { success: success!, failure: failure! },
      ]);
  });

  test("every text in bold is in the source", async () => {
    const texts = boldTexts(specification);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter(isMissingIn(await sourceText()))).toEqual([]);
  });

  test("every text in bold of sections 2 to 5 is in what is built", async () => {
    const texts = boldTexts(["2", "3", "4", "5"].map(section).join("\n"));
    expect(texts.length).toBeGreaterThan(200);
    // The templates are the source's: those of minified code can't be told from their surroundings.
    const isMissing = isMissingIn(await builtText(), templatesIn(await sourceText()));
    expect(texts.filter(isMissing)).toEqual([]);
  });

  test("every sentence of the program is in the specification", async () => {
    const stated = blanked(specification.replaceAll("\\", ""));
    const unstated: string[] = [];
    for (const file of new Bun.Glob("src/{schema,server,web}/**/*.{ts,tsx}").scanSync("."))
      for (const sentence of sentencesIn(await Bun.file(file).text()))
        if (!OWN_TEXTS.test(file) && !stated.includes(sentence))
          unstated.push(`${file}: ${sentence}`);
    expect(unstated.filter((each) => !NOT_MESSAGES.test(each))).toEqual([]);
  });
});

/** The sample site, the forms to begin with, the privacy policy, which is told by its headings, and other languages. */
const OWN_TEXTS =
  /\/demo\/|\/templates\.ts$|\/words\/(?:policy\.|defaults\.|(?!en\.ts)[a-z]{2}\.ts)/;

/** What no person is told in these words: the program's own mistakes, hints, parts of other texts. */
const NOT_MESSAGES = new RegExp(
  [
    "shown in the footer",
    "for screen readers, dates and hyphens",
    "An unknown failure",
    "There is no web build",
    "No words were given to this part",
    "isn't part of the site's content",
    "has no sample content",
    "does not fit its schema",
    "was not opened with the entity",
    "must keep the record's",
    "The transaction is over",
    "a transaction has been under way",
    "a performer's website and its dashboard",
    ": \\{\\} \\{\\}( found)?\\.$",
    "There is no field ",
    "No section of the home page reads",
    "\\$\\{\\w+ \\?$",
  ].join("|"),
);

/** What is filled in counts for nothing in a comparison. */
const blanked = (text: string) => text.replaceAll(/\$?\{[^}]*\}/g, "{}");

/** The strings of a source file that are sentences, put together where they are split. */
function sentencesIn(source: string): string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/["`] \+\s+["`]/g, "")
    .replaceAll("&apos;", "'");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|'([^'\n]*)'|>([^<>{}=;]+)</g)]
    .map(([, ...texts]) => blanked(texts.find((text) => text !== undefined) ?? ""))
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => /^[A-Z{“].* .*[.!?]$/.test(text))
    .map((text) => text.replaceAll('\\"', '"'));
}

const boldTexts = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\*\*(.+?)\*\*(?!\*)/g)].map(([, bold]) => bold!.replaceAll("\\", "")),
  ),
];

/** Whether a text is neither in `source` nor made of what is in it. */
function isMissingIn(
  source: string,
  templates: readonly RegExp[] = templatesIn(source),
): (text: string) => boolean {
  const writes: readonly Write[] = ["save", "create", "update", "delete", "reorder"];
  const messages = Object.values(entities).flatMap((entity) =>
    writes.flatMap((write) => Object.values(messagesFor(entity, write))),
  );
  const lists = Object.values(entities).filter((entity) => entity.shape === "collection");
  const ofTabs = lists.flatMap((list) => [deletionQuestion(list), previewHint(list)]);
  return (text) =>
    text.includes("{")
      ? !text.split(/\{[^}]*\}/).every((part) => source.includes(part.trim())) &&
        !isMade(text, templates, source)
      : !source.includes(text) &&
        !messages.includes(text) &&
        !ofTabs.includes(text) &&
        !isMade(text, templates, source);
}

/** The built dashboard and pages, and the program, which carries its code at its end. */
async function builtText(): Promise<string> {
  const scripts = [...new Bun.Glob("dist/web/**/*.js").scanSync(".")];
  const texts = await Promise.all(scripts.map((file) => Bun.file(file).text()));
  const built = Bun.file(program());
  const code = await built.slice(Math.floor(built.size * 0.8)).text();
  return [...texts, code]
    .join("\n")
    .replaceAll(/\\u([\dA-Fa-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(["'`])/g, "$1")
    .replaceAll("’", "'");
}

/** The source as one line of text, as JSX and concatenation put it together; the sample site apart. */
async function sourceText(): Promise<string> {
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

/** Texts with something filled in, as patterns. */
function templatesIn(source: string): RegExp[] {
  const templates = [...source.matchAll(/`([^`]*\$\{[^`]*)`/g)].map(([, text]) =>
    text!.split(/\$\{[^}]*\}/),
  );
  return templates
    .filter((parts) => parts.join("").trim().length >= 5)
    .map((parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("(.+)")}$`));
}

/** True for a template filled in with words of the source. */
function isMade(text: string, templates: readonly RegExp[], source: string): boolean {
  return templates.some((template) => {
    const filled = template.exec(text)?.slice(1);
    const isThere = (words: string) =>
      words.startsWith("{") ||
      ['"', "'", "`"].some((quote) => source.includes(quote + words + quote));
    return filled?.every(isThere) ?? false;
  });
}

describe("section 9, the constants", () => {
  test("sizes are those of the program", () => {
    const stated = Object.fromEntries(rows(section("9.3")) as [string, string][]);
    expect(stated).toMatchObject({
      "an upload": `${MAX_UPLOAD_BYTES / 1024 / 1024} MB`,
      "a visitor's JSON": `${PUBLIC_JSON / 1024} KB`,
      "the owner's JSON": `${DASHBOARD_JSON / 1024 / 1024} MB`,
      "the body of an upload": `${UPLOAD_BODY / 1024 / 1024} MB`,
      "a password": `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
      "an answer in one line": `${MAX_TEXT_ANSWER} characters`,
      "an answer in several lines": `${MAX_TEXTAREA_ANSWER.toLocaleString("en-GB")} characters`,
    });
  });

  test("choices are those offered", () => {
    const choices = section("9.6");
    expect(choices).toContain(`Fonts: ${FONT_FAMILIES.join(", ")}.`);
    expect(choices).toContain(`Font weights: ${FONT_WEIGHTS.join(", ")}.`);
    expect(choices).toContain(`Upload types: ${UPLOAD_TYPES.join(", ")}.`);
    const sizesOf = (key: "headingSize" | "bodySize") =>
      entities.styles.fields[key].choices!.map(({ value }) => value).join(", ");
    expect(choices).toContain(
      `Heading sizes: ${sizesOf("headingSize")}. Body sizes: ${sizesOf("bodySize")}.`,
    );
  });
});

test("whoever cites a section cites one that is there", async () => {
  const headings = new Set(
    [...specification.matchAll(/^#{2,3} (\d+(?:\.\d+)?)/gm)].map(([, number]) => number!),
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

test("no comment cites a page that the repository does not have", async () => {
  const elsewhere = /\bspec (?:sections? \d|§)|\b(?:spec|design|ux|security|toolchain)\.md\b/i;
  const wrong: string[] = [];
  for (const file of new Bun.Glob("{src,tests,bench,docs}/**/*.{ts,tsx,css,md}").scanSync("."))
    if (file !== "tests/specification.test.ts" && elsewhere.test(await Bun.file(file).text()))
      wrong.push(file);
  expect(wrong).toEqual([]);
});
