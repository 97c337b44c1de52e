/** The browser's API client. It sends and receives JSON, with cookies, and turns failures into messages for people. */
import { type ErrorBody, normalizeEtag } from "../../schema/core/http.ts";
import { FRESHNESS_MS } from "../../schema/api/freshness.ts";
import type { EntityKey } from "../../schema/index.ts";

/** A refused or failed call, with the server's message. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly body: Partial<ErrorBody> = {},
    /** The response's headers, such as the current ETag; undefined without a response. */
    readonly headers?: Headers,
  ) {
    super(message);
  }
}

/** Creates the error for invalid input that isn't sent at all. `fields` has the messages by field. */
export const createRefusal = (fields: Record<string, string>) =>
  new CallError(Object.values(fields).join(" "), 400, { fields });

export interface CallOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Makes a call and returns its body; an empty body is an empty object.
 * @throws {CallError}
 */
export async function callApi<T = unknown>(path: string, options: CallOptions = {}): Promise<T> {
  return (await callWithHeaders<T>(path, options)).body;
}

/** Makes a visitor's post. Refusals are in the page's language, if there is a translation. */
export const postAsVisitor = <T = unknown>(path: string, body: unknown) =>
  callApi<T>(path, {
    method: "POST",
    body,
    headers: { "accept-language": document.documentElement.lang },
  });

/** Like `callApi`, with the response's headers (list totals, ETag). */
export async function callWithHeaders<T = unknown>(
  path: string,
  { method = "GET", body, headers = {}, signal }: CallOptions = {},
): Promise<{ body: T; headers: Headers }> {
  const response = await fetch(path, {
    method,
    // The first calls can reuse the page's preloaded responses only if both requests have the same credentials mode.
    credentials: "include",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    // JSON.stringify returns undefined if there is no body.
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw createFailure(response, text);
  return { body: (text === "" ? {} : JSON.parse(text)) as T, headers: response.headers };
}

/** Creates the error for a failed call. Its message is empty for an HTML page, which a proxy may have sent. */
function createFailure(response: Response, text: string): CallError {
  const body = parseJson(text);
  const isHtml = /^\s*</.test(text);
  const message = body["error"] ?? body["message"] ?? (isHtml ? "" : text || response.statusText);
  const { status, headers } = response;
  return new CallError(String(message), status, body as Partial<ErrorBody>, headers);
}

/** Reads an ETag from a header, without the additions of compressing proxies. */
export function readEtag(headers: Headers, name = "etag"): string | null {
  const etag = headers.get(name);
  return etag && normalizeEtag(etag);
}

/** Parses a JSON object. Returns an empty object for anything else, such as a proxy's page. */
export function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the time in milliseconds for which loaded content isn't requested again; infinite for most entities. */
export const getFreshnessMs = (key: EntityKey): number =>
  FRESHNESS_MS[key] ?? Number.POSITIVE_INFINITY;

/** Returns the HTTP status of a URL; undefined without a response, and for 5xx, which a gateway may have sent. */
export async function fetchStatus(address: string): Promise<number | undefined> {
  try {
    const { status } = await fetch(address, { method: "HEAD", cache: "no-store" });
    return status < 500 ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Reloads the page, unless the site can't be reached. */
export async function reloadIfReachable(): Promise<void> {
  if ((await fetchStatus(window.location.href)) !== undefined) window.location.reload();
}
