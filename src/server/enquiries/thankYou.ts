/**
 * A thank-you to the sender of an enquiry, if the form has one. The address may be someone else's: so it is limited by
 * recipient, by sender and for the site, and contains at most a first name of what was typed.
 */
import pLimit from "p-limit";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { entities, type Item } from "../../schema/index.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import { rateLimits, visits } from "../http/limits.ts";
import type { Clock } from "../shared/clock.ts";
import type { Config } from "../shared/config.ts";
import { isRefusal } from "../shared/errors.ts";
import { mailboxOf } from "../shared/mailbox.ts";
import type { MessageBranding } from "../shared/message.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import { safeName } from "../shared/untrustedText.ts";
import type { Store } from "../storage/store.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import {
  findEmail,
  findName,
  text,
  type MessageContent,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";

type Submission = Item<"formSubmissions">;

interface ThankYouOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, "rateLimit">;
  readonly outbox: Outbox;
  readonly stationery: () => MessageBranding;
  readonly log: (line: string) => void;
}

const ONE_AN_HOUR = { burst: 1, perMinute: 1 / 60 };
/** If an enquiry isn't stored by then, its message doesn't count. */
const STORED_WITHIN = MINUTE;
/** Per mailbox and day. */
const MOST_A_DAY = 3;

/** Returns a function that writes the thank-you for a submission, once. */
export function thankYou(
  options: ThankYouOptions,
): (submission: Submission) => Promise<readonly NewMessage[]> {
  const { store, clock, config, outbox, stationery, log } = options;
  const limit = thanksLimit(options);

  /** Messages written but not stored yet, or never stored. */
  let underWay: { readonly about: string; readonly to: string; readonly at: number }[] = [];

  async function isTooMuch(to: string, { ipAddress }: Submission): Promise<boolean> {
    const mailbox = mailboxOf(to);
    const isTheirs = (other: string) => mailboxOf(other) === mailbox;
    underWay = underWay.filter(
      (each) => !outbox.hasMessageAbout(each.about, each.to) && each.at > clock() - STORED_WITHIN,
    );
    const unstored = underWay.filter((each) => isTheirs(each.to)).length;
    const stored = (await outbox.recipientsSince("thanks", clock() - DAY)).filter(isTheirs).length;
    if (config.rateLimit && stored + unstored >= MOST_A_DAY) return true;
    try {
      limit.consume({ address: ipAddress ?? "unknown", userAgent: null });
      return false;
    } catch (error) {
      if (isRefusal(error, "too_many_requests")) return true;
      throw error;
    }
  }

  async function thank(submission: Submission): Promise<NewMessage[]> {
    const { id, formId, questions } = submission;
    const form = formOf(store, formId);
    const to = checkedAddress(findEmail(questions));
    const about = thanksFor(id);
    if (!form?.thanksMail || to === undefined || outbox.hasMessageAbout(about, to)) return [];
    const replyTo = store.of(entities.site).read().value.contactEmail;
    const content = thanksMessage(stationery(), form, submission);
    const message = { ...content, replyTo, kind: "thanks", to, isOnce: true } as const;
    if (await isTooMuch(to, submission)) {
      log(`mail: no thank-you for ${id}: ${TOO_MANY}`);
      // Stored: another instance, or this one after a restart, might have room in its limits.
      return [{ ...message, declined: TOO_MANY }];
    }
    underWay.push({ about, to, at: clock() });
    return [message];
  }

  // One after another, so that each is counted before the next.
  const inTurn = pLimit(1);
  return (submission) => inTurn(() => thank(submission));
}

function thanksLimit({ store, clock, config }: ThankYouOptions) {
  const limits = rateLimits({
    clock,
    enabled: config.rateLimit,
    visits: visits(clock),
    channel: store.instances,
  });
  return limits({
    name: "thank-yous",
    perVisitor: { burst: 3, perMinute: 3 / 60 },
    wholeSite: { burst: 60, perMinute: 1 },
    // Next to none: no enquiry is lost.
    reserve: { perNetwork: ONE_AN_HOUR, wholeSite: ONE_AN_HOUR },
  });
}

/** The owner's text after a greeting with the first name, if one was typed. */
function thanksMessage(
  site: MessageBranding,
  form: Pick<Item<"forms">, "name" | "thanksWords">,
  { id, questions }: Pick<Submission, "id" | "questions">,
): MessageContent {
  const { mail } = wordsFor(site.language).words;
  const [firstName] = safeName(findName(questions))?.split(" ") ?? [];
  const blocks = [
    ...(firstName === undefined ? [] : [text(fill(mail.thanksHello, { name: firstName }))]),
    text(form.thanksWords || mail.thanksText),
  ];
  const foot = fill(mail.thanksFoot, { name: site.siteName });
  return { ...renderOwnerMessage(site, mail.thanksTitle, blocks, foot), about: thanksFor(id) };
}

/** Differs from the owner's message about it, which may go to the same address. */
const thanksFor = (id: string) => `thanks ${id}`;

const TOO_MANY =
  "Too many thank-you emails went to this mailbox, or to submissions from the same network.";

function formOf(store: Store, formId: string): Item<"forms"> | undefined {
  return store
    .of(entities.forms)
    .read()
    .value.find((each) => each.id === formId);
}

/** The answer as a single address that a message can go to. */
function checkedAddress(answer: string | null): string | undefined {
  const outcome = v.safeParse(emailSchema, answer);
  return outcome.success ? outcome.output : undefined;
}
