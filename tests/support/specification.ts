/**
 * Reads docs/specification, and writes its tables from the declarations (`bun run specification`). A table is
 * between `<!-- table: calls -->` and `<!-- end -->`; cells without a declaration are written by hand and matched by
 * the row's first cell.
 */
import { readFileSync } from "node:fs";
import type { Entity } from "../../src/schema/entities/entity.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../src/schema/people/accounts.ts";
import type { Field } from "../../src/schema/kinds/fields.ts";
import { FONT_WEIGHTS } from "../../src/schema/sections/fonts.ts";
import { allEntities, entities, type EntityKey } from "../../src/schema/index.ts";
import { getWriteMessages, type WriteKind } from "../../src/schema/entities/messages.ts";
import { OFFERED_PLATFORMS } from "../../src/schema/sections/platforms.ts";
import {
  FIELD_TYPES,
  MAX_TEXT_ANSWER_LENGTH,
  MAX_TEXTAREA_ANSWER_LENGTH,
} from "../../src/schema/enquiry/questions.ts";
import { ANSWER_REFUSALS, VISITOR_REFUSALS } from "../../src/schema/core/refusals.ts";
import { FONT_FAMILIES } from "../../src/schema/sections/styles.ts";
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from "../../src/schema/pictures/uploads.ts";
import {
  MAX_DASHBOARD_JSON_BYTES,
  MAX_PUBLIC_JSON_BYTES,
  MAX_UPLOAD_BODY_BYTES,
} from "../../src/server/http/body.ts";
import type { Method } from "./client.ts";
import { startSite } from "./startSite.ts";

const FOLDER = "docs/specification";
const TABLE = /<!-- table: ([\w ]+) -->\n([\s\S]*?)<!-- end -->/g;
/** The table of entities that no other table names. */
const OTHERS = "other fields";
/** Section 3.15 describes these. */
const INTERNAL: readonly string[] = ["users", "sessions", "invitations"];
const WRITES: readonly WriteKind[] = ["save", "create", "update", "delete", "reorder"];
const KINDS: Readonly<Record<string, string>> = {
  longText: "long text",
  richText: "rich text",
  image: "picture",
  toggle: "yes or no",
  mark: "yes or no",
  number: "whole number",
  wallTime: "time of day",
  timeZone: "time zone",
};

/** The chapters' file names with their text, in order. */
export async function readChapters(): Promise<Map<string, string>> {
  const files = [...new Bun.Glob("*.md").scanSync(FOLDER)].toSorted();
  const texts = files.map(
    async (file) => [file, await Bun.file(`${FOLDER}/${file}`).text()] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The chapters with the tables that the declarations have now. */
export async function chaptersAsDeclared(): Promise<Map<string, string>> {
  const calls = await callsByPath();
  const chapters = await readChapters();
  const others = keysWithoutTable([...chapters.values()].join("\n"));
  const written = [...chapters].map(([file, text]) => {
    const next = text.replaceAll(TABLE, (_, name: string, present: string) =>
      [
        `<!-- table: ${name} -->`,
        "",
        tableNamed(
          name === OTHERS ? `fields ${others.join(" ")}` : name,
          handCells(present),
          calls,
        ),
        "",
        "<!-- end -->",
      ].join("\n"),
    );
    return [file, next] as const;
  });
  return new Map(written);
}

/** Entities that no table names, such as a new extra's. */
function keysWithoutTable(text: string): string[] {
  const named = [...text.matchAll(/<!-- table: fields ([\w ]+) -->/g)].flatMap(([, keys]) =>
    keys!.split(" "),
  );
  return Object.keys(entities).filter((key) => !named.includes(key) && !INTERNAL.includes(key));
}

type Calls = ReadonlyMap<string, { anyone: string[]; owner: string[] }>;

function tableNamed(name: string, byHand: Map<string, string[]>, calls: Calls): string {
  const [kind, ...keys] = name.trim().split(" ");
  if (kind === "fields") return keys.map((key) => fieldsOf(key as EntityKey)).join("\n\n");
  const make = TABLES[name];
  if (make === undefined) throw new Error(`There is no table "${name}".`);
  return make(byHand, calls);
}

const TABLES: Readonly<Record<string, (byHand: Map<string, string[]>, calls: Calls) => string>> = {
  incomplete: () =>
    table(
      ["Entity", "Refusal"],
      allEntities
        .filter(({ missingFieldMessage }) => missingFieldMessage !== undefined)
        .map(({ key, missingFieldMessage }) => [`\`${key}\``, `**${missingFieldMessage}**`]),
    ),
  platforms: () =>
    table(
      ["Platform", "Shown as", "Brand color", "Example"],
      OFFERED_PLATFORMS.map(({ value, label, example, ...rest }) => [
        `\`${value}\``,
        label,
        Object.values(rest)[0]!,
        example,
      ]),
    ),
  "question types": () =>
    table(
      ["Type", "Shown as"],
      FIELD_TYPES.map(({ value, label }) => [`\`${value}\``, label]),
    ),
  calls: (byHand, calls) =>
    table(
      ["Path", "Anyone", "The owner", "What it is for"],
      [...calls].map(([path, { anyone, owner }]) => [
        `\`${path}\``,
        anyone.join(", "),
        owner.join(", "),
        byHand.get(`\`${path}\``)?.at(-1) ?? "",
      ]),
    ),
  codes: (byHand) =>
    table(
      ["Code", "Status", "When"],
      errorCodes().map((code) => [`\`${code}\``, ...(byHand.get(`\`${code}\``) ?? ["", ""])]),
    ),
  toasts: () =>
    table(
      ["Entity", "Write", "Success", "Failure"],
      allEntities.flatMap((entity) =>
        WRITES.filter((write) => entity.messages?.[write] !== undefined).map((write) => {
          const { success, failure } = getWriteMessages(entity, write);
          return [`\`${entity.key}\``, write, success, failure];
        }),
      ),
    ),
  refusals: () =>
    [...Object.values(ANSWER_REFUSALS), ...Object.values(VISITOR_REFUSALS)]
      .map((sentence) => `- **${sentence}**`)
      .join("\n"),
  sizes: (byHand) => table(["What", "Value"], sizes(byHand)),
  choices: () =>
    [
      `Fonts: ${FONT_FAMILIES.join(", ")}.`,
      `Font weights: ${FONT_WEIGHTS.join(", ")}.`,
      `Heading sizes: ${choicesOf("headingSize")}. Body sizes: ${choicesOf("bodySize")}.`,
      `Upload types: ${UPLOAD_TYPES.join(", ")}.`,
    ]
      .map((line) => `- ${line}`)
      .join("\n"),
};

const choicesOf = (key: "headingSize" | "bodySize") =>
  entities.styles.fields[key].choices!.map(({ value }) => value).join(", ");

/** The rows from constants, then those written by hand. */
function sizes(byHand: Map<string, string[]>): string[][] {
  const declared = {
    "an upload": `${MAX_UPLOAD_BYTES / 1024 / 1024} MB`,
    "a visitor's JSON": `${MAX_PUBLIC_JSON_BYTES / 1024} KB`,
    "the owner's JSON": `${MAX_DASHBOARD_JSON_BYTES / 1024 / 1024} MB`,
    "the body of an upload": `${MAX_UPLOAD_BODY_BYTES / 1024 / 1024} MB`,
    "a password": `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
    "an answer in one line": `${MAX_TEXT_ANSWER_LENGTH} characters`,
    "an answer in several lines": `${MAX_TEXTAREA_ANSWER_LENGTH.toLocaleString("en-GB")} characters`,
  };
  const others = [...byHand].filter(([name]) => !(name in declared));
  return [...Object.entries(declared), ...others.map(([name, [value = ""]]) => [name, value])];
}

/** A table of the fields that clients may send, and the names of those that the server sets. */
function fieldsOf(key: EntityKey): string {
  const entity = entities[key] as Entity;
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const isServers = ([, { kind, setBy }]: [string, Field]) =>
    kind.name === "none" && setBy !== "client";
  const rows = fields
    .filter((field) => !isServers(field))
    .map(([name, field]) => [`\`${name}\` ${field.label}`, rulesOf(field), firstValueOf(field)]);
  const namesOf = (audience: "everyone" | "owner") =>
    fields
      .filter(
        (field) => isServers(field) && (field[1].audience === "owner") === (audience === "owner"),
      )
      .map(([name]) => `\`${name}\``)
      .join(", ");
  const servers = [namesOf("everyone"), namesOf("owner") && `owner only: ${namesOf("owner")}`];
  const stated = servers.filter(Boolean).join("; ");
  return [
    `\`${key}\`${shapeOf(entity)}:`,
    rows.length > 0 && table(["Field", "Kind", "First value"], rows),
    stated && `Set by the server: ${stated}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function shapeOf(entity: Entity): string {
  if (entity.shape === "singleton") return "";
  if (entity.shape === "records") return " (records)";
  return ` (at most ${entity.maxItems.toLocaleString("en-GB")})`;
}

function rulesOf({ kind: { name }, required, maxLength, audience }: Field): string {
  const rules = [
    name === "none" ? "an id" : (KINDS[name] ?? name),
    required && "required",
    maxLength !== undefined && name !== "color" && `at most ${maxLength.toLocaleString("en-GB")}`,
    audience === "owner" && "owner only",
  ];
  return rules.filter(Boolean).join(", ");
}

function firstValueOf({ initial }: Field): string {
  if (initial === undefined || String(initial ?? "none") === "") return "";
  // A cell is one line.
  return initial === null ? "none" : `\`${String(initial).replaceAll("\n", " ")}\``;
}

/** Every call below /api with its permission: without a session, a call that needs one gets 401. */
async function callsByPath(): Promise<Calls> {
  const site = await startSite();
  try {
    const calls = new Map<string, { anyone: string[]; owner: string[] }>();
    for (const { method, path } of site.app.routes as { method: string; path: string }[]) {
      if (!path.startsWith("/api/") || method === "ALL") continue;
      const shown = path.replaceAll(/:(\w+)/g, "{$1}");
      const call = calls.get(shown) ?? { anyone: [], owner: [] };
      calls.set(shown, call);
      const body = method === "GET" ? undefined : {};
      const real = path.replaceAll(/:\w+/g, "x");
      const { status } = await site.visitor().call(method as Method, real, body);
      (status === 401 ? call.owner : call.anyone).push(method);
    }
    return calls;
  } finally {
    await site.stop();
  }
}

/** Types don't exist at run time, so their source is read. */
function errorCodes(): string[] {
  const declared = readFileSync("src/schema/core/http.ts", "utf8");
  const union = /type ErrorCode =([^;]*);/.exec(declared)![1]!;
  return [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code!);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The other cells by the first one. */
function handCells(present: string): Map<string, string[]> {
  const rows = rowsOf(present);
  return new Map(rows.map(([first = "", ...others]) => [first, others]));
}

/** The rows of a text's first table, without its head. */
export function rowsOf(text: string): string[][] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  if (first === -1) return [];
  const after = lines.findIndex((line, at) => at > first && !line.startsWith("|"));
  return lines.slice(first + 2, after === -1 ? undefined : after).map((line) =>
    line
      .slice(1, line.lastIndexOf("|"))
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** A text without the formatting of its tables, for comparing. */
export const unformatted = (text: string) =>
  text.replaceAll(/-{3,}/g, "---").replaceAll(/[ \n]+/g, " ");

if (import.meta.main)
  for (const [file, text] of await chaptersAsDeclared()) await Bun.write(`${FOLDER}/${file}`, text);
