/**
 * A thank-you to who has sent an enquiry, where the form says so. Whoever fills in a form may name another's
 * address: so it is limited by recipient, by sender and for the site, and of what was typed it has a first name at
 * most.
 */
import pLimit from "p-limit";
import * as v from "valibot";
import { emailSchema } from "../../../schema/email.ts";
import { entities, type Item } from "../../../schema/index.ts";
import { wordsFor } from "../../../web/words/all.ts";
import { fill } from "../../../web/words/fill.ts";
import { rateLimits, visits } from "../../http/limits.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../../shared/config.ts";
import { isRefusal } from "../../shared/errors.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import type { Stationery } from "../../shared/message.ts";
import { DAY, MINUTE } from "../../shared/time.ts";
import { harmlessName } from "../../shared/typedWords.ts";
import type { Store } from "../../storage/store.ts";
import type { NewMessage, Outbox } from "../queue/outbox.ts";
import { addressIn, nameIn, text, type Words, written } from "./ownerMessages.ts";

type Submission = Item<"formSubmissions">;

interface ThankYouOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, "rateLimit">;
  readonly outbox: Outbox;
  readonly stationery: () => Stationery;
  readonly log: (line: string) => void;
}

const ONE_AN_HOUR = { burst: 1, perMinute: 1 / 60 };
/** One that wasn't by then counts for nothing. */
const STORED_WITHIN = MINUTE;
/** To one mailbox, in a day. */
const MOST_A_DAY = 3;

/** Returns what writes the message that thanks for a submission, once. */
export function thankYou(
  options: ThankYouOptions,
): (submission: Submission) => Promise<readonly NewMessage[]> {
  const { store, clock, config, outbox, stationery, log } = options;
  const limits = rateLimits({
    clock,
    enabled: config.rateLimit,
    visits: visits(clock),
    instances: store.instances,
  });
  const limit = limits({
    name: "thank-yous",
    perVisitor: { burst: 3, perMinute: 3 / 60 },
    wholeSite: { burst: 60, perMinute: 1 },
    // None: nobody misses an enquiry by it.
    reserve: { perNetwork: ONE_AN_HOUR, wholeSite: ONE_AN_HOUR },
  });

  /** Those that were written and are not stored yet, or couldn't be. */
  let underWay: { readonly about: string; readonly to: string; readonly at: number }[] = [];

  async function isTooMuch(to: string, { ipAddress }: Submission): Promise<boolean> {
    const mailbox = mailboxOf(to);
    const isTheirs = (other: string) => mailboxOf(other) === mailbox;
    underWay = underWay.filter(
      (each) => !outbox.knows(each.about, each.to) && each.at > clock() - STORED_WITHIN,
    );
    const unstored = underWay.filter((each) => isTheirs(each.to)).length;
    const stored = await outbox.count("thanks", isTheirs, clock() - DAY);
    if (config.rateLimit && stored + unstored >= MOST_A_DAY) return true;
    try {
      limit.take({ address: ipAddress ?? "unknown", userAgent: null });
      return false;
    } catch (error) {
      if (isRefusal(error, "too_many_requests")) return true;
      throw error;
    }
  }

  async function thank(submission: Submission): Promise<NewMessage[]> {
    const { id, formId, questions } = submission;
    const form = formOf(store, formId);
    const to = checkedAddress(addressIn(questions));
    const about = thanksFor(id);
    if (!form?.thanksMail || to === undefined || outbox.knows(about, to)) return [];
    const replyTo = store.of(entities.site).read().value.contactEmail;
    const words = thanksMessage(stationery(), form, submission);
    const message = { ...words, replyTo, kind: "thanks", to, isOnce: true } as const;
    if (await isTooMuch(to, submission)) {
      log(`mail: no thank-you for ${id}: ${TOO_MANY}`);
      // Kept: another instance, or this one after a restart, has limits that may have room by then.
      return [{ ...message, declined: TOO_MANY }];
    }
    underWay.push({ about, to, at: clock() });
    return [message];
  }

  // One after the other, so that each is counted before the next.
  const inTurn = pLimit(1);
  return (submission) => inTurn(() => thank(submission));
}

/** What a visitor gets: the owner's words, after a greeting with the first name where what was typed is one. */
function thanksMessage(
  site: Stationery,
  form: Pick<Item<"forms">, "name" | "thanksWords" | "thankYouMessage">,
  { id, questions }: Pick<Submission, "id" | "questions">,
): Words {
  const { mail } = wordsFor(site.language).words;
  const [firstName] = harmlessName(nameIn(questions))?.split(" ") ?? [];
  const blocks = [
    ...(firstName === undefined ? [] : [text(fill(mail.thanksHello, { name: firstName }))]),
    text(form.thanksWords || form.thankYouMessage || mail.thanksText),
  ];
  const foot = fill(mail.thanksFoot, { name: site.siteName });
  return { ...written(site, mail.thanksTitle, blocks, foot), about: thanksFor(id) };
}

/** Another matter than the owner's message about it, which may go to the same address. */
const thanksFor = (id: string) => `thanks ${id}`;

const TOO_MANY = "There were too many to this mailbox, or for enquiries from the same network.";

function formOf(store: Store, formId: string): Item<"forms"> | undefined {
  return store
    .of(entities.forms)
    .read()
    .value.find((each) => each.id === formId);
}

/** As an address that a message can go to, and to it alone. */
function checkedAddress(answer: string | null): string | undefined {
  const outcome = v.safeParse(emailSchema, answer);
  return outcome.success ? outcome.output : undefined;
}
