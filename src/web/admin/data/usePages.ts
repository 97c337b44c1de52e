/** Lists without end, a page at a time: submissions and subscriptions. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import { api } from "./client.ts";

export interface Pages<T> {
  /** Missing until the first page is there. */
  readonly value: readonly T[] | undefined;
  /** How many rows match, on all pages together; missing while so many are counted. */
  readonly total: number | undefined;
  /** The failed read, if nothing older is there. */
  readonly error: Error | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  /** The next page couldn't be read. */
  readonly hasFailed: boolean;
  readonly reload: () => Promise<unknown>;
  readonly more: () => Promise<{ readonly error: Error | null }>;
}

/** Which rows of a list: words they hold, the state they are in; empty for all. Of an empty stage are those of the inbox. */
interface Filters {
  readonly search?: string;
  readonly status?: string;
  readonly stage?: string | undefined;
  readonly kind?: string | undefined;
}

/** Reads the list at `path`, newest first; it is read again after a write to `key`. */
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
  // What many rows hold is shown before all of them are counted.
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

/** One page and how many rows there are on all of them, if that was said. */
interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

/** Which page; `limit` at most 1000. Empty words are left out, but for a stage. */
interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly search?: string;
  readonly status?: string;
  readonly kind?: string;
  readonly stage?: string | undefined;
  /** False: the total may be missing where counting takes longer than finding the page. */
  readonly count?: false;
}

/** GET `path` with offset, limit and status; with a search POST, which keeps names out of addresses. Throws CallFailed. */
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
