/**
 * What a refusal does to its recipient and to the letter: who is tried again and when, what holds all up, and
 * what stops it. The server's words may be misread, so nobody holds up a letter alone: whoever was met by
 * trouble before is passed over once, and how the next one fares tells whose trouble it is.
 */
import { entities, type Item } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import { MOST_TRIES, waitAfter } from "../../shared/retries.ts";
import type { Store } from "../../storage/store.ts";
import { isAddressGone, type MailRefusal } from "./mailRefusal.ts";

type Recipient = Item<"letterRecipients">;

/**
 * "passed over": tried again later, though it may be about all. "trouble": it is about the server or the sender,
 * and the same recipient is next.
 */
export type Refused = "again" | "refused" | "passed over" | "trouble";

export interface Refusals {
  /** True: nothing is tried for now. */
  isResting(): boolean;
  /** What was waited for is over. */
  endRest(): void;
  /** A round begins: one may be passed over in it. */
  begin(): void;
  /** A message of the letter was taken. */
  taken(letterId: string): Promise<void>;
  /** Notes a refusal. */
  after(letterId: string, recipient: Recipient, refusal: MailRefusal): Promise<Refused>;
}

interface RefusalsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly pause: (letterId: string, problem: string) => Promise<void>;
}

/** So many first tries in a row that are refused are not about the recipients. */
const MOST_REFUSALS = 10;

/** Tries count, not days: while a letter is long, or paused by its owner, none of them is lost. */
const isLastTry = ({ attempts }: Recipient) => attempts + 1 >= MOST_TRIES;

export function refusals({ store, clock, pause }: RefusalsContext): Refusals {
  const letters = store.of(entities.letters);
  const recipients = store.of(entities.letterRecipients);
  const subscriptions = store.of(entities.emailSubscriptions);
  /** After trouble: nothing is tried before. */
  const rest = { until: 0, times: 0 };
  const held = new Set<string>();
  let inARow = 0;
  let hasPassedOver = false;

  async function note(
    recipient: Recipient,
    { message: problem, said }: MailRefusal,
    state: Recipient["state"],
  ): Promise<void> {
    const attempts = recipient.attempts + 1;
    const noted = { attempts, nextAt: clock() + waitAfter(attempts), problem, said, state };
    await recipients.update(recipient.id, (row) => ({ ...row, ...noted }));
  }

  /** It is about the server or the sender, as far as its words tell. */
  const trouble: Refusals["after"] = async (letterId, recipient, refusal) => {
    const { isPermanent, message: problem } = refusal;
    if (!isPermanent && recipient.attempts > 0 && !hasPassedOver) {
      hasPassedOver = true;
      const state = isLastTry(recipient) ? "refused" : "again";
      await note(recipient, refusal, state);
      return state === "again" ? "passed over" : state;
    }
    await note(recipient, refusal, recipient.state);
    if (isPermanent) await pause(letterId, problem);
    else await letters.update(letterId, (letter) => ({ ...letter, problem }));
    held.add(letterId);
    rest.until = clock() + waitAfter(++rest.times);
    return "trouble";
  };

  const theirs: Refusals["after"] = async (letterId, recipient, refusal) => {
    const isLast = refusal.isPermanent || isLastTry(recipient);
    const state = isLast ? "refused" : "again";
    await note(recipient, refusal, state);
    if (refusal.isPermanent && isAddressGone(refusal))
      await subscriptions.update(recipient.subscriptionId, (row) => ({
        ...row,
        unreachable: row.unreachable ?? "bounced",
      }));
    // Those who are tried again were refused before, one and all.
    if (recipient.state === "waiting" && ++inARow >= MOST_REFUSALS) {
      inARow = 0;
      await pause(letterId, TOO_MANY);
    }
    return state;
  };

  return {
    isResting: () => clock() < rest.until,
    endRest: () => void (rest.until = 0),
    begin: () => void (hasPassedOver = false),
    after: (letterId, recipient, refusal) =>
      (refusal.isAboutRecipient ? theirs : trouble)(letterId, recipient, refusal),
    async taken(letterId) {
      rest.times = 0;
      inARow = 0;
      hasPassedOver = false;
      if (held.delete(letterId))
        await letters.update(letterId, (letter) =>
          letter.state === "sending" ? { ...letter, problem: null } : letter,
        );
    },
  };
}

const TOO_MANY =
  "The mail server refused ten messages in a row, so it was stopped. Look at its words below, then send it on.";
