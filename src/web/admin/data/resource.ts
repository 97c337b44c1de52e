/** What the dashboard reads from the paths of the server that are no entity's: the state of the mail, the people. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { api, queryClient } from "./client.ts";

interface ResourceOptions<T> {
  /** After how many milliseconds it is read again, such as while a message waits; false for not at all. */
  readonly every?: (value: T) => number | false;
  /** True: it counts until a write reads it again. Default: it is read whenever a screen shows it anew. */
  readonly stays?: boolean;
  /** Reads more than the body of the path. */
  readonly read?: (path: string) => Promise<T>;
  readonly key?: QueryKey;
}

type Resource<T> = ReturnType<typeof resource<T>>;

/** `const mail = resource<MailState>("/api/mail"); const { value, error, reload } = useResource(mail);` */
export function resource<T>(path: string, options: ResourceOptions<T> = {}) {
  const { every, stays = false, read = api.get<T>, key = keyOf(path) } = options;
  return queryOptions({
    queryKey: key,
    queryFn: () => read(path),
    staleTime: stays ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state: { data } }) => (data !== undefined && every?.(data)) || false,
  });
}

/** What is read, as `Read` shows it; an error only where nothing older is there. */
export function useResource<T>(of: Resource<T>, { enabled = true } = {}) {
  const { data: value, error, refetch, isFetching } = useQuery({ ...of, enabled });
  return {
    value,
    error: value === undefined ? error : null,
    isReading: isFetching,
    reload: () => void refetch(),
  };
}

/** Reads again what is under these paths and below them, after something that changes it. */
export async function readAgain(...paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) })));
}

/** Takes what a write returned in the place of what was read. */
export function replaceRead<T>(of: Resource<T>, value: T): void {
  queryClient.setQueryData(of.queryKey, value);
}

/** "/api/mail/domain" is ["mail", "domain"]. */
const keyOf = (path: string): QueryKey => path.split("/").slice(2);
