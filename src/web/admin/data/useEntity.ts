/** Reads an entity with its ETag, from memory when it is there. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Content, entities, type EntityKey } from "../../../schema/index.ts";
import { etagIn, freshFor } from "../../shared/api.ts";
import { api } from "./client.ts";

/** What the server holds: the value, and the ETag that a write sends back. */
interface Stored<K extends EntityKey> {
  readonly value: Content<K>;
  readonly etag: string | null;
}

/** The state of a read: `value` is missing until it is there. */
interface EntityRead<K extends EntityKey> {
  readonly value: Content<K> | undefined;
  readonly etag: string | null;
  readonly isPending: boolean;
  /** The failed read, if it failed and nothing older is there. */
  readonly error: Error | null;
  readonly reload: () => void;
}

/** Reads an entity; of `parent` only, for form steps, form fields and submissions. */
export function useEntity<K extends EntityKey>(
  key: K,
  parent?: string,
  { enabled = true }: { enabled?: boolean } = {},
): EntityRead<K> {
  const query = useQuery({ ...entityQuery(key, parent), enabled });
  return {
    value: query.data?.value,
    etag: query.data?.etag ?? null,
    isPending: query.isPending,
    error: query.data ? null : query.error,
    reload: () => void query.refetch(),
  };
}

/** The query of an entity, for reads outside of components. */
export function entityQuery<K extends EntityKey>(key: K, parent?: string) {
  return queryOptions({
    queryKey: queryKeyOf(key, parent),
    queryFn: () => read(key, parent),
    staleTime: freshFor(key),
  });
}

/** How the cache names an entity. */
export function queryKeyOf(key: EntityKey, parent?: string): string[] {
  return parent === undefined ? [key] : [key, parent];
}

/** The address of an entity: `/api/form-steps/{formId}`. */
export function pathOf(key: EntityKey, parent?: string): string {
  return `/api/${entities[key].name}${parent === undefined ? "" : `/${encodeURIComponent(parent)}`}`;
}

async function read<K extends EntityKey>(key: K, parent?: string): Promise<Stored<K>> {
  const { body, headers } = await api.call<Content<K>>(pathOf(key, parent));
  return { value: body, etag: etagIn(headers) };
}
