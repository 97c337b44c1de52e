/** Paged lists without an end: submissions and subscriptions. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import { api } from "./client.ts";

export interface Pages<T> {
  /** Undefined until the first page is loaded. */
  readonly value: readonly T[] | undefined;
  /** How many rows match on all pages; undefined while a large number is counted. */
  readonly total: number | undefined;
  /** The failed read, if there is no older value. */
  readonly error: Error | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  /** The next page failed to load. */
  readonly hasFailed: boolean;
  readonly reload: () => Promise<unknown>;
  readonly more: () => Promise<{ readonly error: Error | null }>;
}

/** A list's filters: search text and state; empty for all. An empty stage means the inbox. */
interface Filters {
  readonly search?: string;
  readonly status?: string;
  readonly stage?: string | undefined;
  readonly kind?: string | undefined;
}

/** Reads the list at `path`, newest first; a write to `key` reads it again. */
export function usePages<T>(key: EntityKey, path: string, filters: Filters = {}): Pages<T> {
  const { search = "", status = "", kind = "", stage } = filters;
  const query = useInfiniteQuery({
    queryKey: [key, "pages", path, search, status, kind, stage],
    queryFn: ({ pageParam }) =>
      readPage<T>(path, {
        offset: pageParam,
        limit: PAGE_SIZE,
        search,
        status,
        kind,
        stage,
        ...(search && { count: false }),
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0);
      const isMore = last.total === undefined ? last.items.length === PAGE_SIZE : read < last.total;
      return last.items.length > 0 && isMore ? read : undefined;
    },
    placeholderData: keepPreviousData,
  });
  const last = query.data?.pages.at(-1);
  // Long lists are shown before they are counted.
  const counted = useQuery({
    queryKey: [key, "counted", path, search, status, kind, stage],
    queryFn: () => readPage<T>(path, { offset: 0, limit: 1, search, status, kind, stage }),
    enabled: last !== undefined && last.total === undefined && !query.isPlaceholderData,
  });
  return {
    value: query.data?.pages.flatMap(({ items }) => items),
    total: last?.total ?? (last && counted.data?.total),
    error: query.data ? null : query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    hasFailed: query.isFetchNextPageError,
    reload: () => query.refetch(),
    more: () => query.fetchNextPage(),
  };
}

const PAGE_SIZE = 20;

/** One page, and the total if the server sent it. */
interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

/** The page; `limit` at most 1000. Empty filters are left out, except the stage. */
interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly search?: string;
  readonly status?: string;
  readonly kind?: string;
  readonly stage?: string | undefined;
  /** False: the total may be missing if counting takes longer than finding the page. */
  readonly count?: false;
}

/** GET `path` with offset, limit and status; POST with a search, to keep names out of URLs. Throws CallFailed. */
export async function readPage<T>(
  path: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const asked = Object.entries(request).filter(
    ([name, value]) => value !== undefined && (value !== "" || name === "stage"),
  );
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  const options = signal ? { signal } : {};
  const { body, headers } = await (request.search
    ? api.call<T[]>(`${path}/search`, { ...options, method: "POST", body: request })
    : api.call<T[]>(`${path}?${query}`, options));
  const total = headers.get("x-total-count");
  return { items: body, total: total === null ? undefined : Number(total) };
}
