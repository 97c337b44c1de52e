/** The one place where failures become answers: `{error, code, fields?}`, never a stack or a value. */
import { type ElysiaCustomStatusResponse, ValidationError } from "elysia";
import { type GenericSchema, getDotPath, safeParse } from "valibot";
import type { ErrorBody, ErrorCode } from "../../schema/errors.ts";

// Every way to refuse a request: a status, a stable code and words for a person.

/** Thrown by any handler; `http/errors.ts` turns it into the answer. Nothing changed when it is thrown. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.error);
  }
}

const refusal = (status: number, code: ErrorCode, error: string, more: Partial<ErrorBody> = {}) =>
  new Refusal(status, { error, code, ...more });

/** 400: the request can't be read. */
export const malformed = (words: string) => refusal(400, "malformed", words);

/** 401: an owner's call without a session. */
export const noSession = () => refusal(401, "no_session", "Please log in to do this.");

/** 401: username, e-mail or password don't fit; says the same for each (security.md). */
export const wrongCredentials = () =>
  refusal(401, "wrong_credentials", "The username or password is not right.");

/** 403: a write that another site's page tried to make. */
export const foreignOrigin = () =>
  refusal(403, "foreign_origin", "This can only be done from the site's own pages.");

/** 404 */
export const notFound = (words = "There is nothing at this address.") =>
  refusal(404, "not_found", words);

/** 409: what is sent does not go with what is stored. */
export const conflict = (words: string) => refusal(409, "conflict", words);

/** 412: someone else saved meanwhile; carries what is stored now. */
export const changedElsewhere = (current: unknown) =>
  refusal(412, "changed_elsewhere", "This was changed elsewhere meanwhile.", { current });

/** 413: the body or a file is too large. */
export const tooLarge = (words: string) => refusal(413, "too_large", words);

/** 415: a body of a type the call doesn't take. */
export const wrongType = (words: string) => refusal(415, "wrong_type", words);

/** 421: a Host that is not this site's. */
export const wrongHost = () =>
  refusal(421, "wrong_host", "This address is not the site's own. Use the site's public address.");

/** 422: what was typed is not right; words by field. */
export const invalid = (words: string, fields?: Readonly<Record<string, string>>) =>
  refusal(422, "invalid", words, fields ? { fields } : {});

/** 429: too many tries; `seconds` until the next one is taken. */
export const tooManyRequests = (words: string, seconds: number) =>
  new Refusal(
    429,
    { error: words, code: "too_many_requests" },
    { "retry-after": String(Math.max(1, Math.ceil(seconds))) },
  );

/** 503: the disk did not take it; nothing changed. */
export const cannotStore = () =>
  refusal(
    503,
    "cannot_store",
    "This could not be saved just now. Nothing was changed. Try again soon.",
  );

/** Told of failures that are the program's own fault. */
export type ReportFault = (error: unknown) => void;

/** Writes a failure of the program's own to standard error, where the system's log finds it. */
export function reportToLog(error: unknown): void {
  console.error(error instanceof Error ? (error.stack ?? error.message) : "An unknown failure.");
}

/** The answer to a failure; unknown ones are reported and answered with a 500 that says nothing. */
export function responseTo(error: unknown, code: string | number, report: ReportFault): Response {
  const { status, body, headers } = refusalOf(error, code) ?? fault(error, report);
  return Response.json(body, { status, headers });
}

function refusalOf(error: unknown, code: string | number): Refusal | undefined {
  if (error instanceof Refusal) return error;
  return ofStorage(error) ?? ofElysia(error, code);
}

/** Storage failures are known by their code, so that any engine's will do. */
function ofStorage(error: unknown): Refusal | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "storage_unavailable") return cannotStore();
  if (code === "conflict") return conflict("This is already stored. Load it again.");
  return undefined;
}

function ofElysia(error: unknown, code: string | number): Refusal | undefined {
  if (typeof code === "number") return ofStatus((error as StatusAnswer).code ?? code);
  if (code === "NOT_FOUND") return notFound();
  if (code === "PARSE" || code === "INVALID_COOKIE_SIGNATURE" || error instanceof URIError)
    return malformed("The request could not be read.");
  if (code === "VALIDATION" || code === "INVALID_FILE_TYPE")
    return invalid("Something in the request is not right.", wrongFields(error));
  return undefined;
}

type StatusAnswer = ElysiaCustomStatusResponse<number>;

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: "no_session",
  403: "foreign_origin",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  415: "wrong_type",
  422: "invalid",
};

function ofStatus(status: number): Refusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  const body: ErrorBody = {
    error: "The request was refused.",
    code: CODES[status] ?? "malformed",
  };
  return new Refusal(status, body);
}

/** The names and words of wrong fields, without what was sent in them. */
function wrongFields(error: unknown): Record<string, string> | undefined {
  const schema = error instanceof ValidationError && (error.validator as { schema?: unknown });
  if (!schema || typeof schema.schema !== "object" || !("~standard" in schema.schema!))
    return undefined;
  const { issues = [] } = safeParse(schema.schema as GenericSchema, error.value);
  return Object.fromEntries(issues.map((issue) => [getDotPath(issue) ?? "", issue.message]));
}

function fault(error: unknown, report: ReportFault): Refusal {
  report(error);
  const words = "Something went wrong on the server. Try again; the log says what happened.";
  return new Refusal(500, { error: words, code: "internal" });
}
