/** The writes as hooks with their toasts: `const create = useCreate("statistics"); create.mutate(body)`. */
import { useMutation } from "@tanstack/react-query";
import type { EntityKey } from "../../../schema/index.ts";
import { toastFailure, toastSuccess } from "./toasts.ts";
import { type Verb, wordsFor } from "./words.ts";
import { type Body, createItem, deleteItem, updateItem } from "./writes.ts";

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

function toasts(key: EntityKey, verb: Verb) {
  const words = wordsFor(key, verb);
  return {
    onSuccess: () => toastSuccess(words.success),
    onError: (error: unknown) => toastFailure(error, words.failure),
  };
}
