/** Finds testimonials that their authors withdrew, so that restoring an earlier version doesn't publish them again. */
import type { Entity, StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Transaction } from "../storage/store.ts";

type TestimonialRequest = Pick<Item<"testimonialRequests">, "testimonialId" | "takenBackAt">;

/** Returns a filter for testimonials that were withdrawn, or whose link was deleted. `requests` has all links. */
export function createWithdrawnFilter(
  entity: Entity,
  requests: readonly TestimonialRequest[],
): (item: StoredItem) => boolean {
  if (entity !== entities.testimonials) return () => false;
  const activeLinkIds = new Set(
    requests.flatMap(({ testimonialId, takenBackAt }) =>
      testimonialId !== null && takenBackAt === null ? testimonialId : [],
    ),
  );
  return (item) =>
    ((item as Item<"testimonials">).receivedAt ?? null) !== null && !activeLinkIds.has(item.id);
}

export async function readWithdrawnFilter(transaction: Transaction, entity: Entity) {
  if (entity !== entities.testimonials) return () => false;
  const { value } = await transaction.of(entities.testimonialRequests).read();
  return createWithdrawnFilter(entity, value);
}

/** Deletes a testimonial's link unless the author withdrew the testimonial, so that no older backup restores it. */
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
