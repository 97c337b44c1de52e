/** The dashboard's writes. Each write refetches the data that it changed. */
import { type Content, entities, type EntityKey, type Item } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/entities/messages.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { type CallOptions, readEtag } from "../../shared/api.ts";
import { refetchPaths } from "./apiQuery.ts";
import { api, queryClient } from "./client.ts";
import { rebaseDrafts, type RequestBody } from "./drafts.ts";
import { type ToastAction, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { getEntityPath, createEntityQueryKey } from "./useEntity.ts";

/** Runs a write and shows its result in a toast, with Undo if `undo` is set. Resolves to undefined after a failure. */
export async function runWithToast<T>(
  messages: WriteMessages,
  write: () => Promise<T>,
  undo?: () => void,
): Promise<T | undefined> {
  try {
    const result = await write();
    const action: ToastAction = undo && { label: "Undo", onPress: undo };
    toastSuccess(messages.success, action);
    return result;
  } catch (error) {
    toastFailure(error, messages.failure);
    return undefined;
  }
}

/** Saves a singleton. With an `etag`, the server refuses with 412 if somebody else has saved meanwhile. */
export function saveEntity<K extends EntityKey>(key: K, body: RequestBody, etag?: string | null) {
  return writeToEntity<Content<K>>(key, getEntityPath(key), {
    method: "POST",
    body,
    headers: createIfMatchHeader(etag),
  });
}

interface EntityChange {
  readonly key: EntityKey;
  readonly body: RequestBody;
  readonly etag?: string | null;
}

/** Saves several singletons in one request, all or none. Returns them in the given order. */
export async function saveEntities(changes: readonly EntityChange[]): Promise<object[]> {
  const requestChanges = changes.map(({ key, body, etag }) => ({
    name: entities[key].name,
    values: body,
    etag,
  }));
  const savedEntities = await api.post<SavedEntity[]>("/api/batch", { changes: requestChanges });
  for (const [index, { key }] of changes.entries()) {
    const { etag, previousEtag } = assertDefined(
      savedEntities[index],
      "saved entity of each change",
    );
    rebaseDrafts(key, previousEtag, etag);
  }
  await Promise.all(changes.map(({ key }) => refetchEntity(key)));
  return savedEntities.map(({ value }) => value);
}

/** One singleton in the response of POST /api/batch (`content/singletonRoutes.ts`). */
interface SavedEntity {
  readonly value: object;
  readonly etag: string;
  readonly previousEtag: string;
}

export function createItem<K extends EntityKey>(key: K, body: RequestBody) {
  return writeToEntity<Item<K>>(key, getEntityPath(key), { method: "POST", body });
}

export function updateItem<K extends EntityKey>(
  key: K,
  id: string,
  body: RequestBody,
  etag?: string | null,
) {
  return writeToEntity<Item<K>>(key, getItemPath(key, id), {
    method: "PUT",
    body,
    headers: createIfMatchHeader(etag),
  });
}

export function deleteItem(key: EntityKey, id: string, onDeleted?: () => void) {
  return writeToEntity<object>(key, getItemPath(key, id), { method: "DELETE" }, onDeleted);
}

/** Restores an item and all that belongs to it. Refetches everything. */
export async function restoreItem(key: EntityKey, id: string): Promise<object> {
  const path = `/api/bin/${encodeURIComponent(id)}/restore`;
  const item = await sendWrite<object>(key, path, { method: "POST" });
  await queryClient.invalidateQueries();
  return item;
}

export async function reorderItems(key: EntityKey, ids: readonly string[]): Promise<void> {
  await sendOrder(key, ids);
  await refetchEntity(key);
}

/** Reorders a list without refetching it, since the caller may send another order next. */
export async function sendOrder(key: EntityKey, ids: readonly string[]): Promise<void> {
  await sendWrite(key, `${getEntityPath(key)}/reorder`, {
    method: "POST",
    body: createReorderBody(key, ids),
  });
}

/** Makes any other write, such as a change of a submission's status. Throws CallError. */
export async function writeToEntity<T>(
  key: EntityKey,
  path: string,
  options: CallOptions,
  onWritten?: () => void,
): Promise<T> {
  const body = await sendWrite<T>(key, path, options);
  onWritten?.();
  await refetchEntity(key);
  return body;
}

async function sendWrite<T>(key: EntityKey, path: string, options: CallOptions): Promise<T> {
  const { body, headers } = await api.call<T>(path, options);
  // The replaced version's ETag, also in If-Match: with another one, the server would have refused the write.
  const before = readEtag(headers, "x-previous-etag") ?? options.headers?.["if-match"] ?? null;
  rebaseDrafts(key, before, readEtag(headers));
  return body;
}

/** Refetches an entity after a write. Ignores failed reads, except with `throwOnError`. */
export async function refetchEntity(
  key: EntityKey,
  options: { readonly throwOnError?: boolean } = {},
): Promise<void> {
  await Promise.all([
    // The default texts depend on the site's language, so a change to the site refetches everything.
    queryClient.invalidateQueries(
      key === "site" ? {} : { queryKey: createEntityQueryKey(key) },
      options,
    ),
    // The uploads' `usedIn` may have changed.
    queryClient.invalidateQueries({
      queryKey: createEntityQueryKey("uploads"),
      refetchType: "none",
    }),
    refetchPaths(`/api/history/${entities[key].name}`, "/api/bin"),
  ]);
}

/** Returns a path such as `/api/statistics/{id}`. */
export function getItemPath(key: EntityKey, id: string): string {
  return `${getEntityPath(key)}/${encodeURIComponent(id)}`;
}

function createReorderBody(key: EntityKey, ids: readonly string[]): RequestBody {
  const entity = entities[key];
  const bodyKey = ("arrangement" in entity && entity.arrangement?.bodyKey) || "updates";
  if (bodyKey !== "updates") return { [bodyKey]: ids };
  return { updates: ids.map((id, order) => ({ id, order })) };
}

function createIfMatchHeader(etag: string | null | undefined): Record<string, string> {
  return etag ? { "if-match": etag } : {};
}
