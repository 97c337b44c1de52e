/** Lists without end, a page at a time: submissions and subscriptions. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import { callWithHeaders } from "../../shared/api.ts";
import { withSession } from "./client.ts";

export interface Pages<T> {
  /** Missing until the first page is there. */
  readonly value: readonly T[] | undefined;
  /** How many rows match, on all pages together. */
  readonly total: number;
  /** The failed read, if nothing older is there. */
  readonly error: Error | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly reload: () => Promise<unknown>;
  readonly more: () => Promise<{ readonly error: Error | null }>;
}

/** Which rows of a list: words they hold, the state they are in; empty for all. */
interface Filters {
  readonly search?: string;
  readonly status?: string;
  readonly kind?: string | undefined;
}

/** Reads the list at `path`, newest first; it is read again after a write to `key`. */
export function usePages<T>(key: EntityKey, path: string, filters: Filters = {}): Pages<T> {
  const { search = "", status = "", kind = "" } = filters;
  const query = useInfiniteQuery({
    queryKey: [key, "pages", path, search, status, kind],
    queryFn: ({ pageParam }) =>
      readPage<T>(path, { offset: pageParam, limit: PAGE_SIZE, search, status, kind }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0);
      return last.items.length > 0 && read < last.total ? read : undefined;
    },
    placeholderData: keepPreviousData,
  });
  return {
    value: query.data?.pages.flatMap(({ items }) => items),
    total: query.data?.pages.at(-1)?.total ?? 0,
    error: query.data ? null : query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    reload: () => query.refetch(),
    more: () => query.fetchNextPage(),
  };
}

const PAGE_SIZE = 20;

/** One page and how many rows there are on all of them. */
interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Which page; `limit` at most 1000. Empty words are left out. */
interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly search?: string;
  readonly status?: string;
  readonly kind?: string;
}

/** GET `path` with offset, limit and status; with a search POST, which keeps names out of addresses. Throws CallFailed. */
export async function readPage<T>(
  path: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const asked = Object.entries(request).filter(([, value]) => value !== "" && value !== undefined);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  const options = signal ? { signal } : {};
  const { body, headers } = await withSession(() =>
    request.search
      ? callWithHeaders<T[]>(`${path}/search`, { ...options, method: "POST", body: request })
      : callWithHeaders<T[]>(`${path}?${query}`, options),
  );
  return { items: body, total: Number(headers.get("x-total-count") ?? body.length) };
}
