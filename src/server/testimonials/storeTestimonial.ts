/** A testimonial written through a link: stored once, and withdrawn through the same link. */
import { DEFAULT_ARRANGEMENT, positionAfterLast } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { MAX_CONSENT_NOTE_LENGTH } from "../../schema/sections/testimonialRules.ts";
import type { Bin } from "../bin/bin.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, noLongerExists, Refusal } from "../shared/errors.ts";
import type { Transaction } from "../storage/store.ts";
import type { TestimonialNotifications } from "./testimonialNotifications.ts";
import type { Outbox } from "../mail/queue/outbox.ts";
import type { TestimonialInput } from "./testimonialInput.ts";

type Testimonial = Item<"testimonials">;
type TestimonialRequest = Item<"testimonialRequests">;

export interface TestimonialStorageContext {
  readonly bin: Bin;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly news: TestimonialNotifications;
}

interface SubmittedTestimonial {
  readonly testimonialRequest: TestimonialRequest;
  readonly typed: TestimonialInput;
  /** The text of the consent, and its time. */
  readonly agreed: string;
}

/**
 * Stores it for the owner to review, marks its request as used and notifies the owner: all or nothing. Throws
 * `conflict` if the request is used or deleted, or if the list is full (`isTestimonialsFullError`).
 */
export async function storeTestimonial(
  { clock, outbox, news }: TestimonialStorageContext,
  { testimonialRequest, typed, agreed }: SubmittedTestimonial,
): Promise<void> {
  const now = isoTime(clock);
  const testimonial: Testimonial = {
    id: Bun.randomUUIDv7(),
    words: typed.words,
    name: typed.name,
    role: typed.role || null,
    portrait: null,
    link: null,
    isActive: false,
    order: 0,
    agreed: agreed.slice(0, MAX_CONSENT_NOTE_LENGTH),
    email: testimonialRequest.email,
    receivedAt: now,
    isWaiting: true,
  };
  await outbox.addInTransaction(async (transaction) => {
    await useRequest(transaction, testimonialRequest.id, testimonial.id, now);
    await transaction.of(entities.testimonials).update((all) => {
      if (all.length >= entities.testimonials.maxItems) throw new TestimonialsFullError();
      return [...all, { ...testimonial, order: positionAfterLast(DEFAULT_ARRANGEMENT, all) }];
    });
    return news.messagesFor(testimonial, transaction);
  });
}

/** The list is full; the page has a sentence of its own for it. */
class TestimonialsFullError extends Refusal {
  constructor() {
    super("conflict", "full");
  }
}
export const isTestimonialsFullError = (error: Error): boolean =>
  error instanceof TestimonialsFullError;

/** A second use is refused. */
async function useRequest(
  transaction: Transaction,
  id: string,
  testimonialId: string,
  usedAt: string,
) {
  await transaction.of(entities.testimonialRequests).update((all) => {
    if (!all.some((each) => each.id === id && each.usedAt === null)) throw conflict();
    return all.map((each) => (each.id === id ? { ...each, usedAt, testimonialId } : each));
  });
}

/**
 * Moves it to the bin, where only its owner sees it, with a note of the withdrawal (`noted`), prevents earlier
 * versions of the list from restoring it, and notifies the owner: all or nothing. Throws `not_found` if it was
 * deleted.
 */
export async function withdrawTestimonial(
  { bin, clock, outbox, news }: TestimonialStorageContext,
  id: string,
  noted: string,
): Promise<void> {
  const withdrawnAt = isoTime(clock);
  const removeTestimonial = async (transaction: Transaction): Promise<Testimonial> => {
    const list = transaction.of(entities.testimonials);
    const testimonial = (await list.read()).value.find((each) => each.id === id);
    if (!testimonial) throw noLongerExists(entities.testimonials);
    await list.update((all) => all.filter((each) => each.id !== id));
    await transaction
      .of(entities.testimonialRequests)
      .update((all) =>
        all.map((each) =>
          each.testimonialId === id ? { ...each, takenBackAt: withdrawnAt } : each,
        ),
      );
    return testimonial;
  };
  let withdrawn: Testimonial;
  await outbox.addInTransaction(
    async (transaction) => {
      withdrawn = await removeTestimonial(transaction);
      return news.withdrawn(withdrawn);
    },
    (change) =>
      bin.discardItems(entities.testimonials, async (transaction) => {
        await change(transaction);
        const agreed = `${withdrawn.agreed}\n${noted}`.trim().slice(-MAX_CONSENT_NOTE_LENGTH);
        return { ...withdrawn, isActive: false, isWaiting: false, agreed };
      }),
  );
}
