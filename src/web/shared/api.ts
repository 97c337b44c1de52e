/** The browser's way to the server's routes: JSON both ways, cookies sent, failures as messages for people. */
import type { ErrorBody } from "../../schema/errors.ts";
import { FRESH_FOR } from "../../schema/freshness.ts";
import type { EntityKey } from "../../schema/index.ts";

/** A refused or failed call: its message is the server's. */
export class CallFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly body: Partial<ErrorBody> = {},
    /** Of the response, where there was one: the ETag of what is stored now, say. */
    readonly headers?: Headers,
  ) {
    super(message);
  }
}

/** What the server would refuse, said before it is asked: words by field. */
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

/** A visitor's post, refused in the language of the page, if the site has words in it. */
export const callInWords = (path: string, body: unknown) =>
  call(path, {
    method: "POST",
    body,
    headers: { "accept-language": document.documentElement.lang },
  });

/** As `call`, with the response's headers (totals of lists, ETag). */
export async function callWithHeaders<T = unknown>(
  path: string,
  { method = "GET", body, headers = {}, signal }: CallOptions = {},
): Promise<{ body: T; headers: Headers }> {
  const response = await fetch(path, {
    method,
    // As the pages' preloads are asked for, whose answers are taken for the first calls.
    credentials: "include",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    // Undefined for none.
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw failure(response, text);
  return { body: (text === "" ? {} : JSON.parse(text)) as T, headers: response.headers };
}

function failure(response: Response, text: string): CallFailed {
  const body = parsed(text);
  const words = body["error"] ?? body["message"] ?? (text || response.statusText);
  const { status, headers } = response;
  return new CallFailed(String(words), status, body as Partial<ErrorBody>, headers);
}

/** The ETag in a header, told apart by what it names alone: proxies that compress put `W/` before it. */
export function etagIn(headers: Headers, name = "etag"): string | null {
  return headers.get(name)?.replace(/^W\//, "") ?? null;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** How long what was read stays fresh, in milliseconds; most never goes stale. */
export const freshFor = (key: EntityKey): number => FRESH_FOR[key] ?? Number.POSITIVE_INFINITY;
