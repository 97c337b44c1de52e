/**
 * Replies on their way. A reply is kept with its enquiry and sent, by two writes of which a kill may take the
 * second: so the message is stored first, with all that the enquiry is to keep, and whoever comes first puts it
 * there: the route that stored it, the look after a start, or the round that sends it.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { StoredReply } from "../../schema/visitors.ts";
import type { Block, Stationery } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import { framed } from "./frame.tsx";
import type { Outbox } from "./outbox.ts";
import { answerBlock, small, text } from "./ownerMessages.ts";
import type { StoredMessage } from "./sendingRounds.ts";

type Submission = Item<"formSubmissions">;

export interface ReplyPost {
  /** Resolves once the reply can't be lost any more; returns the enquiry with it. Throws `cannot_store`. */
  add(submission: Submission, reply: StoredReply, replyTo: string): Promise<Submission>;
  /** Keeps with its enquiry what a kill kept from being there. */
  look(): Promise<void>;
}

/** What the text of a message holds until it goes. */
interface Owed {
  readonly submissionId: string;
  readonly reply: StoredReply;
}

interface ReplyPostContext {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly stationery: () => Stationery;
  readonly log: (line: string) => void;
}

/** To be made once, when the outbox has been opened. */
export function replyPost({ store, outbox, stationery, log }: ReplyPostContext): ReplyPost {
  const submissions = store.of(entities.formSubmissions);
  const messages = store.of(entities.outbox);
  const keep = ({ submissionId, reply }: Owed) =>
    submissions.update(submissionId, (each) => withReply(each, reply));

  outbox.handle("reply", {
    async write(message) {
      const owed = owedIn(message);
      if (!owed) return message;
      return replyMessage(stationery(), await keep(owed), owed.reply);
    },
  });

  return {
    async add(submission, reply, replyTo) {
      const owed: Owed = { submissionId: submission.id, reply };
      await outbox.add({
        kind: "reply",
        to: reply.to,
        replyTo,
        subject: reply.subject,
        text: JSON.stringify(owed),
        html: "",
        about: aboutOf(reply),
      });
      try {
        return (await keep(owed)) ?? withReply(submission, reply);
      } catch {
        log(NOT_KEPT);
        return withReply(submission, reply);
      }
    },
    async look() {
      for (const { id } of await messages.keys({ kind: "reply", state: "waiting" })) {
        const message = await messages.get(id); // oxlint-disable-line no-await-in-loop -- a few at most
        const owed = message && owedIn(message);
        if (owed) await keep(owed); // oxlint-disable-line no-await-in-loop
      }
    },
  };
}

const NOT_KEPT = "A reply couldn't be kept with its enquiry. Limelight will try again in a minute.";

export const aboutOf = ({ id }: StoredReply) => `reply ${id}`;

/** Undefined for one that an earlier version has stored as it goes out. */
const owedIn = ({ text: words, html }: StoredMessage) =>
  html === "" ? (JSON.parse(words) as Owed) : undefined;

/** However often it is put there, it is there once. */
function withReply(submission: Submission, reply: StoredReply): Submission {
  if (submission.replies.some(({ id }) => id === reply.id)) return submission;
  const status = submission.status === "new" ? "reviewed" : submission.status;
  return { ...submission, status, replies: [...submission.replies, reply] };
}

/** What the visitor gets: the owner's words, and below them what was asked for, if that is still there. */
function replyMessage(
  site: Stationery,
  submission: Submission | undefined,
  { subject, text: words }: StoredReply,
) {
  const blocks: Block[] = [text(words), ...(submission ? askedFor(submission) : [])];
  const foot = `You get this because you wrote to ${site.siteName}. Answer it to write back.`;
  return { subject, ...framed({ ...site, title: subject, blocks, foot }) };
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const askedFor = ({ questions, createdAt }: Submission): Block[] => [
  { kind: "line" },
  small(`What you wrote on ${createdAt ? DAY.format(new Date(createdAt)) : "our site"}:`),
  ...questions.map(answerBlock),
];
