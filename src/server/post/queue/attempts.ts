/** What becomes of a stored message with each try. */
import type { Item } from "../../../schema/index.ts";
import { waitAfter } from "../../shared/retries.ts";
import type { MailFault } from "../carriers/fault.ts";

type StoredMessage = Item<"outbox">;

/** Waits differ by a fifth, so that many messages don't come at the same moment. */
const SPREAD = 0.2;

export const FRESH = {
  state: "waiting",
  attempts: 0,
  problem: null,
  said: null,
  sentAt: null,
} as const;

/** The next try of what was never to be sent. By a value, so that an earlier release can read it: as a failure. */
const NEVER = 0;

/** Such a message, which is there so that nobody decides otherwise later. */
export const declinedFor = (problem: string) =>
  ({ state: "failed", problem, nextAt: NEVER, expiresAt: NEVER, text: "", html: "" }) as const;

export const isDeclined = ({ state, nextAt }: Pick<StoredMessage, "state" | "nextAt">): boolean =>
  state === "failed" && nextAt === NEVER;

/** Nobody needs to read it here again: the words go, the line in the list stays. */
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

/** `trustedNow`: the present moment as far as it can be trusted, by which it is given up. */
export function afterFault(
  stored: StoredMessage,
  fault: MailFault,
  now: number,
  trustedNow = now,
): StoredMessage {
  const attempts = stored.attempts + 1;
  const wait = waitAfter(attempts) * (1 - SPREAD + 2 * SPREAD * Math.random());
  const nextAt = now + wait;
  const isOver = fault.isPermanent || trustedNow + wait > stored.expiresAt;
  return {
    ...stored,
    attempts,
    problem: fault.message,
    said: fault.said,
    state: isOver ? "failed" : "waiting",
    nextAt,
  };
}
