/** The result of a try for a stored message. */
import type { Item } from "../../../schema/index.ts";
import { retryDelayMs } from "../../shared/retries.ts";
import { type DeliveryError, NothingToSend } from "../carriers/deliveryError.ts";

type StoredMessage = Item<"outbox">;

/** Waits vary by a fifth, so that many messages don't retry together. */
const RETRY_JITTER = 0.2;

export const NEW_MESSAGE_STATE = {
  state: "waiting",
  attempts: 0,
  problem: null,
  said: null,
  sentAt: null,
} as const;

/** `nextAt` of a message that is never sent, though nothing failed. */
const NEVER_SENT_AT = 0;

export const hasFailed = ({ state, nextAt }: Pick<StoredMessage, "state" | "nextAt">): boolean =>
  state === "failed" && nextAt !== NEVER_SENT_AT;

/** Removes the text, which is no longer needed, but not the entry in the list. */
export function afterSuccess(stored: StoredMessage, sentAt: string): StoredMessage {
  return {
    ...stored,
    state: "sent",
    attempts: stored.attempts + 1,
    problem: null,
    said: null,
    sentAt,
    text: "",
    html: "",
  };
}

/** `trustedNow`: the time as far as it can be trusted, which determines when retries end. */
export function afterFailure(
  stored: StoredMessage,
  fault: DeliveryError,
  now: number,
  trustedNow = now,
): StoredMessage {
  const attempts = stored.attempts + 1;
  const wait = retryDelayMs(attempts) * (1 - RETRY_JITTER + 2 * RETRY_JITTER * Math.random());
  const nextAt = now + wait;
  const isOver = fault.isPermanent || trustedNow + wait > stored.expiresAt;
  return {
    ...stored,
    attempts,
    problem: fault.message,
    said: fault.reply,
    state: isOver ? "failed" : "waiting",
    nextAt: fault instanceof NothingToSend ? NEVER_SENT_AT : nextAt,
  };
}
