/** Reads server paths that aren't an entity's: the state of the mail, the people. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { api, queryClient } from "./client.ts";

interface ResourceOptions<T> {
  /** After how many milliseconds it is read again, for example while a message waits; false for never. */
  readonly every?: (value: T) => number | false;
  /** True: cached until a write reads it again. Default: read whenever a screen shows it anew. */
  readonly isCached?: boolean;
  /** Reads more than the path's body. */
  readonly read?: (path: string) => Promise<T>;
  readonly key?: QueryKey;
}

type Resource<T> = ReturnType<typeof createResource<T>>;

/** `const mail = resource<MailState>("/api/mail"); const { value, error, reload } = useResource(mail);` */
export function createResource<T>(path: string, options: ResourceOptions<T> = {}) {
  const { every, isCached: stays = false, read = api.get<T>, key = toQueryKey(path) } = options;
  return queryOptions({
    queryKey: key,
    queryFn: () => read(path),
    staleTime: stays ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state: { data } }) => (data !== undefined && every?.(data)) || false,
  });
}

/** The value, as `Read` shows it; an error only if there is no older value. */
export function useResource<T>(of: Resource<T>, { enabled = true } = {}) {
  const { data: value, error, refetch, isFetching } = useQuery({ ...of, enabled });
  return {
    value,
    error: value === undefined ? error : null,
    isReading: isFetching,
    reload: () => void refetch(),
  };
}

/** Reads these paths and those below again, after a change. */
export async function refetchPaths(...paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map((path) => queryClient.invalidateQueries({ queryKey: toQueryKey(path) })),
  );
}

/** Replaces the cached value with a write's result. */
export function setCachedValue<T>(of: Resource<T>, value: T): void {
  queryClient.setQueryData(of.queryKey, value);
}

/** "/api/mail/domain" is ["mail", "domain"]. */
const toQueryKey = (path: string): QueryKey => path.split("/").slice(2);
