/**
 * A thank-you to who has sent an enquiry, with a copy of the answers, where the form says so. Whoever fills in a
 * form may name another's address: so it is limited by recipient, by sender and for the site, and carries no
 * link of theirs.
 */
import * as v from "valibot";
import { emailSchema } from "../../schema/email.ts";
import { entities, type Item } from "../../schema/index.ts";
import { rateLimits, visits } from "../http/limits.ts";
import type { Clock } from "../shared/clock.ts";
import type { Config } from "../shared/config.ts";
import { isRefusal } from "../shared/errors.ts";
import { mailboxOf } from "../shared/mailbox.ts";
import type { Block, Stationery } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import type { Outbox } from "./outbox.ts";
import { addressIn, answerBlock, text, type Words, written } from "./ownerMessages.ts";

type Submission = Item<"formSubmissions">;

interface ThankYouOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, "rateLimit">;
  readonly outbox: Outbox;
  readonly stationery: () => Stationery;
  readonly log: (line: string) => void;
}

const DAY = 24 * 60 * 60 * 1000;
const ONE_AN_HOUR = { burst: 1, perMinute: 1 / 60 };
/** To one mailbox, in a day. */
const MOST_A_DAY = 3;

/** Returns what thanks for a submission, once. */
export function thankYou(options: ThankYouOptions): (submission: Submission) => Promise<void> {
  const { store, clock, config, outbox, stationery, log } = options;
  const limits = rateLimits({
    clock,
    enabled: config.rateLimit,
    visits: visits(clock),
    instances: store.instances,
    name: "thanks",
  });
  const limit = limits({
    perVisitor: { burst: 3, perMinute: 3 / 60 },
    wholeSite: { burst: 60, perMinute: 1 },
    // None: nobody misses an enquiry by it.
    reserve: { perNetwork: ONE_AN_HOUR, wholeSite: ONE_AN_HOUR },
  });

  async function isTooMuch(to: string, { ipAddress }: Submission): Promise<boolean> {
    const mailbox = mailboxOf(to);
    const isTheirs = (other: string) => mailboxOf(other) === mailbox;
    if (config.rateLimit && (await outbox.count("thanks", isTheirs, clock() - DAY)) >= MOST_A_DAY)
      return true;
    try {
      limit.take({ address: ipAddress ?? "unknown", userAgent: null });
      return false;
    } catch (error) {
      if (isRefusal(error, "too_many_requests")) return true;
      throw error;
    }
  }

  async function thank(submission: Submission): Promise<void> {
    const { id, formId, questions } = submission;
    const form = formOf(store, formId);
    const to = checkedAddress(addressIn(questions));
    if (!form?.thanksMail || to === undefined) return;
    if (outbox.knows(thanksFor(id), to)) return;
    const replyTo = store.of(entities.site).read().value.contactEmail;
    const words = thanksMessage(stationery(), form, submission);
    const message = { ...words, replyTo, kind: "thanks", to, isOnce: true } as const;
    if (!(await isTooMuch(to, submission))) return void (await outbox.add(message));
    // Kept: another instance, or this one after a restart, has limits that may have room by then.
    if (await outbox.decline(message, TOO_MANY)) log(`mail: no thank-you for ${id}: ${TOO_MANY}`);
  }

  // One after the other, so that each is counted before the next.
  let last: Promise<void> = Promise.resolve();
  return (submission) => (last = last.catch(() => {}).then(() => thank(submission)));
}

/** What a visitor gets. Its subject holds nothing that was typed into the form. */
export function thanksMessage(
  site: Stationery,
  form: Pick<Item<"forms">, "name" | "thanksWords" | "thankYouMessage">,
  { id, questions }: Pick<Submission, "id" | "questions">,
): Words {
  const blocks: Block[] = [
    text(form.thanksWords || form.thankYouMessage || USUAL_WORDS),
    { kind: "line" },
    { kind: "heading", text: "Your answers" },
    ...questions.map((each) => withoutLinks(answerBlock(each))),
  ];
  const foot = `You get this once, since this address was entered in a form on the site of ${site.siteName}. If that wasn't you, nothing more will come.`;
  return { ...written(site, "Thank you for your enquiry", blocks, foot), about: thanksFor(id) };
}

/** Another matter than the owner's message about it, which may go to the same address. */
const thanksFor = (id: string) => `thanks ${id}`;

const TOO_MANY = "There were too many to this mailbox, or for enquiries from the same network.";
const USUAL_WORDS = "Thank you. Your message has arrived, and you will hear back soon.";

/** Nobody uses the site to send advertisements to others. */
const LINK = /(?:\b[a-z][a-z\d+.-]{1,20}:\/\/|\bwww\.)[^\s]+/giu;
const LONGEST_ANSWER = 2000;

function withoutLinks(block: Block): Block {
  if (block.kind !== "answer") return block;
  const answer = block.answer.replace(LINK, "(a link)");
  const isLong = answer.length > LONGEST_ANSWER;
  return { ...block, answer: isLong ? answer.slice(0, LONGEST_ANSWER) : answer };
}

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
