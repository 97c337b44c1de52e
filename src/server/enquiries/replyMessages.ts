/**
 * Replies being sent. A reply is stored with its enquiry and, in the same transaction, queued as a message with a copy;
 * it is added to the enquiry again on sending, since a kill under an earlier release could come in between.
 */
import { entities, type Item } from "../../schema/index.ts";
import { COUNTRIES, countryNamed } from "../../schema/core/countries.ts";
import { CONSENT_ANSWER } from "../../schema/enquiry/questions.ts";
import type { AnsweredQuestion, StoredReply } from "../../schema/enquiry/visitors.ts";
import { dayInWords, wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import type { Block, MessageBranding } from "../shared/message.ts";
import { withoutLinks } from "../shared/untrustedText.ts";
import { withCallsUntil } from "../shared/callTimes.ts";
import type { Store } from "../storage/store.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import type { Outbox } from "../mail/queue/outbox.ts";
import { answerOf, small, text } from "../mail/messages/ownerMessages.ts";
import type { StoredMessage, MessageRenderer } from "../mail/queue/kinds.ts";
import type { TimeSuggestions } from "../bookings/suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

export interface ReplyPost {
  /** Writes the visitor's message, and adds the reply to its enquiry again. */
  readonly write: MessageRenderer;
  /**
   * Resolves once the reply is stored with its enquiry and queued; returns that. Throws 409 (too many open),
   * `cannot_store`.
   */
  add(submission: Submission, reply: StoredReply, replyTo: string): Promise<Submission>;
}

/** The `text` of a queued message. */
interface QueuedReply {
  readonly submissionId: string;
  readonly reply: StoredReply;
}

interface ReplyPostContext {
  readonly store: Store;
  readonly suggesting: TimeSuggestions;
  readonly outbox: Outbox;
  readonly stationery: () => MessageBranding;
}

export function replyMessages(context: ReplyPostContext): ReplyPost {
  const { store, outbox, suggesting } = context;
  const submissions = store.of(entities.formSubmissions);
  const keep = ({ submissionId, reply }: QueuedReply) =>
    submissions.update(submissionId, (each) => withReply(each, reply));

  return {
    async write(message) {
      const queued = queuedIn(message);
      if (!queued) return message;
      return replyMessage(context, await keep(queued), queued.reply);
    },
    async add(submission, reply, replyTo) {
      const queued: QueuedReply = { submissionId: submission.id, reply };
      const message = {
        kind: "reply",
        to: reply.to,
        replyTo,
        subject: reply.subject,
        text: JSON.stringify(queued),
        html: "",
        about: aboutOf(reply),
      } as const;
      let kept: Submission | undefined;
      await outbox.addWith(async (transaction) => {
        const list = transaction.of(entities.formSubmissions);
        kept = await list.update(submission.id, (each) => {
          suggesting.requireRoom(each, reply);
          return withReply(each, reply);
        });
        return [message];
      });
      return kept ?? withReply(submission, reply);
    },
  };
}

export const aboutOf = ({ id }: StoredReply) => `reply ${id}`;

/** Undefined for a message that an earlier version stored in full. */
const queuedIn = ({ text, html }: StoredMessage) =>
  html === "" ? (JSON.parse(text) as QueuedReply) : undefined;

/** Adding it again changes nothing. */
function withReply(submission: Submission, reply: StoredReply): Submission {
  if (submission.replies.some(({ id }) => id === reply.id)) return submission;
  const status = submission.status === "new" ? "reviewed" : submission.status;
  const stage = submission.stage === "" ? "talking" : submission.stage;
  return withCallsUntil({ ...submission, status, stage, replies: [...submission.replies, reply] });
}

/**
 * The visitor's message: the owner's text, the suggested times, and the enquiry below, if it still exists; without
 * links, since it may be in another person's name.
 */
function replyMessage(
  { stationery, suggesting }: ReplyPostContext,
  submission: Submission | undefined,
  reply: StoredReply,
) {
  const { subject, text: body } = reply;
  const site = stationery();
  const own = wordsFor(site.language);
  const blocks: Block[] = [text(body)];
  if (submission)
    blocks.push(...suggesting.blocks(submission, reply), ...enquiryBlocks(submission, own));
  const foot = fill(own.words.mail.replyFoot, { name: site.siteName });
  return { subject, ...renderMessage({ ...site, title: subject, blocks, foot }) };
}

const enquiryBlocks = ({ questions, createdAt }: Submission, own: SiteWords): Block[] => [
  { kind: "line" },
  small(
    createdAt
      ? fill(own.words.mail.youWrote, { day: dayInWords(own, createdAt) })
      : own.words.mail.youWroteHere,
  ),
  ...questions.map((each): Block => ({
    kind: "answer",
    label: each.label,
    answer: quotedAnswer(each, own),
  })),
];

/** An answer as its writer sees it; stored are English names of countries, and an English consent. */
function quotedAnswer(question: AnsweredQuestion, { words, locale }: SiteWords): string {
  const given = [question.answer].flat().join(", ");
  if (given === "") return "–";
  if (question.type === "consent") return given === CONSENT_ANSWER ? "✓" : given;
  const code = COUNTRIES.find(({ name }) => question.type === "country" && name === given)?.code;
  const shown = code ? countryNamed(code, locale) : answerOf(question, locale).answer;
  return withoutLinks(shown ?? given, words.mail.link);
}
