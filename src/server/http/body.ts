/** Reads request bodies within limits (type, size, time, depth and keys), and checks them against a schema. */
import * as v from "valibot";
import { parseUntilError } from "../../schema/core/boundedText.ts";
import { removeInvisibleIn } from "../../schema/core/invisibleCharacters.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import {
  bodyTooLarge,
  invalidInput,
  malformed,
  Refusal,
  requestTimeout,
  wrongType,
} from "../shared/errors.ts";

export const MAX_PUBLIC_JSON_BYTES = 64 * 1024;

export const MAX_DASHBOARD_JSON_BYTES = 1024 * 1024;

/** The size limit of an upload, including the multipart framing. */
export const MAX_UPLOAD_BODY_BYTES = 6 * 1024 * 1024;

const BODY_TIMEOUT_S = 15;

/** The longest time for an upload, in seconds: 6 MB at 17 KB/s. Bun closes a connection slower than 16 KB/s. */
export const UPLOAD_TIMEOUT_S = 360;

const MAX_DEPTH = 32;

/** The maximum number of values in a JSON body, or of parts in a form: many small ones take long to parse. */
const MAX_ITEMS = 2000;

/** The maximum number of bytes in the headers of all parts of a form. */
const MAX_PART_HEADERS_BYTES = 64 * 1024;

const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Reads a JSON body of at most `limit` bytes, without normalizing its texts. Throws 400, 408, 413 or 415. An owner's
 * route calls this after the guard, so that strangers can't make the server read a large body.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  requireContentType(request, ["application/json"], "Send this as JSON (application/json).");
  const bytes = await readBytes(request, limit);
  assertJsonShape(bytes);
  const value = parseJson(bytes);
  assertKeys(value);
  return value;
}

/**
 * Reads a JSON body, removes invisible characters from its texts, and checks it against a schema. Throws a 422 with the
 * messages by field name (`wholeBodyField` for the body itself), and the errors of `readJson`.
 */
export async function readCheckedJson<S extends v.GenericSchema>(
  schema: S,
  request: Request,
  wholeBodyField: string,
): Promise<v.InferOutput<S>> {
  const outcome = parseUntilError(
    schema,
    removeInvisibleIn(await readJson(request, MAX_DASHBOARD_JSON_BYTES)) ?? {},
  );
  if (outcome.success) return outcome.output;
  const fields: Record<string, string> = {};
  for (const { path, message } of outcome.issues)
    fields[getIssueFieldName(path?.map(({ key }) => key)) ?? wholeBodyField] ??= message;
  throw invalidInput(outcome.issues[0].message, fields);
}

/** Returns the field name of an issue. An issue in a list item has the name of the list and the index: "at.2". */
function getIssueFieldName(path: readonly unknown[] = []): string | undefined {
  const [last, list] = path.toReversed();
  if (last === undefined) return undefined;
  return typeof last === "number" ? `${String(list)}.${last}` : String(last);
}

/** The unchecked fields of a body, by name. */
export type BodyFields = Readonly<Record<string, unknown>>;

const isBodyFields = (value: unknown): value is BodyFields =>
  typeof value === "object" && value !== null;

export const isObject = (value: unknown): value is BodyFields =>
  isBodyFields(value) && !Array.isArray(value);

/** Returns the unchecked fields of a JSON value; none for a text or a number. */
export const toFields = (value: unknown): BodyFields => (isBodyFields(value) ? value : {});

/** Reads the unchecked fields of a short JSON body, without invisible characters. Throws the errors of `readJson`. */
export async function readFields(request: Request): Promise<BodyFields> {
  return toFields(removeInvisibleIn(await readJson(request, MAX_PUBLIC_JSON_BYTES)));
}

export const FORM_MEDIA_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

interface FormOptions {
  readonly mediaTypes?: readonly string[];
  readonly timeoutS?: number;
}

/** Reads the fields and files of a form body of at most `limit` bytes. Throws 400, 408, 413 or 415. */
export async function readForm(
  request: Request,
  limit: number,
  { mediaTypes = ["multipart/form-data"], timeoutS = BODY_TIMEOUT_S }: FormOptions = {},
): Promise<FormData> {
  const type = requireContentType(
    request,
    mediaTypes,
    `Send this as a form (${mediaTypes.join(" or ")}).`,
  );
  const bytes = Buffer.from((await readBytes(request, limit, timeoutS)).buffer);
  const boundary = findBoundary(type);
  assertFormShape(bytes, boundary);
  // The parser gets the boundary that was used for counting, so that it splits the body in the same places.
  const contentType = boundary === undefined ? type : `multipart/form-data; boundary="${boundary}"`;
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw malformed(VISITOR_REFUSALS.unreadableForm);
  }
}

/** Returns the request's Content-Type. Throws a 415 if its media type isn't one of `mediaTypes`. */
function requireContentType(
  request: Request,
  mediaTypes: readonly string[],
  message: string,
): string {
  const type = request.headers.get("content-type");
  if (type === null || !mediaTypes.includes(type.replace(/;.*$/s, "").trim().toLowerCase()))
    throw wrongType(message);
  return type;
}

export const readContentLength = ({ headers }: Request): number =>
  Number(headers.get("content-length") ?? 0);

/** Returns the body's bytes. Throws 400, 408 or 413. */
export async function readBytes(
  request: Request,
  limit: number,
  timeoutS = BODY_TIMEOUT_S,
): Promise<Uint8Array<ArrayBuffer>> {
  if (readContentLength(request) > limit) throw bodyTooLarge(limit);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(requestTimeout()), timeoutS * 1000);
  try {
    return await collectBytes(() => Promise.race([reader.read(), deadline.promise]), limit);
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error instanceof Refusal ? error : malformed(VISITOR_REFUSALS.connectionLost);
  } finally {
    clearTimeout(timer);
  }
}

type BodyChunk = { done: true } | { done: false; value: Uint8Array };

async function collectBytes(readChunk: () => Promise<BodyChunk>, limit: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await readChunk(); !chunk.done; chunk = await readChunk()) {
    size += chunk.value.byteLength;
    if (size > limit) throw bodyTooLarge(limit);
    chunks.push(chunk.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformed("The request couldn't be read. Send valid JSON.");
  }
}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from("{[}]");

/**
 * Throws a 400 for JSON with too many or too deeply nested values. The values are counted without parsing, since
 * parsing thousands of empty arrays takes twenty times as long as parsing one text of the same length.
 */
export function assertJsonShape(json: Uint8Array): void {
  let depth = 0;
  let itemCount = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) itemCount++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      itemCount++;
      if (++depth > MAX_DEPTH) throw malformed("The data is nested too deeply.");
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (itemCount > MAX_ITEMS) throw malformed(TOO_MANY_FIELDS_MESSAGE);
  }
}

const TOO_MANY_FIELDS_MESSAGE = "The data has too many fields.";

/** Throws a 400 for a key with which code could change an object's prototype. */
function assertKeys(root: unknown): void {
  const unvisited: unknown[] = [root];
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && Object.keys(value).some((name) => FORBIDDEN_KEYS.has(name)))
      throw malformed("The data has a field whose name isn't allowed.");
    for (const child of Object.values(value)) unvisited.push(child);
  }
}

/** Throws a 400 for a form with too many fields or parts, or too long headers, without parsing it. */
function assertFormShape(form: Buffer, boundary: string | undefined): void {
  // Bun splits a form at `--boundary` and a line break only, wherever it is in a line.
  const separator = boundary === undefined ? "&" : `--${boundary}\r\n`;
  let itemCount = 0;
  let headerBytes = 0;
  for (
    let offset = form.indexOf(separator);
    offset !== -1;
    offset = form.indexOf(separator, offset)
  ) {
    offset += separator.length;
    if (boundary !== undefined) {
      // The line break of the boundary is also the first of the two that end empty headers.
      const end = form.indexOf("\r\n\r\n", offset - 2);
      headerBytes += (end === -1 ? form.length : end) - offset;
      // The search continues after the part's headers: a boundary inside them doesn't start a part.
      offset = end === -1 ? form.length : end;
    }
    if (++itemCount > MAX_ITEMS || headerBytes > MAX_PART_HEADERS_BYTES)
      throw malformed(TOO_MANY_FIELDS_MESSAGE);
  }
}

const MAX_CONTENT_TYPE_LENGTH = 300;

/** Returns the boundary between a form's parts; undefined for a form without parts. */
function findBoundary(type: string): string | undefined {
  const [, quoted, plain] = BOUNDARY_PATTERN.exec(type.slice(0, MAX_CONTENT_TYPE_LENGTH)) ?? [];
  return quoted ?? plain;
}

/** Matches the boundary parameter of a Content-Type (RFC 2046, section 5.1.1). */
const BOUNDARY_PATTERN = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
