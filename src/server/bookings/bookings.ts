/**
 * Answers to suggested times: choosing one, declining all, moving or calling off a call. Each is one transaction,
 * messages included. Transactions on a list run one after another (storage/store.ts), across processes too, so that
 * calls never overlap.
 */
import type { Booking, SuggestedTime } from "../../schema/enquiry/calls.ts";
import { entities, type Item } from "../../schema/index.ts";
import { MAX_NOTES, type StoredReply } from "../../schema/enquiry/visitors.ts";
import {
  callEnd,
  callStart,
  openSuggestedTimes,
  doCallsOverlap,
  setCallsUntil,
} from "../shared/callTimes.ts";
import { type Clock, isoTime, timestampAfter } from "../shared/clock.ts";
import { conflict, noLongerExists, invalidInput } from "../shared/errors.ts";
import { findVisibleIds } from "../bin/listedItems.ts";
import { getStoreTimeZone } from "../shared/siteZone.ts";
import type { DeleteWithFollowUp } from "../bin/bin.ts";
import type { HandleOf, Records, Store, Transaction } from "../storage/store.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { CallMessages } from "./callMessages.ts";
import type { BookingLink } from "./links.ts";
import { findFirstName, TIME_HAS_PASSED_MESSAGE } from "./suggestedTimes.ts";

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
  readonly createPushMessages: (
    outcome: "booked" | "declined",
    submission: Submission,
    reply: string,
  ) => NewMessage[];
}

/** Works inside and outside a transaction. */
type SubmissionRecords = Pick<
  Records<Submission, { callsUntil: string | null; id: string }>,
  "get" | "keys"
>;

export class Bookings {
  readonly #context: BookingsContext;
  readonly #submissions: HandleOf<typeof entities.formSubmissions>;

  constructor(context: BookingsContext) {
    this.#context = context;
    this.#submissions = context.store.of(entities.formSubmissions);
  }

  readState(link: BookingLink | undefined): Promise<BookingPageState> {
    return this.#readStateIn(this.#submissions, link);
  }

  async #findBooking(list: SubmissionRecords, link: BookingLink | undefined) {
    const submission = link && (await list.get(link.submission));
    const reply = submission?.replies.find(({ id }) => id === link?.reply);
    const isInSight = findVisibleIds(this.#context.store, entities.forms).has(
      submission?.formId ?? "",
    );
    return submission && reply && isInSight ? { submission, reply } : undefined;
  }

  async #readStateIn(
    list: SubmissionRecords,
    link: BookingLink | undefined,
  ): Promise<BookingPageState> {
    if (!link) return { kind: "broken" };
    const current = await this.#findBooking(list, link);
    if (!current) return { kind: "ended" };
    const { submission, reply } = current;
    const { booked, questions } = submission;
    const now = this.#context.clock();
    if (booked && callEnd(booked) > now) return { kind: "chosen", booking: booked, questions };
    if (reply.ended === "declined") return { kind: "declined" };
    const open = openSuggestedTimes(reply, now);
    if (open.length === 0) return { kind: "ended" };
    const others = await findOtherBookings(list, submission.id, now);
    const free = open.filter(
      (offer) => !others.some(({ booking }) => doCallsOverlap(offer, booking)),
    );
    const times = free.map((offer) => ({ index: reply.offers?.indexOf(offer) ?? -1, offer }));
    return { kind: "open", questions, times };
  }

  /** Stores a change with its messages, or throws; returns the `result` of `work`. */
  async #storeWithMessages<T>(
    work: (list: SubmissionChanges) => Promise<{ result: T; queued?: readonly NewMessage[] }>,
  ): Promise<T> {
    let last: { result: T } | undefined;
    await this.#context.outbox.addInTransaction(async (transaction) => {
      const done = await work(transaction.of(entities.formSubmissions));
      last = done;
      return done.queued ?? [];
    });
    if (!last) throw new Error("a transaction had no result");
    return last.result;
  }

  /** Chooses a time by its position. Throws `cannot_store`. */
  chooseTime(link: BookingLink | undefined, index: number): Promise<BookingPageState> {
    return this.#storeWithMessages<BookingPageState>(async (list) => {
      const state = await this.#readStateIn(list, link);
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
      const booked = addBooking(current.submission, booking);
      await list.update(booked.id, () => booked);
      return {
        result: { kind: "chosen", booking, questions: state.questions },
        queued: [
          this.#context.messages.toVisitor("booked", booked, booking),
          ...this.#context.messages.toOwners(booked, booking),
          ...this.#context.createPushMessages("booked", booked, id),
        ],
      };
    });
  }

  /** Records that none suits, with a line that may be empty. Throws `cannot_store`. */
  declineTimes(link: BookingLink | undefined, line: string): Promise<BookingPageState> {
    return this.#storeWithMessages<BookingPageState>(async (list) => {
      const state = await this.#readStateIn(list, link);
      const current = await this.#findBooking(list, link);
      if (state.kind !== "open" || !current) return { result: state };
      const { submission, reply } = current;
      const declined = addDecline(submission, reply, line, isoTime(this.#context.clock));
      await list.update(submission.id, () => declined);
      return {
        result: { kind: "declined" },
        queued: [
          ...this.#context.messages.toOwnersDeclined(declined, reply, line),
          ...this.#context.createPushMessages("declined", declined, reply.id),
        ],
      };
    });
  }

  /** Moves a call that isn't over to a time in the site's zone, and notifies the visitor. Throws 404, 409, 422. */
  moveCall(id: string, at: string): Promise<Submission> {
    return this.#storeWithMessages(async (list) => {
      const now = this.#context.clock();
      const { submission, booking } = await requireUpcomingCall(list, id, now);
      const sequence = booking.sequence + 1;
      const changedAt = timestampAfter(booking.changedAt, this.#context.clock);
      const moved = {
        ...booking,
        at,
        zone: getStoreTimeZone(this.#context.store),
        sequence,
        changedAt,
      };
      if (callStart(moved) <= now)
        throw invalidInput(TIME_HAS_PASSED_MESSAGE, { at: TIME_HAS_PASSED_MESSAGE });
      const others = await findOtherBookings(list, id, now);
      const other = others.find((each) => doCallsOverlap(moved, each.booking));
      if (other) {
        const conflictMessage = `You already have a call with ${findFirstName(other.questions)} at that time.`;
        throw invalidInput(conflictMessage, { at: conflictMessage });
      }
      const changed = setCallsUntil({ ...submission, booked: moved });
      await list.update(id, () => changed);
      return {
        result: changed,
        queued: [this.#context.messages.toVisitor("moved", changed, moved)],
      };
    });
  }

  async #cancelBooking(list: SubmissionChanges, submission: Submission, booking: Booking) {
    const changedAt = timestampAfter(booking.changedAt, this.#context.clock);
    const off = { ...booking, sequence: booking.sequence + 1, changedAt };
    const stage = submission.stage === "booked" ? "talking" : submission.stage;
    const changed = setCallsUntil({ ...submission, stage, booked: null });
    await list.update(submission.id, () => changed);
    return {
      result: changed,
      queued: [this.#context.messages.toVisitor("cancelled", changed, off)],
    };
  }

  /** Calls off a call that isn't over, and notifies the visitor. Throws 404, 409. */
  cancelCall(id: string): Promise<Submission> {
    return this.#storeWithMessages(async (list) => {
      const { submission, booking } = await requireUpcomingCall(list, id, this.#context.clock());
      return this.#cancelBooking(list, submission, booking);
    });
  }

  /** Deletes an enquiry; its upcoming call is called off and the visitor notified. */
  readonly deleteEnquiry: DeleteWithFollowUp = async (id, discard) => {
    let isOff = false;
    await this.#context.outbox.addInTransaction(async (transaction) => {
      const list = submissionChanges(transaction);
      const submission = await list.get(id);
      const { booked = null } = submission ?? {};
      isOff = booked !== null && callEnd(booked) > this.#context.clock();
      return submission && booked && isOff
        ? (await this.#cancelBooking(list, submission, booked)).queued
        : [];
    }, discard);
    return isOff ? "canceled a call" : undefined;
  };
}

type SubmissionChanges = ReturnType<typeof submissionChanges>;
const submissionChanges = (transaction: Transaction) => transaction.of(entities.formSubmissions);

/** Throws unless there is a call that isn't over: nobody is written to about a past one. */
async function requireUpcomingCall(list: SubmissionRecords, id: string, now: number) {
  const submission = await list.get(id);
  if (!submission) throw noLongerExists(entities.formSubmissions);
  if (!submission.booked) throw conflict(NO_CALL_MESSAGE);
  if (callEnd(submission.booked) <= now) throw conflict(CALL_OVER_MESSAGE);
  return { submission, booking: submission.booked };
}

const NO_CALL_MESSAGE = "No call with this person is booked. Reload the page.";
const CALL_OVER_MESSAGE = "This call is over. Reload the page.";

/** Other enquiries' calls that aren't over. */
async function findOtherBookings(list: SubmissionRecords, id: string, now: number) {
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
function addBooking(submission: Submission, booking: Booking): Submission {
  const replies = submission.replies.map((reply): StoredReply => {
    if (reply.id === booking.id) return { ...reply, ended: "chosen" };
    return reply.offers && reply.ended === undefined ? { ...reply, ended: "closed" } : reply;
  });
  return setCallsUntil({ ...submission, stage: "booked", booked: booking, replies });
}

/** A visitor's answer isn't lost when the list is full: it is then sent as a notification only. */
function addDecline(
  submission: Submission,
  reply: StoredReply,
  line: string,
  at: string,
): Submission {
  const text = line === "" ? NONE_SUITS_TEXT : `${NONE_SUITS_TEXT} "${line}"`;
  const note = { id: reply.id, at, by: findFirstName(submission.questions), text };
  const replies = submission.replies.map((each): StoredReply =>
    each.id === reply.id ? { ...each, ended: "declined" } : each,
  );
  const { notes } = submission;
  return setCallsUntil({
    ...submission,
    replies,
    notes: notes.length < MAX_NOTES ? [...notes, note] : notes,
  });
}

const NONE_SUITS_TEXT = "None of the suggested times work.";
