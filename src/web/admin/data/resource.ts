/** Reads server paths that aren't an entity's, such as the mail settings. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { api, queryClient } from "./client.ts";

interface ResourceOptions<T> {
  /** Returns the polling interval in milliseconds, for example while a message waits. False for no polling. */
  readonly pollIntervalMs?: (value: T) => number | false;
  /** True: cached until a write refetches it. Default: read each time that a screen shows it. */
  readonly isCached?: boolean;
  /** Replaces the request, for example to combine several. */
  readonly read?: (path: string) => Promise<T>;
  readonly key?: QueryKey;
}

type Resource<T> = ReturnType<typeof createResource<T>>;

/** `const mail = createResource<MailState>("/api/mail"); const { value, error, reload } = useResource(mail);` */
export function createResource<T>(path: string, options: ResourceOptions<T> = {}) {
  const { pollIntervalMs, isCached = false, read = api.get<T>, key = toQueryKey(path) } = options;
  return queryOptions({
    queryKey: key,
    queryFn: () => read(path),
    staleTime: isCached ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state: { data } }) =>
      (data !== undefined && pollIntervalMs?.(data)) || false,
  });
}

/** Reads a resource for `AsyncContent`. The error is set only if no older value is cached. */
export function useResource<T>(resource: Resource<T>, { enabled = true } = {}) {
  const { data: value, error, refetch, isFetching } = useQuery({ ...resource, enabled });
  return {
    value,
    error: value === undefined ? error : null,
    isReading: isFetching,
    reload: () => void refetch(),
  };
}

/** Refetches these paths and those below them. */
export async function refetchPaths(...paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map((path) => queryClient.invalidateQueries({ queryKey: toQueryKey(path) })),
  );
}

export function setCachedValue<T>(resource: Resource<T>, value: T): void {
  queryClient.setQueryData(resource.queryKey, value);
}

/** Converts a path to a query key: "/api/mail/domain" is ["mail", "domain"]. */
const toQueryKey = (path: string): QueryKey => path.split("/").slice(2);
