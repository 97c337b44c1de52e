/** No earlier version restores a testimonial that its author took back, or whose link is gone. */
import type { Entity, StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Transaction } from "../storage/store.ts";

type TestimonialRequest = Pick<Item<"testimonialRequests">, "testimonialId" | "takenBackAt">;

/** Which items came by a link that was used to take them back, or is gone; `requests` are all links. */
export function withdrawnFilter(
  entity: Entity,
  requests: readonly TestimonialRequest[],
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

/** Like `withdrawnFilter`, as a transaction sees the links. */
export async function withdrawnFilterIn(transaction: Transaction, entity: Entity) {
  if (entity !== entities.testimonials) return () => false;
  const { value } = await transaction.of(entities.testimonialRequests).read();
  return withdrawnFilter(entity, value);
}

/**
 * Deletes the link of a testimonial that is deleted for good. One by which the words were taken back stays without whom
 * it was for, so that no older backup brings them back.
 */
export const removeTestimonialLink = async (
  transaction: Transaction,
  { id }: StoredItem,
): Promise<void> =>
  void (await transaction
    .of(entities.testimonialRequests)
    .update((all) =>
      all.flatMap((each) =>
        each.testimonialId !== id
          ? [each]
          : each.takenBackAt === null
            ? []
            : [{ ...each, who: null, email: null }],
      ),
    ));
