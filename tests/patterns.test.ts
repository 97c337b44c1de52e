/**
 * Checks that every pattern of the program takes at most linear time in the length of its text, so that no text can
 * stop the program, and that typed texts are checked for their length before anything else. Patterns with an earlier
 * result are listed in tests/fixtures/linear-patterns.txt. `PATTERNS=all` checks all of them again and rewrites that
 * list.
 */
import { beforeAll, expect, test } from "bun:test";
import { check } from "recheck";
import { parseAst } from "rolldown/parseAst";
import * as v from "valibot";

const SOURCE = new URL("../src/", import.meta.url).pathname;

interface Occurrence {
  readonly file: string;
  readonly text: string;
}

interface Pattern extends Occurrence {
  readonly source: string;
  readonly flags: string;
}

/** The examined parts of a syntax tree's node (ESTree). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly arguments?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

const patterns: Pattern[] = [];
/** Patterns that don't come from a literal, and checks that read a text of any length. */
const unknownPatterns: Occurrence[] = [];
const unboundedPatterns: Occurrence[] = [];

/** Unicode's algorithms and the parsing of addresses outside of `boundedUnicode.ts`. */
const unlimitedCalls: Occurrence[] = [];

/** Functions that take quadratic time, or load much, for some texts. */
const SLOW_METHODS = new Set([
  "normalize",
  "localeCompare",
  "toLocaleString",
  "toLocaleLowerCase",
  "toLocaleUpperCase",
  "toLocaleDateString",
  "toLocaleTimeString",
  "domainToASCII",
  "domainToUnicode",
]);

/** Files whose locales, zones and lists come from our tables or were checked, so a stranger can't make them long. */
const INTERNAL_FORMATS = new Set([
  "schema/core/countries.ts",
  "schema/core/formatDate.ts",
  "schema/kinds/timeKinds.ts",
  "server/cli/backup.ts",
  "server/testimonials/testimonialPageRoutes.ts",
  "server/shared/formatCall.ts",
  "web/shared/joinList.ts",
  "web/shared/formatTimes.ts",
  "web/shared/localTime.ts",
  "web/admin/data/csv.ts",
  "web/admin/editor/timeFields.tsx",
  "web/admin/tabs/forms/templates.ts",
  "web/admin/tabs/letters/letterStatus.tsx",
  "web/admin/tabs/PersonalDataCard.tsx",
  "web/admin/data/session.ts",
  "web/site/extras/DateRow.tsx",
  "web/admin/welcome/saveWelcome.ts",
  "web/site/enquiry/Question.tsx",
  "web/site/enquiry/formWords.ts",
  "web/words/allWords.ts",
  "web/words/placeholders.ts",
]);

/**
 * Files that parse only settings of the machine's owner, the program's own addresses, or addresses that were checked
 * before they were stored.
 */
const PARSES_CHECKED =
  /^(?:server\/(?:cli|backup|storage)\/|server\/shared\/|server\/(?:mail|notifications|newsletter)\/|web\/)/;

/** Matches parsing the request's own address, whose host is bounded (requestTarget.ts), or the site's address. */
const CHECKED_ADDRESS =
  /^(?:new URL|URL\.canParse)\((?:request\.url|url|siteUrl|databaseUrl\.url|fontProvider|call\.url|typed|REPORTS)\b/;

/** Whether a file belongs to the build, which reads only our own files. */
const isBuildFile = (file: string) => file.startsWith("build/");

/** Files that check lengths, or that read texts of the machine's owner or of the program itself. */
const INTERNAL_TEXTS = new Set([
  "schema/core/boundedText.ts",
  "server/shared/settingTypes.ts",
  "server/shared/s3Location.ts",
  "server/cli/upgrade/minisign.ts",
  "server/backup/unpackArchive.ts",
  "server/backup/repository/catalog.ts",
]);

beforeAll(async () => {
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)) {
    if (isBuildFile(file)) continue;
    const text = await Bun.file(SOURCE + file).text();
    const lang = file.endsWith("x") ? "tsx" : "ts";
    walkNodes(parseAst(text, { lang }, file), (node) =>
      inspectNode(node, file, text.slice(node.start, node.end)),
    );
  }
});

function walkNodes(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walkNodes(each, visit);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value && "start" in value) visit(value as Node);
    for (const inner of Object.values(value)) walkNodes(inner, visit);
  }
}

function inspectNode(node: Node, file: string, text: string): void {
  const { regex, callee, arguments: args = [] } = node;
  if (regex) patterns.push({ file, text, source: regex.pattern, flags: regex.flags });
  if (callee?.name === "RegExp") {
    const source = getRegexSource(args[0]);
    const flags = args[1] ? getRegexSource(args[1]) : "";
    if (source === undefined || flags === undefined) unknownPatterns.push({ file, text });
    else patterns.push({ file, text, source, flags });
  }
  const name = getAction(node);
  const builtIn = (v as Record<string, unknown>)[getPatternName(node) ?? getRegexName(name ?? "")];
  if (builtIn instanceof RegExp)
    patterns.push({ file, text, source: builtIn.source, flags: builtIn.flags });
  if (file !== "schema/core/boundedUnicode.ts" && isUnlimited(node, file, text))
    unlimitedCalls.push({ file, text });
  const [first, ...others] = arguments;
  if (name === "pipe" && getAction(first) === "string" && !INTERNAL_TEXTS.has(file))
    if (others.some((each) => !LENGTH_ACTIONS.has(getAction(each) ?? "")))
      unboundedPatterns.push({ file, text });
}

function isUnlimited({ type, callee, object }: Node, file: string, text: string): boolean {
  if (SLOW_METHODS.has(callee?.property?.name ?? "")) return !INTERNAL_FORMATS.has(file);
  if (object?.name === "Intl") return !INTERNAL_FORMATS.has(file);
  const parses =
    callee?.object?.name === "URL" || (type === "NewExpression" && callee?.name === "URL");
  return parses && !PARSES_CHECKED.test(file) && !CHECKED_ADDRESS.test(text);
}

/** Returns the text of a literal. Each placeholder of a template becomes a letter that matches itself. */
function getRegexSource(node: Node | undefined): string | undefined {
  if (typeof node?.value === "string") return node.value;
  return node?.quasis?.map(({ value }) => value.cooked).join("x");
}

/** Returns the action's name: `maxLength` for `v.maxLength(200)`. */
function getAction(node: Node | undefined): string | undefined {
  return node?.callee?.object?.name === "v" ? node.callee.property?.name : undefined;
}

/** Returns the name of a pattern that is used without its action: `RFC_EMAIL_REGEX` for `v.RFC_EMAIL_REGEX`. */
const getPatternName = ({ object, property }: Node): string | undefined =>
  object?.name === "v" && property?.name?.endsWith("_REGEX") ? property.name : undefined;

/** Returns the name under which valibot exports an action's pattern: `RFC_EMAIL_REGEX` for `rfcEmail`. */
const getRegexName = (action: string) =>
  `${action.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_REGEX`;

/** The actions that may follow `v.string()`: they check only the length, or take time in proportion to it. */
const LENGTH_ACTIONS = new Set(["nonEmpty", "minLength", "maxLength", "length", "trim"]);

/** Matches patterns with an unlimited repetition. Only these can take long. */
const CAN_REPEAT = /[*+]|,\}/;

/** The limits are in steps, since on a busy machine a limit of time would be exceeded. */
const LIMITS = { timeout: 120_000, attackTimeout: null, incubationTimeout: null } as const;

const DECIDED_FILE = new URL("fixtures/linear-patterns.txt", import.meta.url).pathname;
const IS_COMPLETE = process.env["PATTERNS"] === "all";

test("every regular expression takes linear time", async () => {
  const unique = new Map(patterns.map((each) => [`/${each.source}/${each.flags}`, each]));
  const repeating = [...unique].filter(([, { source }]) => CAN_REPEAT.test(source));
  const decided = new Set(IS_COMPLETE ? [] : (await Bun.file(DECIDED_FILE).text()).split("\n"));
  const refused: string[] = [];
  const next = repeating.filter(([text]) => !decided.has(text)).values();
  const decide = async () => {
    for (const [text, { file, source, flags }] of next) {
      const found = await check(source, flags, LIMITS);
      const why = found.status === "vulnerable" ? found.complexity.summary : found.status;
      if (why !== "safe") refused.push(`${file}: ${text} is ${why}`);
    }
  };
  await Promise.all([decide(), decide()]);
  expect(refused).toEqual([]);
  if (IS_COMPLETE)
    await Bun.write(
      DECIDED_FILE,
      repeating
        .map(([text]) => `${text}\n`)
        .toSorted()
        .join(""),
    );
  expect(unknownPatterns).toEqual([]);
  // The search must have found literals, patterns made of texts, and valibot's patterns.
  expect(repeating.length).toBeGreaterThan(100);
  expect(unique.has(`/${v.RFC_EMAIL_REGEX.source}/`)).toBe(true);
}, 300_000);

test("no slow text function, such as the parsing of URLs, gets a text of unlimited length", () => {
  expect(unlimitedCalls).toEqual([]);
});

test("every schema checks a text's length before the text's content", () => {
  expect(unboundedPatterns).toEqual([]);
});
