/** The messages with owners' replies. One transaction stores a reply with its enquiry and queues its message. */
import { entities, type Item } from "../../schema/index.ts";
import { COUNTRIES, findCountryName } from "../../schema/core/countries.ts";
import { CONSENT_ANSWER } from "../../schema/enquiry/questions.ts";
import type { AnsweredQuestion, StoredReply } from "../../schema/enquiry/visitors.ts";
import { formatDayInLanguage, getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import type { MessageBlock } from "../shared/message.ts";
import { replaceLinks } from "../shared/untrustedText.ts";
import { withLastCallEnd } from "../shared/callTimes.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import {
  formatAnswer,
  type OwnerMailContext,
  createSmallTextBlock,
  createTextBlock,
} from "../mail/messages/ownerMessages.ts";
import type { StoredMessage } from "../mail/queue/messageKinds.ts";
import type { BookingLinks } from "../bookings/bookingLinks.ts";
import { createSuggestedTimeBlocks, findSuggestionProblem } from "../bookings/suggestedTimes.ts";
import { conflict } from "../shared/errors.ts";

type Submission = Item<"formSubmissions">;

export type ReplyMessages = ReturnType<typeof createReplyMessages>;

/** The content of a queued message, as JSON in its `text`. */
interface QueuedReply {
  readonly submissionId: string;
  readonly reply: StoredReply;
}

interface ReplyMessagesContext extends OwnerMailContext {
  readonly links: BookingLinks;
}

export function createReplyMessages(context: ReplyMessagesContext) {
  const { store, outbox, clock, getBranding, links } = context;
  const submissions = store.of(entities.formSubmissions);
  return {
    /**
     * Renders the message to the visitor: the owner's text, the suggested times and the enquiry. Links in the enquiry
     * are removed: someone may have sent it with another person's address, to send them a link.
     */
    async renderMessage({ text }: Pick<StoredMessage, "text">) {
      const { submissionId, reply } = JSON.parse(text) as QueuedReply;
      const { subject, text: body } = reply;
      const submission = await submissions.get(submissionId);
      const site = getBranding();
      const translation = getWords(site.language);
      const blocks: MessageBlock[] = [createTextBlock(body)];
      if (submission)
        blocks.push(
          ...createSuggestedTimeBlocks(submission, reply, { site, links, now: clock() }),
          ...createEnquiryBlocks(submission, translation),
        );
      const { withColon, mail } = translation.words;
      const footer = fillPlaceholders(mail.replyFoot, { name: site.siteName });
      return {
        subject,
        ...renderMessage({ ...site, colonFormat: withColon, title: subject, blocks, footer }),
      };
    },
    /** Stores a reply and queues its message. Throws a 409 if no more times can be suggested, or `cannot_store`. */
    async add(submission: Submission, reply: StoredReply, replyTo: string) {
      const queuedReply: QueuedReply = { submissionId: submission.id, reply };
      const message = {
        kind: "reply",
        to: reply.to,
        replyTo,
        subject: reply.subject,
        text: JSON.stringify(queuedReply),
        html: "",
        about: createReplyMessageKey(reply),
      } as const;
      let updatedSubmission: Submission | undefined;
      await outbox.addInTransaction(async (transaction) => {
        const list = transaction.of(entities.formSubmissions);
        updatedSubmission = await list.update(submission.id, (current) => {
          const refusal = reply.offers && findSuggestionProblem(current, clock());
          if (refusal) throw conflict(refusal);
          return addReply(current, reply);
        });
        return [message];
      });
      return updatedSubmission ?? addReply(submission, reply);
    },
  };
}

export const createReplyMessageKey = ({ id }: StoredReply) => `reply ${id}`;

function addReply(submission: Submission, reply: StoredReply): Submission {
  const status = submission.status === "new" ? "reviewed" : submission.status;
  const stage = submission.stage === "" ? "talking" : submission.stage;
  return withLastCallEnd({ ...submission, status, stage, replies: [...submission.replies, reply] });
}

const createEnquiryBlocks = (
  { questions, createdAt }: Submission,
  translation: SiteWords,
): MessageBlock[] => [
  { kind: "line" },
  createSmallTextBlock(
    createdAt
      ? fillPlaceholders(translation.words.mail.youWrote, {
          day: formatDayInLanguage(translation, createdAt),
        })
      : translation.words.mail.youWroteHere,
  ),
  ...questions.map((each): MessageBlock => ({
    kind: "answer",
    label: each.label,
    answer: formatQuotedAnswer(each, translation),
  })),
];

/** Formats an answer in the site's language. Countries and the consent are stored in English. */
function formatQuotedAnswer(question: AnsweredQuestion, { words, locale }: SiteWords): string {
  const answer = [question.answer].flat().join(", ");
  if (answer === "") return "–";
  if (question.type === "consent") return answer === CONSENT_ANSWER ? "✓" : answer;
  const code = COUNTRIES.find(({ name }) => question.type === "country" && name === answer)?.code;
  const formattedAnswer = code
    ? findCountryName(code, locale)
    : formatAnswer(question, locale).answer;
  return replaceLinks(formattedAnswer ?? answer, words.mail.linkReplacement);
}
