/** Reads request bodies within bounds (type, size, time, depth and keys), and checks them against a schema. */
import * as v from "valibot";
import { outcomeOf } from "../../schema/boundedText.ts";
import { VISITOR_REFUSALS } from "../../schema/refusals.ts";
import { bodyTooLarge, invalid, malformed, Refusal, timeout, wrongType } from "../shared/errors.ts";

/** The largest JSON body accepted from anybody: 64 KB. */
export const PUBLIC_JSON = 64 * 1024;

/** The largest JSON body accepted from the dashboard: 1 MB. */
export const DASHBOARD_JSON = 1024 * 1024;

/** The largest upload body, multipart framing included: 6 MB. */
export const UPLOAD_BODY = 6 * 1024 * 1024;

/** A body that takes longer is refused. */
const BODY_SECONDS = 15;

const MAX_DEPTH = 32;

const MAX_KEYS = 2000;

const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

const NOT_READABLE = "The request couldn't be read. Send valid JSON.";

/**
 * The JSON body of a request, at most `limit` bytes. Throws 400, 408, 413 or 415. Call it after the guard, so that
 * nobody without a session can make the server read a large body.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  requireType(request, ["application/json"], "Send this as JSON (application/json).");
  const text = decode(await readBytes(request, limit));
  if (nestingDepth(text) > MAX_DEPTH) throw malformed("The data is nested too deeply.");
  const value = parse(text);
  checkJsonShape(value);
  return value;
}

/**
 * The JSON body, checked against a schema. Throws a 422 with the schema's messages by field name (under `whole` for
 * the body itself); otherwise throws as `readJson`.
 */
export async function readChecked<S extends v.GenericSchema>(
  schema: S,
  request: Request,
  whole: string,
): Promise<v.InferOutput<S>> {
  const outcome = outcomeOf(schema, (await readJson(request, DASHBOARD_JSON)) ?? {});
  if (outcome.success) return outcome.output;
  const fields: Record<string, string> = {};
  for (const { path, message } of outcome.issues)
    fields[nameOf(path?.map(({ key }) => key)) ?? whole] ??= message;
  throw invalid(outcome.issues[0].message, fields);
}

/** An issue with a list item is named after both: "at.2". */
function nameOf(path: readonly unknown[] = []): string | undefined {
  const [last, list] = path.toReversed();
  if (last === undefined) return undefined;
  return typeof last === "number" ? `${String(list)}.${last}` : String(last);
}

/** The fields of a body by name, unchecked: whoever uses one checks it. */
export type Fields = Readonly<Record<string, unknown>>;

const hasFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Fields =>
  hasFields(value) && !Array.isArray(value);

/** The fields of a JSON value, unchecked; none of a text or a number. */
export const fieldsIn = (value: unknown): Fields => (hasFields(value) ? value : {});

/** The fields of a short JSON body, unchecked. Throws as `readJson`. */
export async function readFields(request: Request): Promise<Fields> {
  return fieldsIn(await readJson(request, PUBLIC_JSON));
}

/** The fields and files of a form body of at most `limit` bytes. Throws 400, 408, 413 or 415. */
export async function readForm(
  request: Request,
  limit: number,
  types: readonly string[] = ["multipart/form-data"],
): Promise<FormData> {
  const type = requireType(request, types, "Send this as a form (multipart/form-data).");
  const bytes = await readBytes(request, limit);
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw malformed(VISITOR_REFUSALS.unreadableForm);
  }
}

/** Returns the content type with its parameters. */
function requireType(request: Request, types: readonly string[], message: string): string {
  const type = request.headers.get("content-type");
  if (type === null || !types.includes(type.replace(/;.*$/s, "").trim().toLowerCase()))
    throw wrongType(message);
  return type;
}

/** The request's Content-Length in bytes; 0 when it has none. */
export const announced = ({ headers }: Request): number =>
  Number(headers.get("content-length") ?? 0);

/** The body's bytes, at most `limit`, read within `seconds`. Throws 400, 408 or 413. */
export async function readBytes(
  request: Request,
  limit: number,
  seconds = BODY_SECONDS,
): Promise<Uint8Array<ArrayBuffer>> {
  if (announced(request) > limit) throw bodyTooLarge(limit);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(timeout()), seconds * 1000);
  try {
    return await collect(() => Promise.race([reader.read(), deadline.promise]), limit);
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error instanceof Refusal ? error : malformed(VISITOR_REFUSALS.brokenOff);
  } finally {
    clearTimeout(timer);
  }
}

type Piece = { done: true } | { done: false; value: Uint8Array };

async function collect(read: () => Promise<Piece>, limit: number) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let piece = await read(); !piece.done; piece = await read()) {
    size += piece.value.byteLength;
    if (size > limit) throw bodyTooLarge(limit);
    pieces.push(piece.value);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed(NOT_READABLE);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(NOT_READABLE);
  }
}

/** How deeply arrays and objects are nested in a JSON text, counted without parsing it. */
function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}

/** Throws a 400 for more than 2,000 keys, or for a key that could reach a prototype. */
function checkJsonShape(root: unknown): void {
  let keys = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    keys += names.length;
    if (keys > MAX_KEYS) throw malformed("The data has too many fields.");
    if (names.some((name) => FORBIDDEN_KEYS.has(name)))
      throw malformed("The data has a field whose name isn't allowed.");
    for (const inner of Object.values(value)) open.push(inner);
  }
}
