/** Fills collections with exactly the items that a test needs. */
import type { Callers } from "./site.ts";

/** Replaces all items of the collection at a path such as "/api/statistics" by these, in order. */
export async function replaceItems(
  { asOwner }: Pick<Callers, "asOwner">,
  path: string,
  items: readonly object[] = [],
): Promise<void> {
  for (const { id } of await asOwner<{ id: string }[]>("GET", path))
    await asOwner("DELETE", `${path}/${id}`);
  for (const [order, item] of items.entries()) await asOwner("POST", path, { ...item, order });
}
