/** Reads an entity with its ETag, from the cache if possible. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Content, entities, type EntityKey } from "../../../schema/index.ts";
import { etagIn, freshFor } from "../../shared/api.ts";
import { api } from "./client.ts";

/** The stored value, and the ETag that a write sends back. */
interface Stored<K extends EntityKey> {
  readonly value: Content<K>;
  readonly etag: string | null;
}

/** The state of a read; `value` is undefined until it is loaded. */
interface EntityRead<K extends EntityKey> {
  readonly value: Content<K> | undefined;
  readonly etag: string | null;
  readonly isPending: boolean;
  /** The failed read, if there is no older value. */
  readonly error: Error | null;
  readonly reload: () => void;
}

/** Reads an entity; only of `parent`, for form steps, form fields and submissions. */
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

/** An entity's query, for reads outside components. */
export function entityQuery<K extends EntityKey>(key: K, parent?: string) {
  return queryOptions({
    queryKey: queryKeyOf(key, parent),
    queryFn: () => read(key, parent),
    staleTime: freshFor(key),
  });
}

/** The parameter of an item's read: a record's id; else the parent, whose whole list is read. */
export function readParams(
  key: EntityKey,
  { item, parent }: { readonly item?: string | undefined; readonly parent?: string | undefined },
): string | undefined {
  return entities[key].shape === "records" ? item : parent;
}

export function queryKeyOf(key: EntityKey, parent?: string): string[] {
  return parent === undefined ? [key] : [key, parent];
}

/** An entity's path: `/api/form-steps/{formId}`. */
export function pathOf(key: EntityKey, parent?: string): string {
  return `/api/${entities[key].name}${parent === undefined ? "" : `/${encodeURIComponent(parent)}`}`;
}

async function read<K extends EntityKey>(key: K, parent?: string): Promise<Stored<K>> {
  const { body, headers } = await api.call<Content<K>>(pathOf(key, parent));
  return { value: body, etag: etagIn(headers) };
}
