/** The writes as hooks with their toasts: `const create = useCreate("statistics"); create.mutate(body)`. */
import { useMutation } from "@tanstack/react-query";
import { type Content, entities, type EntityKey, type Item } from "../../../schema/index.ts";
import { messagesFor, type Write } from "../../../schema/messages.ts";
import { type CallOptions, callWithHeaders } from "../../api.ts";
import { queryClient, withSession } from "./client.ts";
import { drafts, type DraftState, patchDraft } from "./drafts.ts";
import { toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery, pathOf, queryKeyOf } from "./useEntity.ts";

// The writes of the dashboard: each survives an ended session and refreshes what it changed.

/** The fields sent with a write. */
export type Body = Readonly<Record<string, unknown>>;

/** Saves a singleton (POST). `etag` refuses with 412 when it was changed elsewhere meanwhile. */
export function saveEntity<K extends EntityKey>(key: K, body: Body, etag?: string | null) {
  return write<Content<K>>(key, pathOf(key), { method: "POST", body, headers: ifMatch(etag) });
}

/** Adds an item to a list (POST); answers it with its new id. */
export function createItem<K extends EntityKey>(key: K, body: Body) {
  return write<Item<K>>(key, pathOf(key), { method: "POST", body });
}

/** Changes an item (PUT). */
export function updateItem<K extends EntityKey>(
  key: K,
  id: string,
  body: Body,
  etag?: string | null,
) {
  return write<Item<K>>(key, itemPath(key, id), { method: "PUT", body, headers: ifMatch(etag) });
}

/** Takes an item away (DELETE). */
export function deleteItem(key: EntityKey, id: string) {
  return write<object>(key, itemPath(key, id), { method: "DELETE" });
}

/** Arranges a list: `ids` is the whole list in its new sequence (spec sections 4 and 7). */
export function reorderItems<K extends EntityKey>(key: K, ids: readonly string[]) {
  const body = reorderBody(key, ids);
  return write<Content<K>>(key, `${pathOf(key)}/reorder`, { method: "POST", body });
}

/** Any other write that changes an entity, such as the status of a submission. */
export async function write<T>(key: EntityKey, path: string, options: CallOptions): Promise<T> {
  const { body, headers } = await withSession(() => callWithHeaders<T>(path, options));
  followOwnWrite(key, headers.get("etag"));
  await refresh(key);
  return body;
}

/** Reads an entity anew after a write; every part of it for lists that have parents. */
export async function refresh(key: EntityKey): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeyOf(key) }),
    // Where a picture is used may have changed with it.
    queryClient.invalidateQueries({ queryKey: queryKeyOf("uploads"), refetchType: "none" }),
    queryClient.invalidateQueries({ queryKey: ["history", key] }),
  ]);
}

/** Own writes are no conflict: drafts that stood on the state before move on to the one after. */
function followOwnWrite(key: EntityKey, etag: string | null): void {
  for (const draft of Object.values(drafts.value))
    if (draft.key === key && draft.etag === knownEtag(draft)) patchDraft(draft.id, { etag });
}

function knownEtag({ key, parent }: DraftState): string | null {
  return queryClient.getQueryData(entityQuery(key, parent).queryKey)?.etag ?? null;
}

function reorderBody(key: EntityKey, ids: readonly string[]): Body {
  const entity = entities[key];
  const request = ("arrangement" in entity && entity.arrangement?.request) || "updates";
  if (request !== "updates") return { [request]: ids };
  return { updates: ids.map((id, order) => ({ id, order })) };
}

function itemPath(key: EntityKey, id: string): string {
  return `${pathOf(key)}/${encodeURIComponent(id)}`;
}

function ifMatch(etag: string | null | undefined): Record<string, string> {
  return etag ? { "if-match": etag } : {};
}

/** Adds an item: `mutate(fields)`. */
export function useCreate<K extends EntityKey>(key: K) {
  return useMutation({
    mutationFn: (body: Body) => createItem(key, body),
    ...toasts(key, "create"),
  });
}

/** Changes an item: `mutate({ id, ...fields })`. */
export function useUpdate<K extends EntityKey>(key: K) {
  return useMutation({
    mutationFn: ({ id, ...body }: Body & { id: string }) => updateItem(key, id, body),
    ...toasts(key, "update"),
  });
}

/** Takes an item away: `mutate(id)`. */
export function useDelete(key: EntityKey) {
  return useMutation({
    mutationFn: (id: string) => deleteItem(key, id),
    ...toasts(key, "delete"),
  });
}

function toasts(key: EntityKey, verb: Write) {
  const words = messagesFor(entities[key], verb);
  return {
    onSuccess: () => toastSuccess(words.success),
    onError: (error: unknown) => toastFailure(error, words.failure),
  };
}
