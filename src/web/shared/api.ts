/** The browser's API client: JSON both ways, with cookies, and failures as messages for people. */
import type { ErrorBody } from "../../schema/core/errors.ts";
import { FRESH_FOR } from "../../schema/api/freshness.ts";
import type { EntityKey } from "../../schema/index.ts";

/** A refused or failed call, with the server's message. */
export class CallFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly body: Partial<ErrorBody> = {},
    /** The response's headers, if there was one, for example the current ETag. */
    readonly headers?: Headers,
  ) {
    super(message);
  }
}

/** A client-side refusal: messages by field. */
export const refusal = (fields: Record<string, string>) =>
  new CallFailed(Object.values(fields).join(" "), 400, { fields });

export interface CallOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Makes a call and returns its body; an empty body is an empty object.
 * @throws {CallFailed}
 */
export async function call<T = unknown>(path: string, options: CallOptions = {}): Promise<T> {
  return (await callWithHeaders<T>(path, options)).body;
}

/** A visitor's post: its refusals are in the page's language, if there is a translation. */
export const postAsVisitor = <T = unknown>(path: string, body: unknown) =>
  call<T>(path, {
    method: "POST",
    body,
    headers: { "accept-language": document.documentElement.lang },
  });

/** Like `call`, with the response's headers (list totals, ETag). */
export async function callWithHeaders<T = unknown>(
  path: string,
  { method = "GET", body, headers = {}, signal }: CallOptions = {},
): Promise<{ body: T; headers: Headers }> {
  const response = await fetch(path, {
    method,
    // The same as for the pages' preloads, whose responses the first calls reuse.
    credentials: "include",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    // Undefined without a body.
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw failure(response, text);
  return { body: (text === "" ? {} : JSON.parse(text)) as T, headers: response.headers };
}

function failure(response: Response, text: string): CallFailed {
  const body = parseJson(text);
  const message = body["error"] ?? body["message"] ?? (text || response.statusText);
  const { status, headers } = response;
  return new CallFailed(String(message), status, body as Partial<ErrorBody>, headers);
}

/** The ETag in a header, without the `W/` that compressing proxies add. */
export function etagIn(headers: Headers, name = "etag"): string | null {
  return headers.get(name)?.replace(/^W\//, "") ?? null;
}

/** A JSON object; empty for anything else, such as a proxy's page. */
export function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The time for which content is fresh, in milliseconds; most never goes stale. */
export const freshFor = (key: EntityKey): number => FRESH_FOR[key] ?? Number.POSITIVE_INFINITY;
