/** Turns errors into responses: `{error, code, fields?}`, never with a stack or a value. */
import type { ElysiaCustomStatusResponse } from "elysia";
import type { ErrorBody, ErrorCode } from "../../schema/core/http.ts";
import { translateRefusalMessage, getWords } from "../../web/words/all.ts";
import { internalError, malformed, notFound, Refusal } from "../shared/errors.ts";
import { formatFault, type ReportFault } from "./requestLog.ts";

/** Writes an unexpected error to standard error, where the system's log picks it up. */
export function reportToLog(error: unknown, requestId?: string): void {
  console.error(formatFault(error, requestId));
}

interface ErrorContext {
  /** The id of the request, which its log line and its response carry. */
  readonly id: string;
  readonly report: ReportFault;
  /** Translates a refusal for the client. Default: English. */
  readonly translate?: Translate | undefined;
}

type Translate = (english: string) => string;
export type TranslatorFor = (request: Request) => Translate | undefined;

/**
 * Translates refusals into the site's `language` for its own pages, which request exactly that language. Any other
 * client gets English, whatever it prefers.
 */
export function createTranslatorFor(language: () => string): TranslatorFor {
  return (request) => {
    if (request.headers.get("accept-language") !== language()) return undefined;
    const translation = getWords(language());
    return (english) => translateRefusalMessage(translation, english);
  };
}

/** Creates the response to an error. An unexpected error is reported and becomes a 500 without details. */
export function createErrorResponse(
  error: unknown,
  code: string | number,
  context: ErrorContext,
): Response {
  const { status, body, details } = toRefusal(error, code) ?? reportAsRefusal(error, context);
  const { error: message, code: kind, ...more } = body;
  const { translate = (english) => english } = context;
  const fields = more.fields && {
    fields: Object.fromEntries(
      Object.entries(more.fields).map(([name, text]) => [name, translate(text)]),
    ),
  };
  const reply: ErrorBody = {
    error: translate(message),
    code: kind,
    requestId: context.id,
    ...more,
    ...fields,
  };
  return Response.json(reply, { status, headers: details.headers ?? {} });
}

/** Returns the refusal for an error, if it is an expected one. `code` is Elysia's, for errors that Elysia throws. */
function toRefusal(error: unknown, code: string | number): Refusal | undefined {
  if (error instanceof Refusal) return error.status === 500 ? undefined : error;
  if (typeof code === "number") return refusalForStatus((error as StatusResponse).code ?? code);
  if (code === "NOT_FOUND") return notFound();
  if (code === "PARSE" || error instanceof URIError)
    return malformed("The request couldn't be read.");
  return undefined;
}

function reportAsRefusal(error: unknown, { id, report }: ErrorContext): Refusal {
  report(error, id);
  return internalError();
}

type StatusResponse = ElysiaCustomStatusResponse<number>;

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "no_session",
  403: "foreign_origin",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  415: "wrong_type",
  422: "invalid",
};

function refusalForStatus(status: number): Refusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  return new Refusal(CODES_BY_STATUS[status] ?? "malformed", "The request was refused.");
}
