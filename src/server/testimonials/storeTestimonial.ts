/** Stores testimonials that were written through a link, and moves them to the bin when their authors withdraw them. */
import { cutText } from "../../schema/core/boundedUnicode.ts";
import { DEFAULT_ARRANGEMENT, computePositionAfterLast } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { MAX_CONSENT_NOTE_LENGTH } from "../../schema/sections/testimonialRules.ts";
import type { Bin } from "../bin/bin.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { conflict, noLongerExists, Refusal } from "../shared/errors.ts";
import type { TestimonialNotifications } from "./testimonialNotifications.ts";
import type { Outbox } from "../mail/queue/outbox.ts";
import type { TestimonialInput } from "./testimonialInput.ts";

type Testimonial = Item<"testimonials">;
type TestimonialRequest = Item<"testimonialRequests">;

export interface TestimonialStorageContext {
  readonly bin: Bin;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly notifications: TestimonialNotifications;
}

interface SubmittedTestimonial {
  readonly testimonialRequest: TestimonialRequest;
  readonly input: TestimonialInput;
  /** The text to which the author agreed, followed by the time. */
  readonly consent: string;
}

/**
 * Stores a testimonial, marks its request as used and notifies the owners, all or nothing. Throws `conflict` if the
 * request is used or deleted, or if the list is full (`TestimonialsFullError`).
 */
export async function storeTestimonial(
  { clock, outbox, notifications }: TestimonialStorageContext,
  { testimonialRequest, input, consent }: SubmittedTestimonial,
): Promise<void> {
  const now = getTimestamp(clock);
  const testimonial: Testimonial = {
    id: Bun.randomUUIDv7(),
    words: input.words,
    name: input.name,
    role: input.role || null,
    portrait: null,
    link: null,
    isActive: false,
    order: 0,
    agreed: cutText(consent, MAX_CONSENT_NOTE_LENGTH),
    email: testimonialRequest.email,
    receivedAt: now,
    isWaiting: true,
  };
  const isOpen = ({ id, usedAt }: TestimonialRequest) =>
    id === testimonialRequest.id && usedAt === null;
  await outbox.addInTransaction(async (transaction) => {
    await transaction.of(entities.testimonialRequests).update((all) => {
      if (!all.some(isOpen)) throw conflict();
      return all.map((each) =>
        isOpen(each) ? { ...each, usedAt: now, testimonialId: testimonial.id } : each,
      );
    });
    await transaction.of(entities.testimonials).update((all) => {
      if (all.length >= entities.testimonials.maxItems) throw new TestimonialsFullError();
      return [
        ...all,
        { ...testimonial, order: computePositionAfterLast(DEFAULT_ARRANGEMENT, all) },
      ];
    });
    return notifications.createReceivedMessages(testimonial, transaction);
  });
}

/** The page shows its own message for this error. */
export class TestimonialsFullError extends Refusal {
  constructor() {
    super("conflict", "full");
  }
}

/**
 * Moves a testimonial to the bin, marks its request as withdrawn and notifies the owners, all or nothing. Because of
 * the mark, restoring an earlier version of the list leaves it out. Throws `not_found` if the testimonial was deleted.
 */
export async function withdrawTestimonial(
  { bin, clock, outbox, notifications }: TestimonialStorageContext,
  id: string,
  withdrawalNote: string,
): Promise<void> {
  const withdrawnAt = getTimestamp(clock);
  let testimonial: Testimonial;
  await outbox.addInTransaction(
    async (transaction) => {
      const list = transaction.of(entities.testimonials);
      const current = (await list.read()).value.find((each) => each.id === id);
      if (!current) throw noLongerExists(entities.testimonials);
      testimonial = current;
      await list.update((all) => all.filter((each) => each.id !== id));
      await transaction
        .of(entities.testimonialRequests)
        .update((all) =>
          all.map((each) =>
            each.testimonialId === id ? { ...each, takenBackAt: withdrawnAt } : each,
          ),
        );
      return notifications.createWithdrawnMessages(testimonial);
    },
    (change) =>
      bin.moveToBin(entities.testimonials, async (transaction) => {
        await change(transaction);
        const agreed = `${testimonial.agreed}\n${withdrawalNote}`
          .trim()
          .slice(-MAX_CONSENT_NOTE_LENGTH);
        return { ...testimonial, isActive: false, isWaiting: false, agreed };
      }),
  );
}
