/** Reads an entity with its ETag, from the cache if it is fresh. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Content, entities, type EntityKey } from "../../../schema/index.ts";
import { readEtag, getFreshnessMs } from "../../shared/api.ts";
import type { LoadState } from "../../ui/AsyncContent.tsx";
import { api } from "./client.ts";

/** A write sends the ETag back, so that the server detects conflicts. */
interface StoredWithEtag<K extends EntityKey> {
  readonly value: Content<K>;
  readonly etag: string | null;
}

/** Reads an entity. For form steps, form fields and submissions, `parent` selects the items. */
export function useEntity<K extends EntityKey>(
  key: K,
  parent?: string,
  { enabled = true }: { enabled?: boolean } = {},
): LoadState<Content<K>> & { readonly etag: string | null } {
  const query = useQuery({ ...createEntityQuery(key, parent), enabled });
  return {
    value: query.data?.value,
    etag: query.data?.etag ?? null,
    error: query.data ? null : query.error,
    reload: () => void query.refetch(),
  };
}

/** Creates an entity's query, for reads outside of components. */
export function createEntityQuery<K extends EntityKey>(key: K, parent?: string) {
  return queryOptions({
    queryKey: createEntityQueryKey(key, parent),
    queryFn: () => readEntity(key, parent),
    staleTime: getFreshnessMs(key),
  });
}

/** Returns the id in the URL of a GET: a record's own id, or the id of the parent whose list is read. */
export function chooseReadParameter(
  key: EntityKey,
  { item, parent }: { readonly item?: string | undefined; readonly parent?: string | undefined },
): string | undefined {
  return entities[key].shape === "records" ? item : parent;
}

export function createEntityQueryKey(key: EntityKey, parent?: string): string[] {
  return parent === undefined ? [key] : [key, parent];
}

/** Returns a path such as `/api/form-steps/{formId}`. */
export function getEntityPath(key: EntityKey, parent?: string): string {
  return `/api/${entities[key].name}${parent === undefined ? "" : `/${encodeURIComponent(parent)}`}`;
}

async function readEntity<K extends EntityKey>(
  key: K,
  parent?: string,
): Promise<StoredWithEtag<K>> {
  const { body, headers } = await api.call<Content<K>>(getEntityPath(key, parent));
  return { value: body, etag: readEtag(headers) };
}
