/** Reads one page of a list without end. */
import { callWithHeaders } from "../../api.ts";
import { withSession } from "../queries/session.ts";

/** One page and how many rows there are on all of them. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Which page; `limit` at most 1000. Empty words are left out. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly search?: string;
  readonly status?: string;
}

/** GET `path` with offset, limit, search and status. Throws CallFailed. */
export async function readPage<T>(
  path: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const asked = Object.entries(request).filter(([, value]) => value !== "" && value !== undefined);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  const { body, headers } = await withSession(() =>
    callWithHeaders<T[]>(`${path}?${query}`, signal ? { signal } : {}),
  );
  return { items: body, total: Number(headers.get("x-total-count") ?? body.length) };
}
