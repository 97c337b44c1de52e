/** Words that somebody has written by a link come back by no earlier version once they were taken back, or their link is gone. */
import type { Entity, StoredItem } from "../../schema/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Transaction } from "../storage/store.ts";

type Asked = Pick<Item<"testimonialRequests">, "testimonialId" | "takenBackAt">;

/** Which items of an entity came by a link that they can't be taken back by any more; `requests` are all links. */
export function takenBackOf(
  entity: Entity,
  requests: readonly Asked[],
): (item: StoredItem) => boolean {
  if (entity !== entities.testimonials) return () => false;
  const standing = new Set(
    requests.flatMap(({ testimonialId, takenBackAt }) =>
      testimonialId !== null && takenBackAt === null ? testimonialId : [],
    ),
  );
  return (item) =>
    ((item as Item<"testimonials">).receivedAt ?? null) !== null && !standing.has(item.id);
}

/** As `takenBackOf`, of what a transaction sees. */
export async function takenBackWithin(transaction: Transaction, entity: Entity) {
  if (entity !== entities.testimonials) return () => false;
  const { value } = await transaction.of(entities.testimonialRequests).read();
  return takenBackOf(entity, value);
}

/** The link of a testimonial that goes for good goes with it. */
export const removeItsLink = async (transaction: Transaction, { id }: StoredItem): Promise<void> =>
  void (await transaction
    .of(entities.testimonialRequests)
    .update((all) =>
      all.some(({ testimonialId }) => testimonialId === id)
        ? all.filter(({ testimonialId }) => testimonialId !== id)
        : all,
    ));
