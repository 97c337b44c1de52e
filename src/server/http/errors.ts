/** The one place where errors become responses: `{error, code, fields?}`, never a stack or a value. */
import type { ElysiaCustomStatusResponse } from "elysia";
import type { ErrorBody, ErrorCode } from "../../schema/core/errors.ts";
import { refusalIn, wordsFor } from "../../web/words/all.ts";
import { internal, malformed, notFound, Refusal } from "../shared/errors.ts";
import { faultLine, type ReportFault } from "./requestLog.ts";

/** Writes an unexpected error to standard error, where the system's log picks it up. */
export function reportToLog(error: unknown, requestId?: string): void {
  console.error(faultLine(error, requestId));
}

interface ErrorContext {
  /** The request's id: its log line begins with it, and the response carries it. */
  readonly id: string;
  readonly report: ReportFault;
  /** Translates a refusal for the client. Default: English. */
  readonly say?: Say | undefined;
}

type Say = (english: string) => string;
export type TranslatorFor = (request: Request) => Say | undefined;

/**
 * Translates refusals into the site's `language` for its own pages, which request exactly that language. Any other
 * client gets English, whatever it prefers.
 */
export function translatorFor(language: () => string): TranslatorFor {
  return (request) => {
    if (request.headers.get("accept-language") !== language()) return undefined;
    const translation = wordsFor(language());
    return (english) => refusalIn(translation, english);
  };
}

/** The response to an error. An unexpected one is reported and becomes a 500 without details. */
export function responseTo(error: unknown, code: string | number, context: ErrorContext): Response {
  const { status, body, details } = refusalOf(error, code) ?? fault(error, context);
  const { error: message, code: kind, ...more } = body;
  const { say = (english) => english } = context;
  const fields = more.fields && {
    fields: Object.fromEntries(
      Object.entries(more.fields).map(([name, text]) => [name, say(text)]),
    ),
  };
  const reply: ErrorBody = {
    error: say(message),
    code: kind,
    requestId: context.id,
    ...more,
    ...fields,
  };
  return Response.json(reply, { status, headers: details.headers ?? {} });
}

/** `code` is Elysia's own, for errors that Elysia throws. */
function refusalOf(error: unknown, code: string | number): Refusal | undefined {
  if (error instanceof Refusal) return error.status === 500 ? undefined : error;
  if (typeof code === "number") return ofStatus((error as StatusAnswer).code ?? code);
  if (code === "NOT_FOUND") return notFound();
  if (code === "PARSE" || error instanceof URIError)
    return malformed("The request couldn't be read.");
  return undefined;
}

function fault(error: unknown, { id, report }: ErrorContext): Refusal {
  report(error, id);
  return internal();
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
  return new Refusal(CODES[status] ?? "malformed", "The request was refused.");
}
