/** The one place where failures become answers: `{error, code, fields?}`, never a stack or a value. */
import { type ElysiaCustomStatusResponse, ValidationError } from "elysia";
import { getDotPath, safeParse, type GenericSchema } from "valibot";
import type { ErrorBody, ErrorCode } from "../../schema/errors.ts";
import { Refusal, cannotStore, conflict, invalid, malformed, notFound } from "./refusal.ts";

/** Told of failures that are the program's own fault. */
export type ReportFault = (error: unknown) => void;

/** Writes a failure of the program's own to standard error, where the system's log finds it. */
export function reportToLog(error: unknown): void {
  console.error(error instanceof Error ? (error.stack ?? error.message) : "An unknown failure.");
}

/** The answer to a failure; unknown ones are reported and answered with a 500 that says nothing. */
export function answerTo(error: unknown, code: string | number, report: ReportFault): Response {
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
