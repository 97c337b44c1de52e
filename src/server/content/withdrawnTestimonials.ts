/** Prevents a restored version of the testimonials from containing testimonials that their authors withdrew. */
import type { Entity, StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Transaction } from "../storage/store.ts";

type TestimonialRequest = Pick<Item<"testimonialRequests">, "testimonialId" | "takenBackAt">;

/**
 * Returns a function that is true for testimonials that were withdrawn through their link, or whose link was deleted.
 * `requests` has all links.
 */
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

/** Like `createWithdrawnFilter`, but reads the links within a transaction. */
export async function readWithdrawnFilter(transaction: Transaction, entity: Entity) {
  if (entity !== entities.testimonials) return () => false;
  const { value } = await transaction.of(entities.testimonialRequests).read();
  return createWithdrawnFilter(entity, value);
}

/**
 * Deletes the link of a permanently deleted testimonial. If the author withdrew the testimonial, its link remains,
 * without the recipient, so that no older backup restores the testimonial.
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
