/** The result of an attempt to send a stored message: accepted or refused. */
import { entities } from "../../../schema/index.ts";
import { type Clock, getTimestamp } from "../../shared/clock.ts";
import { getRetryDelayMs } from "../../shared/retries.ts";
import type { HandleOf, Store } from "../../storage/store.ts";
import { type DeliveryError, NothingToSendError } from "../transports/deliveryError.ts";
import type { StoredMessage } from "./messageKinds.ts";

/** The random part of a retry's delay: up to a fifth more or less, so that many messages aren't retried together. */
const RETRY_JITTER_FRACTION = 0.2;

/** The `nextAt` of a message that failed with a `NothingToSendError`. No notice reports such a message. */
const NO_RETRY_AT = 0;

/** Whether a message failed in a way that the owner has to know about. */
export const hasFailed = ({ state, nextAt }: Pick<StoredMessage, "state" | "nextAt">): boolean =>
  state === "failed" && nextAt !== NO_RETRY_AT;

/** Returns a message after a failed attempt. `trustedNow` decides whether the message has expired. */
export function recordFailedAttempt(
  message: StoredMessage,
  error: DeliveryError,
  now: number,
  trustedNow = now,
): StoredMessage {
  const attempts = message.attempts + 1;
  const delayMs =
    getRetryDelayMs(attempts) *
    (1 - RETRY_JITTER_FRACTION + 2 * RETRY_JITTER_FRACTION * Math.random());
  const isFinal = error.isPermanent || trustedNow + delayMs > message.expiresAt;
  return {
    ...message,
    attempts,
    problem: error.message,
    said: error.response,
    state: isFinal ? "failed" : "waiting",
    nextAt: error instanceof NothingToSendError ? NO_RETRY_AT : now + delayMs,
  };
}

/** Returns a message after it was accepted: it remains in the list, but its text is removed. */
const markSent = (message: StoredMessage, sentAt: string): StoredMessage => ({
  ...message,
  state: "sent",
  attempts: message.attempts + 1,
  problem: null,
  said: null,
  sentAt,
  text: "",
  html: "",
});

/**
 * Marks messages as sent. Each mark is stored before the next message is sent, so a crash causes at most one message to
 * be sent twice. If a mark can't be stored, it stays in memory, and nothing else is sent until it is stored.
 */
export class SentMessageRecorder {
  readonly #messages: HandleOf<typeof entities.outbox>;
  /** The time of sending by message id, for messages whose marks aren't stored yet. */
  readonly #pending = new Map<string, string>();

  constructor(
    store: Store,
    private readonly clock: Clock,
  ) {
    this.#messages = store.of(entities.outbox);
  }

  /** Returns a message, marked as sent if its mark isn't stored yet. */
  readonly withPendingMark = (message: StoredMessage): StoredMessage => {
    const sentAt = this.#pending.get(message.id);
    return sentAt && message.state === "waiting" ? markSent(message, sentAt) : message;
  };

  /** Marks a message as sent. If the mark can't be stored, throws `cannot_store` and keeps the mark in memory. */
  async recordSent(id: string): Promise<void> {
    this.#pending.set(id, getTimestamp(this.clock));
    await this.#storeMark(id);
  }

  /** Stores the marks that are only in memory. Throws `cannot_store`. */
  async storePending(): Promise<void> {
    for (const id of this.#pending.keys()) await this.#storeMark(id); // oxlint-disable-line no-await-in-loop -- one at most for each transport
  }

  async #storeMark(id: string): Promise<void> {
    await this.#messages.update(id, this.withPendingMark);
    this.#pending.delete(id);
  }
}
