/**
 * A webhook: posts every new enquiry to the owner's URL, signed as in Standard Webhooks (standardwebhooks.com), through
 * the mail's outbox.
 */
import { present } from "../../../schema/present.ts";
import { createHmac, randomBytes } from "node:crypto";
import { entities, type Item } from "../../../schema/index.ts";
import type { Webhook } from "../../../schema/mail.ts";
import { isoTime } from "../../shared/clock.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { type CarrierContext, type EnquiryListener, GONE, enquirySummary } from "./enquiryNews.ts";
import { MailFault } from "../carriers/fault.ts";
import { callOutside } from "../carriers/outsideCall.ts";
import type { Carrier, Writer } from "../queue/kinds.ts";
import { addressIn, pathOf } from "./ownerMessages.ts";

type Submission = Item<"formSubmissions">;

export interface Webhooks extends EnquiryListener {
  readonly carrier: Carrier;
  /** A post's body. */
  readonly write: Writer;
  /** Undefined without a webhook. */
  current(): Webhook | undefined;
  /** Posts to this URL from now on; returns the secret if it is new, and keeps it sealed. */
  set(url: string): Promise<string | undefined>;
  /** Makes a new secret for the current URL. */
  renew(): Promise<string>;
  end(): Promise<void>;
  /** Posts an example now, past the outbox. Throws a `MailFault`. */
  test(): Promise<void>;
  /** For `refusedOutside`, which says what is wrong with a URL. */
  readonly mayBeInside: boolean;
}

/** The recipient in the outbox, whatever the URL is on sending. */
const TO = "webhook";

export function webhooks(context: CarrierContext): Webhooks {
  const { store, clock, settings, outbox, seal, stationery, sends, mayBeInside, ended } = context;
  const current = () => settings.read().value.webhook ?? undefined;

  // Written on sending, so that nothing a visitor typed is stored here too.
  const write: Writer = async ({ about, subject }) => {
    const submission = await store.of(entities.formSubmissions).get(about ?? "");
    if (!current()) throw new MailFault("recipient", ENDED, null, true);
    if (!submission) throw new MailFault("recipient", GONE, null, true);
    return { subject, text: JSON.stringify(enquiryEvent(submission)), html: "" };
  };

  function enquiryEvent(submission: Submission) {
    const { id, formId, createdAt, questions } = submission;
    const { formName } = enquirySummary(store, submission);
    const { siteUrl } = stationery();
    return {
      type: "enquiry.created",
      timestamp: createdAt,
      data: {
        id,
        form: { id: formId, name: formName },
        questions: questions.map(({ label, type, answer }) => ({ label, type, answer })),
        ...(siteUrl !== undefined && { link: siteUrl + pathOf(submission) }),
      },
    };
  }

  async function deliver({ messageId, text }: OutgoingMessage): Promise<void> {
    const hook = current();
    if (!hook) throw new MailFault("recipient", ENDED, null, true);
    const secret = seal.open(hook.sealedSecret);
    if (secret === undefined) throw new MailFault("login", SECRET_LOST);
    // Signed parts are joined by dots, so the id has none.
    const id = messageId.slice(1, messageId.indexOf("@"));
    const response = await callOutside({
      url: new URL(hook.url),
      mayBeInside,
      ended,
      body: text,
      headers: {
        "content-type": "application/json",
        "user-agent": "Limelight",
        ...signatureOf(secret, id, Math.floor(clock() / 1000), text),
      },
    });
    if (response.status >= 200 && response.status < 300) return;
    throw faultOf(response.status, response.said);
  }

  const save = (webhook: Webhook | null) => settings.update((value) => ({ ...value, webhook }));
  const withSecret = (url: string) => {
    const secret = SECRET_MARK + randomBytes(32).toString("base64");
    return { secret, hook: { url, sealedSecret: seal.close(secret), since: isoTime(clock) } };
  };

  return {
    carrier: {
      send: () => (sends ? deliver : undefined),
      pace: () => 0,
      nameOf: () => hostOf(current()),
    },
    write,
    current,
    mayBeInside,
    async set(url) {
      const now = current();
      // A secret belongs to its receiver: another host gets a new one.
      if (now && new URL(now.url).host === new URL(url).host) {
        await save({ ...now, url });
        return undefined;
      }
      const { secret, hook } = withSecret(url);
      await save(hook);
      outbox.wake();
      return secret;
    },
    async renew() {
      const now = present(current(), "webhook");
      const { secret, hook } = withSecret(now.url);
      await save({ ...hook, since: now.since });
      outbox.wake();
      return secret;
    },
    end: async () => void (await save(null)),
    test: () =>
      deliver({
        messageId: `<${Bun.randomUUIDv7()}@test>`,
        text: JSON.stringify(testEvent(isoTime(clock))),
        to: TO,
        replyTo: null,
        subject: "",
        html: "",
        headers: {},
      }),
    since: () => {
      const now = current();
      return now ? Date.parse(now.since) : undefined;
    },
    messages(submission) {
      if (outbox.knows(submission.id, TO)) return [];
      const message = {
        kind: "webhook",
        to: TO,
        // Erasures find messages about a person by it.
        replyTo: addressIn(submission.questions),
        subject: "New submission",
        text: "",
        html: "",
        about: submission.id,
        isOnce: true,
      } as const;
      return [message];
    },
  };
}

/** Standard Webhooks, "Webhook Headers" and "Signature scheme". `at`: seconds since 1970. */
function signatureOf(secret: string, id: string, at: number, body: string) {
  const key = Buffer.from(secret.slice(SECRET_MARK.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${signature}`,
  };
}

const SECRET_MARK = "whsec_";

const testEvent = (timestamp: string) => ({
  type: "test",
  timestamp,
  data: { message: "Limelight can reach this webhook." },
});

export const hostOf = (hook: Webhook | undefined) => (hook ? new URL(hook.url).host : TO);

/** A retry may help: the receiver is down, or asks to wait. 410 means it wants no more. */
function faultOf(status: number, said: string): MailFault {
  const message = `The webhook responded with ${status}.`;
  if (status === 410) return new MailFault("recipient", message, said || null, true);
  const concernsAll = status === 429 || status >= 500 || status === 401 || status === 403;
  return new MailFault(concernsAll ? "connection" : "recipient", message, said || null);
}

const ENDED = "The webhook was turned off, so it wasn't called.";
const SECRET_LOST =
  "The webhook's secret can't be read, because the site was moved or restored. Create a new one under Email.";
