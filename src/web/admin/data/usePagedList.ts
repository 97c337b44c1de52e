/** Reads long lists page by page, such as submissions. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import type { LoadState } from "../../ui/AsyncContent.tsx";
import { api } from "./client.ts";

export interface PagedList<T> extends LoadState<readonly T[]> {
  /** The number of matching rows on all pages. */
  readonly total: number | undefined;
  readonly isFetching: boolean;
  readonly hasMore: boolean;
  /** Whether the next page failed to load. */
  readonly hasFailed: boolean;
  readonly loadMore: () => Promise<{ readonly error: Error | null }>;
}

/** An empty string matches everything, but an empty `stage` matches only the inbox. */
interface ListFilters {
  readonly search?: string;
  readonly status?: string;
  readonly stage?: string | undefined;
  readonly kind?: string | undefined;
}

/** Reads a list page by page, newest first. Without `isCached`, reads it again each time it is shown. */
export function usePagedList<T>(
  key: EntityKey,
  path: string,
  filters: ListFilters = {},
  { isCached = true } = {},
): PagedList<T> {
  const { search = "", status = "", kind = "", stage } = filters;
  const query = useInfiniteQuery({
    queryKey: [key, "pages", path, search, status, kind, stage],
    queryFn: ({ pageParam }) =>
      readPage<T>(path, { offset: pageParam, limit: PAGE_SIZE, search, status, kind, stage }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const readCount = pages.reduce((sum, { items }) => sum + items.length, 0);
      return last.items.length > 0 && readCount < last.total ? readCount : undefined;
    },
    staleTime: isCached ? Number.POSITIVE_INFINITY : 0,
    // The old results are shown until those for new filters are loaded.
    placeholderData: keepPreviousData,
  });
  return {
    value: query.data?.pages.flatMap(({ items }) => items),
    total: query.data?.pages.at(-1)?.total,
    error: query.data ? null : query.error,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    hasFailed: query.isFetchNextPageError,
    reload: () => void query.refetch(),
    loadMore: () => query.fetchNextPage(),
  };
}

const PAGE_SIZE = 20;

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** `limit` is at most 1000. Empty filters aren't sent, except `stage`. */
interface PageRequest extends ListFilters {
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page. A search is sent by POST, so that names don't appear in URLs and logs. Throws CallError. */
export async function readPage<T>(
  path: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const params = Object.entries(request).filter(
    ([name, value]) => value !== undefined && (value !== "" || name === "stage"),
  );
  const searchParams = new URLSearchParams(params.map(([name, value]) => [name, String(value)]));
  const options = signal ? { signal } : {};
  const { body, headers } = await (request.search
    ? api.call<T[]>(`${path}/search`, { ...options, method: "POST", body: request })
    : api.call<T[]>(`${path}?${searchParams}`, options));
  return { items: body, total: Number(headers.get("x-total-count")) };
}
