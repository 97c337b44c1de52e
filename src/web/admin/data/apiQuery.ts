/** Queries of API paths that don't belong to an entity, such as the mail settings. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { api, queryClient } from "./client.ts";

interface ApiQueryOptions<T> {
  /** The polling interval in milliseconds, or false for no polling. */
  readonly pollIntervalMs?: (value: T) => number | false;
  /** True: the value stays cached until a write refetches it. Default: each screen reads it again. */
  readonly isCached?: boolean;
  readonly read?: (path: string) => Promise<T>;
  readonly key?: QueryKey;
}

type ApiQuery<T> = ReturnType<typeof createApiQuery<T>>;

/** Creates a query: `const { value, error, reload } = useApiQuery(createApiQuery<Mail>("/api/mail"))`. */
export function createApiQuery<T>(path: string, options: ApiQueryOptions<T> = {}) {
  const { pollIntervalMs, isCached = false, read = api.get<T>, key = toQueryKey(path) } = options;
  return queryOptions({
    queryKey: key,
    queryFn: () => read(path),
    staleTime: isCached ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state: { data } }) =>
      (data !== undefined && pollIntervalMs?.(data)) || false,
  });
}

/** Returns the state that `AsyncContent` expects. `error` is null while an older value is cached. */
export function useApiQuery<T>(query: ApiQuery<T>, { enabled = true } = {}) {
  const { data: value, error, refetch, isFetching } = useQuery({ ...query, enabled });
  return {
    value,
    error: value === undefined ? error : null,
    isFetching,
    reload: () => void refetch(),
  };
}

/** Refetches the cached values of `paths` and of all paths below them. */
export async function refetchPaths(...paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map((path) => queryClient.invalidateQueries({ queryKey: toQueryKey(path) })),
  );
}

export function setCachedValue<T>(query: ApiQuery<T>, value: T): void {
  queryClient.setQueryData(query.queryKey, value);
}

/** Converts a path to a query key: "/api/mail/domain" is ["mail", "domain"]. */
const toQueryKey = (path: string): QueryKey => path.split("/").slice(2);
