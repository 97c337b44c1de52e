/** Moves within a list: at once on the screen, then saved, taken back with words when that fails. */
import type { EntityKey } from "../../../schema/index.ts";
import { announce } from "../parts/announce.ts";
import { queryClient } from "../queries/client.ts";
import { toastFailure, toastSuccess } from "../queries/toasts.ts";
import { entityQuery } from "../queries/useEntity.ts";
import { wordsFor } from "../queries/words.ts";
import { reorderItems } from "../queries/writes.ts";

/** The least an item of an arranged list has. */
export interface ArrangedItem {
  readonly id: string;
}

/** Which list is arranged. */
export interface Arranged<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly nameOf: (item: T) => string;
}

/** Saves a new sequence; the toast offers the one before. `moved` is the id that is announced. */
export async function arrange<T extends ArrangedItem>(
  list: Arranged<T>,
  before: readonly T[],
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const words = wordsFor(list.entity, "reorder");
  const item = before.find(({ id }) => id === moved);
  if (item) announce(placeWords(list.nameOf(item), ids.indexOf(moved), ids.length));
  const after = ids.map((id) => before.find((item) => item.id === id)!);
  show(list, after);
  try {
    await reorderItems(list.entity, ids);
    const undo = () =>
      void arrange(
        list,
        after,
        before.map((item) => item.id),
        moved,
      );
    toastSuccess(words.success, { label: "Undo", onPress: undo });
  } catch (error) {
    show(list, before);
    announce("The list is as it was before.");
    toastFailure(error, words.failure);
  }
}

function placeWords(name: string, at: number, count: number): string {
  return `${name} moved to place ${at + 1} of ${count}`;
}

function show<T extends ArrangedItem>({ entity, parent }: Arranged<T>, items: readonly T[]): void {
  const { queryKey } = entityQuery(entity, parent);
  queryClient.setQueryData(queryKey, (known: any) => known && { ...known, value: items });
}
