/**
 * Books, declines, moves and cancels calls. Each operation is one transaction, which also stores the messages.
 * Transactions on a list run one after another, even across processes, so two visitors can't book overlapping calls.
 */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import type { Booking, SuggestedTime } from "../../schema/enquiry/calls.ts";
import { entities, type Item } from "../../schema/index.ts";
import { MAX_NOTES, type StoredReply } from "../../schema/enquiry/visitors.ts";
import {
  computeCallEnd,
  computeCallStart,
  findOpenSuggestedTimes,
  doCallsOverlap,
  withLastCallEnd,
} from "../shared/callTimes.ts";
import { type Clock, getTimestamp, createTimestampAfter } from "../shared/clock.ts";
import { conflict, noLongerExists, invalidField } from "../shared/errors.ts";
import { findVisibleIds } from "../bin/listedItems.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { DeleteWithFollowUp } from "../bin/bin.ts";
import type { ChangesOf, HandleOf, Store } from "../storage/store.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { CallMessages } from "./callMessages.ts";
import type { BookingLinkIds } from "./bookingLinks.ts";
import { getVisitorName, TIME_HAS_PASSED_MESSAGE } from "./suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

export type BookingPageState =
  /** The link is invalid (`broken`), no time can be chosen anymore (`ended`), or the visitor declined all times. */
  | { readonly kind: "broken" | "ended" | "declined" }
  | {
      readonly kind: "chosen";
      readonly booking: Booking;
      readonly questions: Submission["questions"];
    }
  | {
      readonly kind: "open";
      readonly submission: Submission;
      readonly reply: StoredReply;
      /** The times that are still free, each with its position in the reply. */
      readonly times: readonly { readonly index: number; readonly suggestedTime: SuggestedTime }[];
      /** Why booking failed: the time is taken (`taken`), or no time was chosen (`none`). */
      readonly problem?: "taken" | "none";
    };

interface BookingsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly messages: CallMessages;
  readonly createPushMessages: (
    outcome: "booked" | "declined",
    submission: Submission,
    replyId: string,
  ) => NewMessage[];
}

type Submissions = HandleOf<typeof entities.formSubmissions>;
type TransactionSubmissions = ChangesOf<Submissions>;
/** Reads submissions, inside or outside a transaction. */
type SubmissionRecords = Pick<Submissions, "get" | "readKeys">;

export class Bookings {
  readonly #context: BookingsContext;
  readonly #submissions: Submissions;

  constructor(context: BookingsContext) {
    this.#context = context;
    this.#submissions = context.store.of(entities.formSubmissions);
  }

  readState(linkIds: BookingLinkIds | undefined): Promise<BookingPageState> {
    return this.#readStateIn(this.#submissions, linkIds);
  }

  async #readStateIn(
    submissions: SubmissionRecords,
    linkIds: BookingLinkIds | undefined,
  ): Promise<BookingPageState> {
    if (!linkIds) return { kind: "broken" };
    const submission = await submissions.get(linkIds.submission);
    const reply = submission?.replies.find(({ id }) => id === linkIds.reply);
    const visibleForms = findVisibleIds(this.#context.store, entities.forms);
    if (!submission || !reply || !visibleForms.has(submission.formId)) return { kind: "ended" };
    const { booked, questions } = submission;
    const now = this.#context.clock();
    if (booked && computeCallEnd(booked) > now)
      return { kind: "chosen", booking: booked, questions };
    if (reply.ended === "declined") return { kind: "declined" };
    const openTimes = findOpenSuggestedTimes(reply, now);
    if (openTimes.length === 0) return { kind: "ended" };
    const otherBookings = await findOtherBookings(submissions, submission.id, now);
    const isFree = (suggestedTime: SuggestedTime) =>
      !otherBookings.some(({ booking }) => doCallsOverlap(suggestedTime, booking));
    const times = openTimes.filter(isFree).map((suggestedTime) => ({
      index: reply.offers?.indexOf(suggestedTime) ?? -1,
      suggestedTime,
    }));
    return { kind: "open", submission, reply, times };
  }

  /** Runs `work` in a transaction, which also stores the `messages` that `work` returns. Returns its `result`. */
  async #storeWithMessages<T>(
    work: (
      submissions: TransactionSubmissions,
    ) => Promise<{ result: T; messages?: readonly NewMessage[] }>,
  ): Promise<T> {
    let outcome: { result: T } | undefined;
    await this.#context.outbox.addInTransaction(async (transaction) => {
      const workResult = await work(transaction.of(entities.formSubmissions));
      outcome = workResult;
      return workResult.messages ?? [];
    });
    return assertDefined(outcome, "result of a transaction").result;
  }

  /** Books the time at position `index` of the reply. Throws `cannot_store`. */
  chooseTime(linkIds: BookingLinkIds | undefined, index: number): Promise<BookingPageState> {
    return this.#storeWithMessages<BookingPageState>(async (submissions) => {
      const state = await this.#readStateIn(submissions, linkIds);
      if (state.kind !== "open") return { result: state };
      const chosenTime = state.times.find((time) => time.index === index);
      if (!chosenTime) {
        const isSuggested = state.reply.offers?.[index] !== undefined;
        return { result: { ...state, problem: isSuggested ? "taken" : "none" } };
      }
      const { id, to } = state.reply;
      const changedAt = getTimestamp(this.#context.clock);
      const booking = { ...chosenTime.suggestedTime, id, to, sequence: 0, changedAt };
      const bookedSubmission = addBooking(state.submission, booking);
      await submissions.update(bookedSubmission.id, () => bookedSubmission);
      return {
        result: { kind: "chosen", booking, questions: bookedSubmission.questions },
        messages: [
          this.#context.messages.createVisitorNotification("booked", bookedSubmission, booking),
          ...this.#context.messages.createOwnerNotifications(bookedSubmission, booking),
          ...this.#context.createPushMessages("booked", bookedSubmission, id),
        ],
      };
    });
  }

  /** Declines all times of a reply. `message` may be empty. Throws `cannot_store`. */
  declineTimes(linkIds: BookingLinkIds | undefined, message: string): Promise<BookingPageState> {
    return this.#storeWithMessages<BookingPageState>(async (submissions) => {
      const state = await this.#readStateIn(submissions, linkIds);
      if (state.kind !== "open") return { result: state };
      const { submission, reply } = state;
      const declinedAt = getTimestamp(this.#context.clock);
      const declinedSubmission = addDecline(submission, reply, message, declinedAt);
      await submissions.update(submission.id, () => declinedSubmission);
      return {
        result: { kind: "declined" },
        messages: [
          ...this.#context.messages.createDeclineNotifications(declinedSubmission, reply, message),
          ...this.#context.createPushMessages("declined", declinedSubmission, reply.id),
        ],
      };
    });
  }

  /** Moves an upcoming call to `at`, in the site's local time, and notifies the visitor. Throws 404, 409 or 422. */
  moveCall(id: string, at: string): Promise<Submission> {
    return this.#storeWithMessages(async (submissions) => {
      const now = this.#context.clock();
      const { submission, booking } = await requireUpcomingCall(submissions, id, now);
      const zone = getSiteTimeZone(this.#context.store);
      const movedBooking = { ...this.#createNextVersion(booking), at, zone };
      if (computeCallStart(movedBooking) <= now) throw invalidField("at", TIME_HAS_PASSED_MESSAGE);
      const otherBookings = await findOtherBookings(submissions, id, now);
      const overlappingCall = otherBookings.find((each) =>
        doCallsOverlap(movedBooking, each.booking),
      );
      if (overlappingCall) {
        const name = getVisitorName(overlappingCall.questions);
        throw invalidField("at", `You already have a call with ${name} at that time.`);
      }
      const movedSubmission = { ...submission, booked: movedBooking };
      return this.#storeCallChange(submissions, movedSubmission, "moved", movedBooking);
    });
  }

  async #cancelBooking(
    submissions: TransactionSubmissions,
    submission: Submission,
    booking: Booking,
  ) {
    const stage = submission.stage === "booked" ? "talking" : submission.stage;
    const canceledSubmission = { ...submission, stage, booked: null };
    const canceledBooking = this.#createNextVersion(booking);
    return this.#storeCallChange(submissions, canceledSubmission, "cancelled", canceledBooking);
  }

  /** Stores an enquiry whose call has changed. Returns the enquiry and the message to the visitor. */
  async #storeCallChange(
    submissions: TransactionSubmissions,
    submission: Submission,
    change: "moved" | "cancelled",
    booking: Booking,
  ) {
    const result = withLastCallEnd(submission);
    await submissions.update(result.id, () => result);
    const { messages } = this.#context;
    return { result, messages: [messages.createVisitorNotification(change, result, booking)] };
  }

  /** Returns a copy of a call with a higher sequence number, so that calendars replace the earlier version. */
  #createNextVersion(booking: Booking): Booking {
    const changedAt = createTimestampAfter(booking.changedAt, this.#context.clock);
    return { ...booking, sequence: booking.sequence + 1, changedAt };
  }

  /** Cancels an upcoming call and notifies the visitor. Throws 404 or 409. */
  cancelCall(id: string): Promise<Submission> {
    return this.#storeWithMessages(async (submissions) => {
      const now = this.#context.clock();
      const { submission, booking } = await requireUpcomingCall(submissions, id, now);
      return this.#cancelBooking(submissions, submission, booking);
    });
  }

  /** Deletes an enquiry. If it has an upcoming call, cancels the call and notifies the visitor. */
  readonly deleteEnquiry: DeleteWithFollowUp = async (id, deleteItem) => {
    let isCallCanceled = false;
    await this.#context.outbox.addInTransaction(async (transaction) => {
      const submissions = transaction.of(entities.formSubmissions);
      const submission = await submissions.get(id);
      const { booked = null } = submission ?? {};
      isCallCanceled = booked !== null && computeCallEnd(booked) > this.#context.clock();
      return submission && booked && isCallCanceled
        ? (await this.#cancelBooking(submissions, submission, booked)).messages
        : [];
    }, deleteItem);
    return isCallCanceled ? "canceled a call" : undefined;
  };
}

/** Returns an enquiry's booked call. Throws a 404 or a 409 unless the call is upcoming. */
async function requireUpcomingCall(submissions: SubmissionRecords, id: string, now: number) {
  const submission = await submissions.get(id);
  if (!submission) throw noLongerExists(entities.formSubmissions);
  if (!submission.booked) throw conflict(NO_CALL_MESSAGE);
  if (computeCallEnd(submission.booked) <= now) throw conflict(CALL_OVER_MESSAGE);
  return { submission, booking: submission.booked };
}

const NO_CALL_MESSAGE = "No call is booked with this person. Reload the page.";
const CALL_OVER_MESSAGE = "This call is over. Reload the page.";

async function findOtherBookings(submissions: SubmissionRecords, id: string, now: number) {
  const recordKeys = await submissions.readKeys({
    callsUntil: { from: new Date(now).toISOString() },
  });
  const others = await Promise.all(
    recordKeys.filter((key) => key.id !== id).map((key) => submissions.get(key.id)),
  );
  return others.flatMap((each) =>
    each?.booked && computeCallEnd(each.booked) > now
      ? [{ booking: each.booked, questions: each.questions }]
      : [],
  );
}

/** Records a booking: marks its reply as chosen and closes the times of all other replies. */
function addBooking(submission: Submission, booking: Booking): Submission {
  const replies = submission.replies.map((reply): StoredReply => {
    if (reply.id === booking.id) return { ...reply, ended: "chosen" };
    return reply.offers && reply.ended === undefined ? { ...reply, ended: "closed" } : reply;
  });
  return withLastCallEnd({ ...submission, stage: "booked", booked: booking, replies });
}

/** Records that a visitor declined all times. Adds a note, unless the enquiry has the maximum number of notes. */
function addDecline(
  submission: Submission,
  reply: StoredReply,
  message: string,
  declinedAt: string,
): Submission {
  const text = message === "" ? DECLINE_NOTE : `${DECLINE_NOTE} "${message}"`;
  const note = { id: reply.id, at: declinedAt, by: getVisitorName(submission.questions), text };
  const replies = submission.replies.map((each): StoredReply =>
    each.id === reply.id ? { ...each, ended: "declined" } : each,
  );
  const { notes } = submission;
  return withLastCallEnd({
    ...submission,
    replies,
    notes: notes.length < MAX_NOTES ? [...notes, note] : notes,
  });
}

const DECLINE_NOTE = "None of the suggested times work.";
