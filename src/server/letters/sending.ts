/**
 * Sends letters, one after the other, at the pace that the provider allows. Nobody is missed and nobody gets
 * one twice, but for the message that was in flight when the power went, or when another instance took over
 * from one that lost the database; it has the same Message-ID:
 *
 * 1. The recipients are stored. 2. The letter is marked as being sent. 3. One is handed in, and how far it has
 *    come is on the disk before the next one. 4. What was refused for now is tried again, for two days.
 */
import { entities } from "../../schema/index.ts";
import { isoTime } from "../shared/clock.ts";
import { storeRecipients } from "./audience.ts";
import type { LettersContext, Outgoing } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { asRefusal, isAddressGone, type MailRefusal } from "./mailRefusal.ts";
import { paceOf } from "./pace.ts";
import { type Copy, type Letter, type Reader, writeLetter } from "./writeLetter.ts";
import type { IsOurs } from "../shared/instances.ts";
import { inRounds } from "../shared/rounds.ts";

export interface Sending {
  /** Looks now for what is due. */
  wake(): void;
  /** Ends after the message under way; what was begun goes on with the next start. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way: after a pause, no further message leaves. */
  settled(): Promise<void>;
  /** A letter that stood still is sent on by its owner: what it waited for is over. */
  resume(id: string): Promise<void>;
  /** Messages in a minute; undefined: as fast as they are taken. */
  pace(): number | undefined;
}

interface SendingContext extends LettersContext {
  readonly links: ListLinks;
  /** The path of a letter's page; undefined: it has none. */
  readonly pageOf: (letter: Letter) => string | undefined;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LOOK_EVERY = 15_000;
/** How long to wait after each refusal for now, of one recipient or of all. */
const WAITS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE);
const GIVEN_UP_AFTER = 2 * DAY;
/** What stood still for longer is not sent without being asked for once more. */
const STALE_AFTER = 2 * DAY;
/** So many refusals in a row are not about the recipients. */
const MOST_REFUSALS = 10;

export function sending(context: SendingContext): Sending {
  const { store, clock, log, mail, framed, links, pageOf } = context;
  const letters = store.of(entities.letters);
  const recipients = store.of(entities.letterRecipients);
  const progress = store.of(entities.letterProgress);
  const subscriptions = store.of(entities.emailSubscriptions);
  /** After trouble with the server: nothing is tried before. */
  const rest = { until: 0, times: 0 };
  let refusals = 0;
  const pace = paceOf(mail);

  /** Of the round under way. */
  let isOurs!: IsOurs;

  async function round(ours: IsOurs): Promise<void> {
    isOurs = ours;
    // What another instance was the last to write.
    await progress.update((list) => list);
    for (const { id } of await dueLetters()) {
      if (rounds.isStopping()) return;
      await oneLetter(id); // oxlint-disable-line no-await-in-loop -- one after the other
    }
  }

  async function dueLetters() {
    return (
      await letters.keys([
        { state: "sending" },
        { state: "scheduled", sendAt: { upTo: isoTime(clock) } },
      ])
    ).toSorted((a, b) => (a.sendAt ?? "").localeCompare(b.sendAt ?? ""));
  }

  async function oneLetter(id: string): Promise<void> {
    let letter = await letters.get(id);
    if (!letter || !mail.sender() || clock() < rest.until) return;
    const since = progressOf(id)?.movedAt || Date.parse(letter.sendAt ?? "");
    if (clock() - since > STALE_AFTER) return pause(id, STALE);
    if (letter.state === "scheduled" || !progressOf(id)) letter = await begin(letter);
    if (!letter) return;
    const { postalAddress } = store.of(entities.letterSettings).read().value;
    const copyFor = writeLetter(letter, {
      framed,
      site: mail.stationery(),
      postalAddress,
      page: pageOf(letter),
    });
    if ((await firstPass(letter, copyFor)) && (await againPass(letter, copyFor)))
      await finish(letter);
  }

  /** Steps 1 and 2; begun anew after a kill in between, when nothing has left yet. */
  async function begin({ id, audience }: Letter): Promise<Letter | undefined> {
    const total = await storeRecipients(store, id, audience, clock(), isOurs);
    if (total === undefined) return undefined;
    await progress.update((list) => [
      ...list.filter((each) => each.id !== id),
      { id, after: "", sent: 0, movedAt: clock() },
    ]);
    return letters.update(id, (letter) =>
      letter.state === "scheduled" || letter.state === "sending"
        ? {
            ...letter,
            state: "sending",
            startedAt: isoTime(clock),
            total,
            problem: null,
          }
        : letter,
    );
  }

  const progressOf = (id: string) => progress.read().value.find((each) => each.id === id);
  const isWanted = async (id: string) =>
    !rounds.isStopping() && (await isOurs()) && (await letters.get(id))?.state === "sending";

  /** Step 3. Returns whether it came to its end. */
  async function firstPass({ id }: Letter, copyFor: CopyFor): Promise<boolean> {
    const after = progressOf(id)?.after ?? "";
    const waiting = recipients.scan({
      where: { letterId: id, state: "waiting", id: { after } },
    });
    for await (const recipient of waiting) {
      if (!(await isWanted(id))) return false;
      // Erased since the list was read.
      if (!(await recipients.get(recipient.id))) continue;
      const result = await handIn(id, recipient, copyFor);
      if (result === "trouble") return false;
      await progress.update((list) =>
        list.map((each) =>
          // Not where another instance has taken over meanwhile, and is further.
          each.id === id && each.after < recipient.id
            ? {
                ...each,
                after: recipient.id,
                sent: each.sent + (result === "sent" ? 1 : 0),
                movedAt: clock(),
              }
            : each,
        ),
      );
    }
    return isWanted(id);
  }

  /** Step 4. Returns whether nobody is left. */
  async function againPass({ id }: Letter, copyFor: CopyFor): Promise<boolean> {
    const now = clock();
    const again = { letterId: id, state: "again" } as const;
    const due = recipients.scan({ where: { ...again, nextAt: { upTo: now } } });
    for await (const recipient of due) {
      if (!(await isWanted(id))) return false;
      if (!(await recipients.get(recipient.id))) continue;
      const result = await handIn(id, recipient, copyFor);
      if (result === "trouble") return false;
      if (result === "refused" || result === "again") continue;
      // Another instance may have taken over meanwhile.
      if (!(await recipients.delete(recipient.id))) continue;
      await progress.update((list) =>
        list.map((each) =>
          each.id === id
            ? { ...each, sent: each.sent + (result === "sent" ? 1 : 0), movedAt: clock() }
            : each,
        ),
      );
    }
    return (await recipients.keys(again)).length === 0;
  }

  type Recipient = NonNullable<Awaited<ReturnType<typeof recipients.get>>>;

  /** "trouble": it is about the server or the sender, and the same recipient is next. */
  async function handIn(
    letterId: string,
    recipient: Recipient,
    copyFor: CopyFor,
  ): Promise<"sent" | "left out" | "again" | "refused" | "trouble"> {
    const person = await subscriptions.get(recipient.subscriptionId);
    const send = mail.sender();
    if (!send) return "trouble";
    if (person?.status !== "active" || person.unreachable !== null) return "left out";
    await pace.wait();
    if (!(await isWanted(letterId))) return "trouble";
    const copy = copyFor({ name: person.name, leave: links.leave(person.id, letterId) });
    const domain = mail.sending()!.from.address.split("@")[1]!;
    try {
      await send(outgoing(recipient.to, `<${recipient.id}@${domain}>`, copy));
      rest.times = 0;
      refusals = 0;
      return "sent";
    } catch (error) {
      return afterRefusal(letterId, recipient, asRefusal(error));
    }
  }

  async function afterRefusal(letterId: string, recipient: Recipient, refusal: MailRefusal) {
    const { isAboutRecipient, isPermanent, message: problem, said } = refusal;
    if (!isAboutRecipient) {
      if (isPermanent) await pause(letterId, problem);
      else await letters.update(letterId, (letter) => ({ ...letter, problem }));
      rest.until = clock() + WAITS[Math.min(rest.times++, WAITS.length - 1)]!;
      return "trouble" as const;
    }
    const attempts = recipient.attempts + 1;
    const nextAt = clock() + WAITS[Math.min(attempts, WAITS.length) - 1]!;
    const began = Date.parse((await letters.get(letterId))?.startedAt ?? "");
    const isOver = isPermanent || nextAt - began > GIVEN_UP_AFTER;
    await recipients.update(recipient.id, (row) => ({
      ...row,
      attempts,
      nextAt,
      problem,
      said,
      state: isOver ? "refused" : "again",
    }));
    if (isPermanent && isAddressGone(refusal))
      await subscriptions.update(recipient.subscriptionId, (row) => ({
        ...row,
        unreachable: row.unreachable ?? "bounced",
      }));
    if (++refusals >= MOST_REFUSALS) {
      refusals = 0;
      await pause(letterId, TOO_MANY);
    }
    return isOver ? ("refused" as const) : ("again" as const);
  }

  async function finish({ id }: Letter): Promise<void> {
    const sent = progressOf(id)?.sent ?? 0;
    const refused = (await recipients.keys({ letterId: id, state: "refused" })).length;
    await letters.update(id, (letter) => ({
      ...letter,
      state: "sent",
      problem: null,
      finishedAt: isoTime(clock),
      sent,
      refused,
      leftOut: Math.max(0, letter.total - sent - refused),
    }));
    await recipients.deleteWhere({ letterId: id, state: "waiting" });
    await progress.update((list) => list.filter((each) => each.id !== id));
  }

  async function pause(id: string, problem: string): Promise<void> {
    await letters.update(id, (letter) => ({ ...letter, state: "paused", problem }));
    log(`letter ${id} stands still: ${problem}`);
  }

  const rounds = inRounds(LOOK_EVERY, () =>
    store.instances
      .alone("letters", round)
      .then(() => undefined)
      .catch(() => log(NOT_SENT)),
  );
  const { wake } = rounds;
  wake();
  return {
    wake,
    pace: pace.perMinute,
    settled: rounds.settled,
    async resume(id) {
      rest.until = 0;
      await progress.update((list) =>
        list.map((each) => (each.id === id ? { ...each, movedAt: clock() } : each)),
      );
    },
    async stop() {
      const stopped = rounds.stop();
      pace.release();
      await stopped;
    },
  };
}

type CopyFor = (reader: Reader) => Copy;

const outgoing = (to: string, messageId: string, { headers, ...copy }: Copy): Outgoing => ({
  to,
  messageId,
  replyTo: null,
  ...copy,
  // RFC 3834; "bulk" is what older programs know.
  headers: { ...headers, "Auto-Submitted": "auto-generated", Precedence: "bulk" },
});

const STALE =
  "The site stood still for more than two days, so it was not sent by itself. Send it on if it is still wanted.";
const TOO_MANY =
  "The mail server refused ten messages in a row, so it was stopped. Look at its words below, then send it on.";
const NOT_SENT = "A letter couldn't be sent on. Limelight will try again in a minute.";
