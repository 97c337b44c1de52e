/** Converts errors to responses: `{error, code, requestId, fields?}`, never with a stack or the submitted value. */
import type { ErrorBody } from "../../schema/core/http.ts";
import { translateRefusalMessage, getWords } from "../../web/words/allWords.ts";
import { internalError, malformed, notFound, Refusal } from "../shared/errors.ts";
import { formatError, type ReportError } from "./requestLog.ts";

/** Writes an unexpected error to standard error. */
export function reportToLog(error: unknown, requestId?: string): void {
  console.error(formatError(error, requestId));
}

interface ErrorContext {
  /** The request's id, which is also in the log line and in the response. */
  readonly id: string;
  readonly reportError: ReportError;
  /** Translates a refusal's message; undefined for a client that gets English. */
  readonly translate?: Translate | undefined;
}

type Translate = (english: string) => string;
export type GetTranslator = (request: Request) => Translate | undefined;

/**
 * Returns a function that finds a request's translator. The site's own pages send exactly the site's language as
 * Accept-Language; all other clients get English.
 */
export function createTranslatorLookup(getLanguage: () => string): GetTranslator {
  return (request) => {
    if (request.headers.get("accept-language") !== getLanguage()) return undefined;
    const translation = getWords(getLanguage());
    return (english) => translateRefusalMessage(translation, english);
  };
}

/** Creates the response to an error. An unexpected error is reported and becomes a 500 without details. */
export function createErrorResponse(
  error: unknown,
  code: string | number,
  context: ErrorContext,
): Response {
  const { status, body, details } = toRefusal(error, code, context);
  const { error: message, code: kind, ...rest } = body;
  const { translate = (english) => english } = context;
  const fields = rest.fields && {
    fields: Object.fromEntries(
      Object.entries(rest.fields).map(([name, text]) => [name, translate(text)]),
    ),
  };
  const responseBody: ErrorBody = {
    error: translate(message),
    code: kind,
    requestId: context.id,
    ...rest,
    ...fields,
  };
  return Response.json(responseBody, { status, headers: details.headers ?? {} });
}

/** Converts an error to a refusal; reports an unexpected one. `code` is Elysia's, for errors that Elysia throws. */
function toRefusal(
  error: unknown,
  code: string | number,
  { id, reportError }: ErrorContext,
): Refusal {
  if (error instanceof Refusal && error.status !== 500) return error;
  if (code === "NOT_FOUND") return notFound();
  if (code === "PARSE" || error instanceof URIError)
    return malformed("The request couldn't be read.");
  reportError(error, id);
  return internalError();
}
