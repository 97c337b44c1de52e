/** The writes as hooks with their toasts: `const create = useCreate("statistics"); create.mutate(body)`. */
import { useMutation } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import { toastFailure, toastSuccess } from "./toasts.ts";
import { type Verb, type Words, wordsFor } from "./words.ts";
import {
  type Body,
  createItem,
  deleteItem,
  reorderItems,
  saveEntity,
  updateItem,
} from "./writes.ts";

/** Saves a singleton: `mutate(fields)`. */
export function useSave<K extends EntityKey>(key: K, words?: Partial<Words>) {
  return useMutation({
    mutationFn: (body: Body) => saveEntity(key, body),
    ...toasts(key, "save", words),
  });
}

/** Adds an item: `mutate(fields)`. */
export function useCreate<K extends EntityKey>(key: K, words?: Partial<Words>) {
  return useMutation({
    mutationFn: (body: Body) => createItem(key, body),
    ...toasts(key, "create", words),
  });
}

/** Changes an item: `mutate({ id, ...fields })`. */
export function useUpdate<K extends EntityKey>(key: K, words?: Partial<Words>) {
  return useMutation({
    mutationFn: ({ id, ...body }: Body & { id: string }) => updateItem(key, id, body),
    ...toasts(key, "update", words),
  });
}

/** Takes an item away: `mutate(id)`. */
export function useDelete(key: EntityKey, words?: Partial<Words>) {
  return useMutation({
    mutationFn: (id: string) => deleteItem(key, id),
    ...toasts(key, "delete", words),
  });
}

/** Arranges a list: `mutate(ids)`, every id in its new sequence. */
export function useReorder<K extends EntityKey>(key: K, words?: Partial<Words>) {
  return useMutation({
    mutationFn: (ids: readonly string[]) => reorderItems(key, ids),
    ...toasts(key, "reorder", words),
  });
}

function toasts(key: EntityKey, verb: Verb, own: Partial<Words> = {}) {
  const words = { ...wordsFor(key, verb), ...own };
  return {
    onSuccess: () => toastSuccess(words.success),
    onError: (error: unknown) => toastFailure(error, words.failure),
  };
}
