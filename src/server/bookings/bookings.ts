/**
 * Answers to suggested times: choosing one, declining all, moving or calling off a call. Each is one transaction,
 * messages included. Transactions on a list run one after another (storage/store.ts), across processes too, so that
 * calls never overlap.
 */
import type { Booking, SuggestedTime } from "../../schema/enquiry/calls.ts";
import { entities, type Item } from "../../schema/index.ts";
import { MAX_NOTES, type StoredReply } from "../../schema/enquiry/visitors.ts";
import { callEnd, callStart, openOffers, overlap, withCallsUntil } from "../shared/callTimes.ts";
import { type Clock, isoTime, timeAfter } from "../shared/clock.ts";
import { conflict, noLongerExists, invalid } from "../shared/errors.ts";
import { visibleIds } from "../bin/visibleParents.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import type { DeleteWithFollowUp } from "../bin/bin.ts";
import type { HandleOf, Records, Store, Transaction } from "../storage/store.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { CallMessages } from "./callMessages.ts";
import type { BookingLink } from "./links.ts";
import { firstNameIn, TIME_HAS_PASSED } from "./suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

/** The state of a reply's suggested times, as its link shows it. */
export type BookingPageState =
  /** Not one of our links, or nothing can be chosen with it any more. */
  | { readonly kind: "broken" | "ended" | "declined" }
  | {
      readonly kind: "chosen";
      readonly booking: Booking;
      readonly questions: Submission["questions"];
    }
  | {
      readonly kind: "open";
      readonly questions: Submission["questions"];
      /** Those not taken in the meantime, by position in the reply. */
      readonly times: readonly { readonly index: number; readonly offer: SuggestedTime }[];
      /** Why the choice failed: the time was taken, or none was chosen. */
      readonly fault?: "taken" | "none";
    };

interface BookingsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly messages: CallMessages;
  /** Notifies the owners' devices. */
  readonly push: (
    outcome: "booked" | "declined",
    submission: Submission,
    reply: string,
  ) => NewMessage[];
}

/** Works inside and outside a transaction. */
type List = Pick<Records<Submission, { callsUntil: string | null; id: string }>, "get" | "keys">;

export class Bookings {
  readonly #context: BookingsContext;
  readonly #submissions: HandleOf<typeof entities.formSubmissions>;

  constructor(context: BookingsContext) {
    this.#context = context;
    this.#submissions = context.store.of(entities.formSubmissions);
  }

  state(link: BookingLink | undefined): Promise<BookingPageState> {
    return this.#stateIn(this.#submissions, link);
  }

  async #findBooking(list: List, link: BookingLink | undefined) {
    const submission = link && (await list.get(link.submission));
    const reply = submission?.replies.find(({ id }) => id === link?.reply);
    const isInSight = visibleIds(this.#context.store, entities.forms).has(submission?.formId ?? "");
    return submission && reply && isInSight ? { submission, reply } : undefined;
  }

  async #stateIn(list: List, link: BookingLink | undefined): Promise<BookingPageState> {
    if (!link) return { kind: "broken" };
    const current = await this.#findBooking(list, link);
    if (!current) return { kind: "ended" };
    const { submission, reply } = current;
    const { booked, questions } = submission;
    const now = this.#context.clock();
    if (booked && callEnd(booked) > now) return { kind: "chosen", booking: booked, questions };
    if (reply.ended === "declined") return { kind: "declined" };
    const open = openOffers(reply, now);
    if (open.length === 0) return { kind: "ended" };
    const others = await othersBookings(list, submission.id, now);
    const free = open.filter((offer) => !others.some(({ booking }) => overlap(offer, booking)));
    const times = free.map((offer) => ({ index: reply.offers?.indexOf(offer) ?? -1, offer }));
    return { kind: "open", questions, times };
  }

  /** Stores a change with its messages, or throws; returns the `result` of `work`. */
  async #together<T>(
    work: (list: ListChanges) => Promise<{ result: T; queued?: readonly NewMessage[] }>,
  ): Promise<T> {
    let last: { result: T } | undefined;
    await this.#context.outbox.addWith(async (transaction) => {
      const done = await work(transaction.of(entities.formSubmissions));
      last = done;
      return done.queued ?? [];
    });
    if (!last) throw new Error("a transaction had no result");
    return last.result;
  }

  /** Chooses a time by its position. Throws `cannot_store`. */
  choose(link: BookingLink | undefined, index: number): Promise<BookingPageState> {
    return this.#together<BookingPageState>(async (list) => {
      const state = await this.#stateIn(list, link);
      if (state.kind !== "open") return { result: state };
      const current = await this.#findBooking(list, link);
      const chosen = state.times.find((time) => time.index === index);
      if (!current || !chosen) {
        const isSuggested = current?.reply.offers?.[index] !== undefined;
        return { result: { ...state, fault: isSuggested ? "taken" : "none" } };
      }
      const { id, to } = current.reply;
      const booking = {
        ...chosen.offer,
        id,
        to,
        sequence: 0,
        changedAt: isoTime(this.#context.clock),
      };
      const booked = withBooking(current.submission, booking);
      await list.update(booked.id, () => booked);
      return {
        result: { kind: "chosen", booking, questions: state.questions },
        queued: [
          this.#context.messages.toVisitor("booked", booked, booking),
          ...this.#context.messages.toOwners(booked, booking),
          ...this.#context.push("booked", booked, id),
        ],
      };
    });
  }

  /** Records that none suits, with a line that may be empty. Throws `cannot_store`. */
  decline(link: BookingLink | undefined, line: string): Promise<BookingPageState> {
    return this.#together<BookingPageState>(async (list) => {
      const state = await this.#stateIn(list, link);
      const current = await this.#findBooking(list, link);
      if (state.kind !== "open" || !current) return { result: state };
      const { submission, reply } = current;
      const declined = withNone(submission, reply, line, isoTime(this.#context.clock));
      await list.update(submission.id, () => declined);
      return {
        result: { kind: "declined" },
        queued: [
          ...this.#context.messages.toOwnersDeclined(declined, reply, line),
          ...this.#context.push("declined", declined, reply.id),
        ],
      };
    });
  }

  /** Moves a call that isn't over to a time in the site's zone, and notifies the visitor. Throws 404, 409, 422. */
  move(id: string, at: string): Promise<Submission> {
    return this.#together(async (list) => {
      const now = this.#context.clock();
      const { submission, booking } = await findBooked(list, id, now);
      const sequence = booking.sequence + 1;
      const changedAt = timeAfter(booking.changedAt, this.#context.clock);
      const moved = {
        ...booking,
        at,
        zone: storeTimeZone(this.#context.store),
        sequence,
        changedAt,
      };
      if (callStart(moved) <= now) throw invalid(TIME_HAS_PASSED, { at: TIME_HAS_PASSED });
      const others = await othersBookings(list, id, now);
      const other = others.find((each) => overlap(moved, each.booking));
      if (other) {
        const conflictMessage = `You already have a call with ${firstNameIn(other.questions)} at that time.`;
        throw invalid(conflictMessage, { at: conflictMessage });
      }
      const changed = withCallsUntil({ ...submission, booked: moved });
      await list.update(id, () => changed);
      return {
        result: changed,
        queued: [this.#context.messages.toVisitor("moved", changed, moved)],
      };
    });
  }

  async #callOff(list: ListChanges, submission: Submission, booking: Booking) {
    const changedAt = timeAfter(booking.changedAt, this.#context.clock);
    const off = { ...booking, sequence: booking.sequence + 1, changedAt };
    const stage = submission.stage === "booked" ? "talking" : submission.stage;
    const changed = withCallsUntil({ ...submission, stage, booked: null });
    await list.update(submission.id, () => changed);
    return {
      result: changed,
      queued: [this.#context.messages.toVisitor("cancelled", changed, off)],
    };
  }

  /** Calls off a call that isn't over, and notifies the visitor. Throws 404, 409. */
  cancel(id: string): Promise<Submission> {
    return this.#together(async (list) => {
      const { submission, booking } = await findBooked(list, id, this.#context.clock());
      return this.#callOff(list, submission, booking);
    });
  }

  /** Deletes an enquiry; its upcoming call is called off and the visitor notified. */
  readonly deleteEnquiry: DeleteWithFollowUp = async (id, discard) => {
    let isOff = false;
    await this.#context.outbox.addWith(async (transaction) => {
      const list = listIn(transaction);
      const submission = await list.get(id);
      const { booked = null } = submission ?? {};
      isOff = booked !== null && callEnd(booked) > this.#context.clock();
      return submission && booked && isOff
        ? (await this.#callOff(list, submission, booked)).queued
        : [];
    }, discard);
    return isOff ? "canceled a call" : undefined;
  };
}

type ListChanges = ReturnType<typeof listIn>;
const listIn = (transaction: Transaction) => transaction.of(entities.formSubmissions);

/** Throws unless there is a call that isn't over: nobody is written to about a past one. */
async function findBooked(list: List, id: string, now: number) {
  const submission = await list.get(id);
  if (!submission) throw noLongerExists(entities.formSubmissions);
  if (!submission.booked) throw conflict(NO_CALL);
  if (callEnd(submission.booked) <= now) throw conflict(IS_OVER);
  return { submission, booking: submission.booked };
}

const NO_CALL = "No call with this person is booked. Reload the page.";
const IS_OVER = "This call is over. Reload the page.";

/** Other enquiries' calls that aren't over. */
async function othersBookings(list: List, id: string, now: number) {
  const keys = await list.keys({ callsUntil: { from: new Date(now).toISOString() } });
  const others = await Promise.all(
    keys.filter((key) => key.id !== id).map((key) => list.get(key.id)),
  );
  return others.flatMap((each) =>
    each?.booked && callEnd(each.booked) > now
      ? [{ booking: each.booked, questions: each.questions }]
      : [],
  );
}

/** Books a time of one reply and closes the times of all others. */
function withBooking(submission: Submission, booking: Booking): Submission {
  const replies = submission.replies.map((reply): StoredReply => {
    if (reply.id === booking.id) return { ...reply, ended: "chosen" };
    return reply.offers && reply.ended === undefined ? { ...reply, ended: "closed" } : reply;
  });
  return withCallsUntil({ ...submission, stage: "booked", booked: booking, replies });
}

/** A visitor's answer isn't lost when the list is full: it is then sent as a notification only. */
function withNone(
  submission: Submission,
  reply: StoredReply,
  line: string,
  at: string,
): Submission {
  const text = line === "" ? NONE_SUITS : `${NONE_SUITS} "${line}"`;
  const note = { id: reply.id, at, by: firstNameIn(submission.questions), text };
  const replies = submission.replies.map((each): StoredReply =>
    each.id === reply.id ? { ...each, ended: "declined" } : each,
  );
  const { notes } = submission;
  return withCallsUntil({
    ...submission,
    replies,
    notes: notes.length < MAX_NOTES ? [...notes, note] : notes,
  });
}

const NONE_SUITS = "None of the suggested times work.";
