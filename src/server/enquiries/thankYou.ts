/**
 * Thanks the sender of an enquiry by email, if the form's owner turned this on. Anyone may type another person's
 * address, so thank-yous are limited and contain no typed text except a first name.
 */
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import { createRateLimitFactory, createPageViews } from "../http/rateLimits.ts";
import type { CreateEnquiryMessages } from "../notifications/notificationContext.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Config } from "../shared/config.ts";
import { isRefusal } from "../shared/errors.ts";
import { normalizeMailbox } from "../shared/mailbox.ts";
import type { MessageBranding } from "../shared/message.ts";
import { DAY } from "../shared/time.ts";
import { sanitizeName } from "../shared/untrustedText.ts";
import { findItem } from "../storage/store.ts";
import {
  findEmail,
  findName,
  createTextBlock,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";

type Submission = Item<"formSubmissions">;

interface ThankYouOptions extends OwnerMailContext {
  readonly config: Pick<Config, "rateLimit">;
  readonly log: (line: string) => void;
}

const ONE_PER_HOUR = { burst: 1, perMinute: 1 / 60 };
/** The maximum number of thank-yous to one mailbox in a day. */
const MAX_MESSAGES_PER_DAY = 3;
/** The number of remembered mailboxes: more than the site can thank in a day. */
const MAX_MAILBOXES = 2000;

export function createThankYouMail(options: ThankYouOptions): CreateEnquiryMessages {
  const { store, clock, config, outbox, getBranding, isSetUp, log } = options;
  const rateLimit = createThanksLimit(options);
  /** The times of recent thank-yous to each mailbox, in milliseconds since 1970, including unsent ones. */
  const recentTimesByMailbox = new BoundedMap<string, readonly number[]>(MAX_MAILBOXES);

  /** Counts a thank-you. If it would exceed a limit, returns true without counting it. */
  async function isLimitExceeded(to: string, { ipAddress }: Submission): Promise<boolean> {
    const mailbox = normalizeMailbox(to);
    const storedCount = (await outbox.findRecipientsSince("thanks", clock() - DAY)).filter(
      (each) => normalizeMailbox(each) === mailbox,
    ).length;
    const recentTimes = (recentTimesByMailbox.get(mailbox) ?? []).filter(
      (at) => clock() - at < DAY,
    );
    if (config.rateLimit && Math.max(storedCount, recentTimes.length) >= MAX_MESSAGES_PER_DAY)
      return true;
    try {
      rateLimit.consume({ address: ipAddress ?? "unknown", userAgent: null });
    } catch (error) {
      if (isRefusal(error, "too_many_requests")) return true;
      throw error;
    }
    recentTimesByMailbox.set(mailbox, [...recentTimes, clock()]);
    return false;
  }

  return async (submission) => {
    const { id, formId, questions } = submission;
    const form = findItem(store, entities.forms, formId);
    const to = parseRecipient(findEmail(questions));
    if (!isSetUp() || !form?.thanksMail || to === undefined) return [];
    if (await isLimitExceeded(to, submission)) {
      log(`mail: no thank-you for ${id}: ${TOO_MANY_THANKS_MESSAGE}`);
      return [];
    }
    const replyTo = store.of(entities.site).read().value.contactEmail;
    const content = createThanksMessage(getBranding(), form, submission);
    return [{ ...content, replyTo, kind: "thanks", to, isUnique: true }];
  };
}

function createThanksLimit({ store, clock, config }: ThankYouOptions) {
  const createRateLimit = createRateLimitFactory({
    clock,
    isEnabled: config.rateLimit,
    pageViews: createPageViews(clock),
    channel: store.coordinator,
  });
  return createRateLimit({
    name: "thank-yous",
    perVisitor: { burst: 3, perMinute: 3 / 60 },
    wholeSite: { burst: 60, perMinute: 1 },
    // The reserve is small, since a missing thank-you loses no enquiry.
    reserve: { perNetwork: ONE_PER_HOUR, wholeSite: ONE_PER_HOUR },
  });
}

/** Creates the thank-you: a greeting with the typed first name, then the owner's text. */
function createThanksMessage(
  site: MessageBranding,
  form: Pick<Item<"forms">, "name" | "thanksWords">,
  { id, questions }: Pick<Submission, "id" | "questions">,
): MessageContent {
  const { mail } = getWords(site.language).words;
  const [firstName] = sanitizeName(findName(questions))?.split(" ") ?? [];
  const blocks = [
    ...(firstName === undefined
      ? []
      : [createTextBlock(fillPlaceholders(mail.thanksGreeting, { name: firstName }))]),
    createTextBlock(form.thanksWords || mail.thanksText),
  ];
  const footer = fillPlaceholders(mail.thanksFoot, { name: site.siteName });
  // With only the id, `findOverflowIds` would take a thank-you to an owner's address for the owner's message.
  return { ...renderOwnerMessage(site, mail.thanksTitle, blocks, footer), about: `thanks ${id}` };
}

const TOO_MANY_THANKS_MESSAGE =
  "Too many thank-you emails were sent recently to this address, or for submissions from the same network.";

function parseRecipient(answer: string | null): string | undefined {
  const outcome = v.safeParse(emailSchema, answer);
  return outcome.success ? outcome.output : undefined;
}
