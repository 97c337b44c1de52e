/** Replies being sent: each is stored with its enquiry and queued as a message with a copy, in one transaction. */
import { entities, type Item } from "../../schema/index.ts";
import { COUNTRIES, countryNamed } from "../../schema/core/countries.ts";
import { CONSENT_ANSWER } from "../../schema/enquiry/questions.ts";
import type { AnsweredQuestion, StoredReply } from "../../schema/enquiry/visitors.ts";
import { dayInWords, wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import type { Block } from "../shared/message.ts";
import { withoutLinks } from "../shared/untrustedText.ts";
import { withCallsUntil } from "../shared/callTimes.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import { answerOf, type OwnerMailContext, small, text } from "../mail/messages/ownerMessages.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { TimesLinks } from "../bookings/links.ts";
import { suggestedTimeBlocks, suggestionProblem } from "../bookings/suggestedTimes.ts";
import { conflict } from "../shared/errors.ts";

type Submission = Item<"formSubmissions">;

export type ReplyPost = ReturnType<typeof replyMessages>;

/** The `text` of a queued message. */
interface QueuedReply {
  readonly submissionId: string;
  readonly reply: StoredReply;
}

interface ReplyPostContext extends OwnerMailContext {
  readonly links: TimesLinks;
}

export function replyMessages(context: ReplyPostContext) {
  const { store, outbox, clock } = context;
  const submissions = store.of(entities.formSubmissions);
  return {
    async write({ text }: Pick<StoredMessage, "text">) {
      const { submissionId, reply } = JSON.parse(text) as QueuedReply;
      return replyMessage(context, await submissions.get(submissionId), reply);
    },
    /**
     * Resolves once the reply is stored with its enquiry and queued; returns that. Throws 409 (too many open),
     * `cannot_store`.
     */
    async add(submission: Submission, reply: StoredReply, replyTo: string) {
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
      let stored: Submission | undefined;
      await outbox.addWith(async (transaction) => {
        const list = transaction.of(entities.formSubmissions);
        stored = await list.update(submission.id, (each) => {
          const refusal = reply.offers && suggestionProblem(each, clock());
          if (refusal) throw conflict(refusal);
          return withReply(each, reply);
        });
        return [message];
      });
      return stored ?? withReply(submission, reply);
    },
  };
}

export const aboutOf = ({ id }: StoredReply) => `reply ${id}`;

function withReply(submission: Submission, reply: StoredReply): Submission {
  const status = submission.status === "new" ? "reviewed" : submission.status;
  const stage = submission.stage === "" ? "talking" : submission.stage;
  return withCallsUntil({ ...submission, status, stage, replies: [...submission.replies, reply] });
}

/**
 * The visitor's message: the owner's text, the suggested times, and the enquiry below, if it still exists; without
 * links, since it may be in another person's name.
 */
function replyMessage(
  { stationery, links, clock }: ReplyPostContext,
  submission: Submission | undefined,
  reply: StoredReply,
) {
  const { subject, text: body } = reply;
  const site = stationery();
  const translation = wordsFor(site.language);
  const blocks: Block[] = [text(body)];
  if (submission)
    blocks.push(
      ...suggestedTimeBlocks(submission, reply, { site, links, now: clock() }),
      ...enquiryBlocks(submission, translation),
    );
  const foot = fill(translation.words.mail.replyFoot, { name: site.siteName });
  return { subject, ...renderMessage({ ...site, title: subject, blocks, foot }) };
}

const enquiryBlocks = ({ questions, createdAt }: Submission, translation: SiteWords): Block[] => [
  { kind: "line" },
  small(
    createdAt
      ? fill(translation.words.mail.youWrote, { day: dayInWords(translation, createdAt) })
      : translation.words.mail.youWroteHere,
  ),
  ...questions.map((each): Block => ({
    kind: "answer",
    label: each.label,
    answer: quotedAnswer(each, translation),
  })),
];

/** An answer as its writer sees it; stored are English names of countries, and an English consent. */
function quotedAnswer(question: AnsweredQuestion, { words, locale }: SiteWords): string {
  const answer = [question.answer].flat().join(", ");
  if (answer === "") return "–";
  if (question.type === "consent") return answer === CONSENT_ANSWER ? "✓" : answer;
  const code = COUNTRIES.find(({ name }) => question.type === "country" && name === answer)?.code;
  const shown = code ? countryNamed(code, locale) : answerOf(question, locale).answer;
  return withoutLinks(shown ?? answer, words.mail.link);
}
