/**
 * Reads docs/specification, and writes its tables from the declarations (`bun run specification`). A table is between
 * `<!-- table: calls -->` and `<!-- end -->`. Cells without a declaration are written by hand, and are found again by
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
/** The name of the table of entities that no other table names. */
const REMAINING_FIELDS = "other fields";
/** The entities that section 3.15 describes without a table. */
const INTERNAL_KEYS: readonly string[] = ["users", "sessions", "invitations"];
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

/** Returns the chapters' texts by their file names, in order. */
export async function readChapters(): Promise<Map<string, string>> {
  const files = [...new Bun.Glob("*.md").scanSync(FOLDER)].toSorted();
  const texts = files.map(
    async (file) => [file, await Bun.file(`${FOLDER}/${file}`).text()] as const,
  );
  return new Map(await Promise.all(texts));
}

/** Returns the chapters with the tables that follow from the current declarations. */
export async function renderChapters(): Promise<Map<string, string>> {
  const calls = await findCallsByPath();
  const chapters = await readChapters();
  const remainingKeys = findKeysWithoutTable([...chapters.values()].join("\n"));
  const written = [...chapters].map(([file, text]) => {
    const next = text.replaceAll(TABLE, (_, name: string, currentTable: string) =>
      [
        `<!-- table: ${name} -->`,
        "",
        renderTable(
          name === REMAINING_FIELDS ? `fields ${remainingKeys.join(" ")}` : name,
          readHandWrittenCells(currentTable),
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

/** Returns the keys of entities that no table names, such as a new extra's. */
function findKeysWithoutTable(text: string): string[] {
  const tableKeys = [...text.matchAll(/<!-- table: fields ([\w ]+) -->/g)].flatMap(([, keys]) =>
    keys!.split(" "),
  );
  return Object.keys(entities).filter(
    (key) => !tableKeys.includes(key) && !INTERNAL_KEYS.includes(key),
  );
}

type Calls = ReadonlyMap<string, { anyone: string[]; owner: string[] }>;

function renderTable(name: string, handWrittenCells: Map<string, string[]>, calls: Calls): string {
  const [kind, ...keys] = name.trim().split(" ");
  if (kind === "fields") return keys.map((key) => renderFields(key as EntityKey)).join("\n\n");
  const render = TABLE_RENDERERS[name];
  if (render === undefined) throw new Error(`There is no table "${name}".`);
  return render(handWrittenCells, calls);
}

const TABLE_RENDERERS: Readonly<
  Record<string, (handWrittenCells: Map<string, string[]>, calls: Calls) => string>
> = {
  incomplete: () =>
    formatTable(
      ["Entity", "Refusal"],
      allEntities
        .filter(({ missingFieldMessage }) => missingFieldMessage !== undefined)
        .map(({ key, missingFieldMessage }) => [`\`${key}\``, `**${missingFieldMessage}**`]),
    ),
  platforms: () =>
    formatTable(
      ["Platform", "Shown as", "Brand color", "Example"],
      OFFERED_PLATFORMS.map(({ value, label, example, ...rest }) => [
        `\`${value}\``,
        label,
        Object.values(rest)[0]!,
        example,
      ]),
    ),
  "question types": () =>
    formatTable(
      ["Type", "Shown as"],
      FIELD_TYPES.map(({ value, label }) => [`\`${value}\``, label]),
    ),
  calls: (handWrittenCells, calls) =>
    formatTable(
      ["Path", "Anyone", "The owner", "What it is for"],
      [...calls].map(([path, { anyone, owner }]) => [
        `\`${path}\``,
        anyone.join(", "),
        owner.join(", "),
        handWrittenCells.get(`\`${path}\``)?.at(-1) ?? "",
      ]),
    ),
  codes: (handWrittenCells) =>
    formatTable(
      ["Code", "Status", "When"],
      readErrorCodes().map((code) => [
        `\`${code}\``,
        ...(handWrittenCells.get(`\`${code}\``) ?? ["", ""]),
      ]),
    ),
  toasts: () =>
    formatTable(
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
  sizes: (handWrittenCells) => formatTable(["What", "Value"], createSizeRows(handWrittenCells)),
  choices: () =>
    [
      `Fonts: ${FONT_FAMILIES.join(", ")}.`,
      `Font weights: ${FONT_WEIGHTS.join(", ")}.`,
      `Heading sizes: ${joinChoices("headingSize")}. Body sizes: ${joinChoices("bodySize")}.`,
      `Upload types: ${UPLOAD_TYPES.join(", ")}.`,
    ]
      .map((line) => `- ${line}`)
      .join("\n"),
};

const joinChoices = (key: "headingSize" | "bodySize") =>
  entities.styles.fields[key].choices!.map(({ value }) => value).join(", ");

/** Returns the rows that come from constants, followed by those written by hand. */
function createSizeRows(handWrittenCells: Map<string, string[]>): string[][] {
  const declared = {
    "an upload": `${MAX_UPLOAD_BYTES / 1024 / 1024} MB`,
    "a visitor's JSON": `${MAX_PUBLIC_JSON_BYTES / 1024} KB`,
    "the owner's JSON": `${MAX_DASHBOARD_JSON_BYTES / 1024 / 1024} MB`,
    "the body of an upload": `${MAX_UPLOAD_BODY_BYTES / 1024 / 1024} MB`,
    "a password": `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
    "an answer in one line": `${MAX_TEXT_ANSWER_LENGTH} characters`,
    "an answer in several lines": `${MAX_TEXTAREA_ANSWER_LENGTH.toLocaleString("en-GB")} characters`,
  };
  const others = [...handWrittenCells].filter(([name]) => !(name in declared));
  return [...Object.entries(declared), ...others.map(([name, [value = ""]]) => [name, value])];
}

/** Renders a table of the fields that clients may send, followed by the names of those that the server sets. */
function renderFields(key: EntityKey): string {
  const entity = entities[key] as Entity;
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const isServerField = ([, { kind, setBy }]: [string, Field]) =>
    kind.name === "none" && setBy !== "client";
  const rows = fields
    .filter((field) => !isServerField(field))
    .map(([name, field]) => [
      `\`${name}\` ${field.label}`,
      describeRules(field),
      describeInitialValue(field),
    ]);
  const joinNames = (audience: "everyone" | "owner") =>
    fields
      .filter(
        (field) =>
          isServerField(field) && (field[1].audience === "owner") === (audience === "owner"),
      )
      .map(([name]) => `\`${name}\``)
      .join(", ");
  const serverFields = [
    joinNames("everyone"),
    joinNames("owner") && `owner only: ${joinNames("owner")}`,
  ];
  const serverFieldsText = serverFields.filter(Boolean).join("; ");
  return [
    `\`${key}\`${describeShape(entity)}:`,
    rows.length > 0 && formatTable(["Field", "Kind", "First value"], rows),
    serverFieldsText && `Set by the server: ${serverFieldsText}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function describeShape(entity: Entity): string {
  if (entity.shape === "singleton") return "";
  if (entity.shape === "records") return " (records)";
  return ` (at most ${entity.maxItems.toLocaleString("en-GB")})`;
}

function describeRules({ kind: { name }, required, maxLength, audience }: Field): string {
  const rules = [
    name === "none" ? "an id" : (KINDS[name] ?? name),
    required && "required",
    maxLength !== undefined && name !== "color" && `at most ${maxLength.toLocaleString("en-GB")}`,
    audience === "owner" && "owner only",
  ];
  return rules.filter(Boolean).join(", ");
}

function describeInitialValue({ initial }: Field): string {
  if (initial === undefined || String(initial ?? "none") === "") return "";
  // A line break would end the row.
  return initial === null ? "none" : `\`${String(initial).replaceAll("\n", " ")}\``;
}

/** Finds every call below /api with its permission: a call that needs a session gets 401 without one. */
async function findCallsByPath(): Promise<Calls> {
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

/** Reads the error codes from the source, since types don't exist at run time. */
function readErrorCodes(): string[] {
  const declared = readFileSync("src/schema/core/http.ts", "utf8");
  const union = /type ErrorCode =([^;]*);/.exec(declared)![1]!;
  return [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code!);
}

const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Returns the other cells of each row by its first cell. */
function readHandWrittenCells(currentTable: string): Map<string, string[]> {
  const rows = parseTableRows(currentTable);
  return new Map(rows.map(([first = "", ...others]) => [first, others]));
}

/** Returns the rows of a text's first table, without its head. */
export function parseTableRows(text: string): string[][] {
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

/** Returns a text without the formatting of its tables, for comparing. */
export const stripTableFormatting = (text: string) =>
  text.replaceAll(/-{3,}/g, "---").replaceAll(/[ \n]+/g, " ");

if (import.meta.main)
  for (const [file, text] of await renderChapters()) await Bun.write(`${FOLDER}/${file}`, text);
