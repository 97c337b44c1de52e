/** The writes of the dashboard: each survives an ended session, and what it changed is read again. */
import { type Content, entities, type EntityKey, type Item } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/messages.ts";
import { present } from "../../../schema/present.ts";
import { type CallOptions, etagIn } from "../../shared/api.ts";
import { api, queryClient } from "./client.ts";
import { type ToastAction, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { pathOf, queryKeyOf } from "./useEntity.ts";

export type Body = Readonly<Record<string, unknown>>;

/**
 * Makes a write and says how it went; `undo` is the button of the toast after a success.
 * Returns what `act` returned, or undefined when it failed.
 */
export async function withToast<T>(
  words: WriteMessages,
  act: () => Promise<T>,
  undo?: () => void,
): Promise<T | undefined> {
  try {
    const done = await act();
    const action: ToastAction = undo && { label: "Undo", onPress: undo };
    toastSuccess(words.success, action);
    return done;
  } catch (error) {
    toastFailure(error, words.failure);
    return undefined;
  }
}

/** Saves a singleton (POST). With `etag` it is refused with 412 when someone else saved it since. */
export function saveEntity<K extends EntityKey>(key: K, body: Body, etag?: string | null) {
  return write<Content<K>>(key, pathOf(key), { method: "POST", body, headers: ifMatch(etag) });
}

/** What is to be saved of a singleton; `etag` as for `saveEntity`. */
interface Change {
  readonly key: EntityKey;
  readonly body: Body;
  readonly etag?: string | null;
}

/** Saves several singletons at once, all of them or none (POST). Resolves to them, in this order. */
export async function saveEntities(changes: readonly Change[]): Promise<object[]> {
  const sent = changes.map(({ key, body, etag }) => ({
    name: entities[key].name,
    values: body,
    etag,
  }));
  const saved = await api.post<SavedEntity[]>("/api/batch", { changes: sent });
  for (const [at, { key }] of changes.entries()) {
    const { etag, previousEtag } = present(saved[at], "answer for each change");
    tell(key, { before: previousEtag, after: etag });
  }
  await Promise.all(changes.map(({ key }) => refresh(key)));
  return saved.map(({ value }) => value);
}

/** As the server's `content/singletons.ts` has it. */
interface SavedEntity {
  readonly value: object;
  readonly etag: string;
  readonly previousEtag: string;
}

/** Adds an item to a list (POST). Resolves to it, with its new id. */
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

/** Takes an item away (DELETE); `onGone` runs before its list is read again. */
export function deleteItem(key: EntityKey, id: string, onGone?: () => void) {
  return write<object>(key, itemPath(key, id), { method: "DELETE" }, onGone);
}

/** Puts back what is in the bin (POST /api/bin/{id}/restore), and reads again what belongs to it. */
export async function restoreItem(key: EntityKey, id: string): Promise<object> {
  const path = `/api/bin/${encodeURIComponent(id)}/restore`;
  const item = await write<object>(key, path, { method: "POST" });
  await Promise.all(belongingTo(key).map((each) => refresh(each)));
  return item;
}

/** What belongs to the items of a list, such as the steps and submissions of a form. */
function belongingTo(key: EntityKey): EntityKey[] {
  const below = (Object.keys(entities) as EntityKey[]).filter((each) => {
    const entity = entities[each];
    return "parent" in entity && entity.parent?.entity === key;
  });
  return below.flatMap((each) => [each, ...belongingTo(each)]);
}

/** Arranges a list: `ids` is the whole list in its new sequence. */
export async function reorderItems(key: EntityKey, ids: readonly string[]): Promise<void> {
  await sendOrder(key, ids);
  await refresh(key);
}

/** As `reorderItems`, without reading the list again: for who may have a further sequence to send. */
export async function sendOrder(key: EntityKey, ids: readonly string[]): Promise<void> {
  await send(key, `${pathOf(key)}/reorder`, { method: "POST", body: reorderBody(key, ids) });
}

/**
 * Any other write that changes an entity, such as the status of a submission; `onWritten` runs before what
 * it changed is read again. Throws CallFailed.
 */
export async function write<T>(
  key: EntityKey,
  path: string,
  options: CallOptions,
  onWritten?: () => void,
): Promise<T> {
  const body = await send<T>(key, path, options);
  onWritten?.();
  await refresh(key);
  return body;
}

/** Makes a write and tells the listeners. Throws CallFailed. */
async function send<T>(key: EntityKey, path: string, options: CallOptions): Promise<T> {
  const { body, headers } = await api.call<T>(path, options);
  tell(key, { before: etagIn(headers, "x-previous-etag"), after: etagIn(headers) });
  return body;
}

function tell(key: EntityKey, etags: WriteEtags): void {
  for (const listener of listeners) listener(key, etags);
}

/** Of what was stored when a write came, and of what it made of it; null where the server doesn't say. */
export interface WriteEtags {
  readonly before: string | null;
  readonly after: string | null;
}

/** Hears of a write of this page's own before what it changed is read again. */
type WriteListener = (key: EntityKey, etags: WriteEtags) => void;

const listeners = new Set<WriteListener>();

/** Tells `listener` of every write from now on. Returns how to end that. */
export function onWrite(listener: WriteListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Reads an entity again after a write; every part of it for lists that have parents. What can't be read
 * stays as it was, unless `throwOnError` is set: for who asks for it with a button.
 */
export async function refresh(
  key: EntityKey,
  options: { readonly throwOnError?: boolean } = {},
): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeyOf(key) }, options),
    // Where a picture is used may have changed with it.
    queryClient.invalidateQueries({ queryKey: queryKeyOf("uploads"), refetchType: "none" }),
    queryClient.invalidateQueries({ queryKey: ["history", key] }),
    queryClient.invalidateQueries({ queryKey: BIN }),
  ]);
}

/** How the cache names what is in the bin. */
const BIN = ["bin"];

/** The address of one item: `/api/statistics/{id}`. */
export function itemPath(key: EntityKey, id: string): string {
  return `${pathOf(key)}/${encodeURIComponent(id)}`;
}

function reorderBody(key: EntityKey, ids: readonly string[]): Body {
  const entity = entities[key];
  const request = ("arrangement" in entity && entity.arrangement?.request) || "updates";
  if (request !== "updates") return { [request]: ids };
  return { updates: ids.map((id, order) => ({ id, order })) };
}

function ifMatch(etag: string | null | undefined): Record<string, string> {
  return etag ? { "if-match": etag } : {};
}
