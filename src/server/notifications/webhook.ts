/**
 * A webhook: posts every new enquiry to the owner's URL, signed as in Standard Webhooks (standardwebhooks.com), through
 * the mail's outbox.
 */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { createHmac, randomBytes } from "node:crypto";
import { entities } from "../../schema/index.ts";
import type { Webhook } from "../../schema/people/mail.ts";
import { isoTime } from "../shared/clock.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import type { CarrierContext, EnquiryListener } from "./listener.ts";
import { DeliveryError, NothingToSend } from "../mail/carriers/deliveryError.ts";
import { postExternally } from "./externalRequest.ts";
import type { Carrier, MessageRenderer } from "../mail/queue/kinds.ts";
import {
  findEmail,
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  enquiryPath,
} from "../mail/messages/ownerMessages.ts";

/** The recipient in the outbox, whatever the URL is on sending. */
const WEBHOOK_RECIPIENT = "webhook";

export class Webhooks {
  readonly carrier: Carrier;
  readonly #context: CarrierContext;

  constructor(context: CarrierContext) {
    this.#context = context;
    this.carrier = {
      createSender: () => (context.sends ? (message) => this.#deliver(message) : undefined),
      minIntervalMs: () => 0,
      recipientName: () => webhookHost(this.getWebhook()),
    };
  }

  /** For `externalUrlProblem`, which returns a URL's problem. */
  get canCallInternal(): boolean {
    return this.#context.mayBeInside;
  }

  /** Undefined without a webhook. */
  getWebhook(): Webhook | undefined {
    return this.#context.settings.read().value.webhook ?? undefined;
  }

  /** Posts to this URL from now on; returns the secret if it is new, and stores it sealed. */
  async setUrl(url: string): Promise<string | undefined> {
    const now = this.getWebhook();
    // A secret belongs to its receiver: another host gets a new one.
    if (now && new URL(now.url).host === new URL(url).host) {
      await this.#saveWebhook({ ...now, url });
      return undefined;
    }
    const { secret, hook } = this.#addSecret(url);
    await this.#saveWebhook(hook);
    this.#context.outbox.checkNow();
    return secret;
  }

  /** Makes a new secret for the current URL. */
  async rotateSecret(): Promise<string> {
    const now = assertDefined(this.getWebhook(), "webhook");
    const { secret, hook } = this.#addSecret(now.url);
    await this.#saveWebhook({ ...hook, since: now.since });
    this.#context.outbox.checkNow();
    return secret;
  }

  async removeWebhook(): Promise<void> {
    await this.#saveWebhook(null);
  }

  /** Posts an example now, past the outbox. Throws a `DeliveryError`. */
  sendTest(): Promise<void> {
    return this.#deliver({
      messageId: `<${Bun.randomUUIDv7()}@test>`,
      text: JSON.stringify(createTestEvent(isoTime(this.#context.clock))),
      to: WEBHOOK_RECIPIENT,
      replyTo: null,
      subject: "",
      html: "",
      headers: {},
    });
  }

  /** A message about every enquiry, however many there are: programs count on each. */
  readonly createMessages: EnquiryListener = ({ id, questions }) => {
    if (!this.getWebhook()) return [];
    return [
      {
        kind: "webhook",
        to: WEBHOOK_RECIPIENT,
        // Erasures find messages about a person by it.
        replyTo: findEmail(questions),
        subject: "New submission",
        text: "",
        html: "",
        about: id,
        isOnce: true,
      },
    ];
  };

  // Written on sending, so that nothing a visitor typed is stored here too.
  /** A post's body. */
  readonly renderBody: MessageRenderer = async ({ about, subject }) => {
    if (!this.getWebhook()) throw new NothingToSend(WEBHOOK_OFF_MESSAGE);
    return { subject, text: JSON.stringify(await this.#createEnquiryEvent(about ?? "")), html: "" };
  };

  async #createEnquiryEvent(about: string) {
    const submission = await this.#context.store.of(entities.formSubmissions).get(about);
    if (!submission) throw new NothingToSend(SUBMISSION_DELETED_MESSAGE);
    const { id, formId, createdAt, questions } = submission;
    const { formName } = createEnquirySummary(this.#context.store, submission);
    const { siteUrl } = this.#context.stationery();
    return {
      type: "enquiry.created",
      timestamp: createdAt,
      data: {
        id,
        form: { id: formId, name: formName },
        questions: questions.map(({ label, type, answer }) => ({ label, type, answer })),
        ...(siteUrl !== undefined && { link: siteUrl + enquiryPath(submission) }),
      },
    };
  }

  async #deliver({ messageId, text }: OutgoingMessage): Promise<void> {
    const hook = this.getWebhook();
    if (!hook) throw new NothingToSend(WEBHOOK_OFF_MESSAGE);
    const secret = this.#context.seal.unseal(hook.sealedSecret);
    if (secret === undefined) throw new DeliveryError("login", SECRET_LOST_MESSAGE);
    // Signed parts are joined by dots, so the id has none.
    const id = messageId.slice(1, messageId.indexOf("@"));
    const response = await postExternally({
      url: new URL(hook.url),
      canUsePrivateNetwork: this.#context.mayBeInside,
      ended: this.#context.ended,
      body: text,
      headers: {
        "content-type": "application/json",
        "user-agent": "Limelight",
        ...signWebhook(secret, id, Math.floor(this.#context.clock() / 1000), text),
      },
    });
    if (response.status >= 200 && response.status < 300) return;
    throw toDeliveryError(response.status, response.responseText);
  }

  readonly #saveWebhook = (webhook: Webhook | null) =>
    this.#context.settings.update((value) => ({ ...value, webhook }));
  readonly #addSecret = (url: string) => {
    const secret = SECRET_PREFIX + randomBytes(32).toString("base64");
    return {
      secret,
      hook: {
        url,
        sealedSecret: this.#context.seal.seal(secret),
        since: isoTime(this.#context.clock),
      },
    };
  };
}

/** Standard Webhooks, "Webhook Headers" and "Signature scheme". `at`: seconds since 1970. */
function signWebhook(secret: string, id: string, at: number, body: string) {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${signature}`,
  };
}

const SECRET_PREFIX = "whsec_";

const createTestEvent = (timestamp: string) => ({
  type: "test",
  timestamp,
  data: { message: "Limelight can reach this webhook." },
});

export const webhookHost = (hook: Webhook | undefined) =>
  hook ? new URL(hook.url).host : WEBHOOK_RECIPIENT;

/** A retry may help: the receiver is down, or asks to wait. 410 means that it refuses further calls. */
function toDeliveryError(status: number, body: string): DeliveryError {
  const message = `The webhook responded with ${status}.`;
  if (status === 410) return new DeliveryError("recipient", message, body || null, true);
  const concernsAll = status === 429 || status >= 500 || status === 401 || status === 403;
  return new DeliveryError(concernsAll ? "connection" : "recipient", message, body || null);
}

const WEBHOOK_OFF_MESSAGE = "The webhook was turned off, so it wasn't called.";
const SECRET_LOST_MESSAGE =
  "The webhook's secret can't be read, because the site was moved or restored. Create a new one: Account menu > Email settings.";
