/** The webhook: the outbox posts every new enquiry to the owner's URL, as Standard Webhooks require. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { createHmac, randomBytes } from "node:crypto";
import { entities } from "../../schema/index.ts";
import type { Webhook } from "../../schema/people/mail.ts";
import { getTimestamp } from "../shared/clock.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import type { OutgoingContext, CreateEnquiryMessages } from "./notificationContext.ts";
import { DeliveryError, NothingToSendError } from "../mail/transports/deliveryError.ts";
import { postExternally } from "./externalRequest.ts";
import type { Transport, MessageRenderer } from "../mail/queue/messageKinds.ts";
import {
  findEmail,
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  createEnquiryPath,
} from "../mail/messages/ownerMessages.ts";

/** The recipient in the outbox. A message is posted to the URL that is set when it is sent. */
const WEBHOOK_RECIPIENT = "webhook";

export class SiteWebhook {
  readonly transport: Transport;
  readonly #context: OutgoingContext;

  constructor(context: OutgoingContext) {
    this.#context = context;
    this.transport = {
      createSender: () => (context.isSending ? (message) => this.#deliver(message) : undefined),
      formatRecipientName: () => getWebhookHost(this.getWebhook()),
    };
  }

  get canUsePrivateNetwork(): boolean {
    return this.#context.canUsePrivateNetwork;
  }

  getWebhook(): Webhook | undefined {
    return this.#context.settings.read().value.webhook ?? undefined;
  }

  /** Changes the URL. Returns the secret if a new one was created. */
  async setUrl(url: string): Promise<string | undefined> {
    const current = this.getWebhook();
    // Another host gets a new secret. With the current one, it could sign requests to the earlier host as the site.
    if (current && new URL(current.url).host === new URL(url).host) {
      await this.#saveWebhook({ ...current, url });
      return undefined;
    }
    return this.#saveWithNewSecret({ url, since: getTimestamp(this.#context.clock) });
  }

  /** Returns the new secret. */
  rotateSecret(): Promise<string> {
    return this.#saveWithNewSecret(assertDefined(this.getWebhook(), "webhook"));
  }

  async #saveWithNewSecret(webhook: Omit<Webhook, "sealedSecret">): Promise<string> {
    const secret = SECRET_PREFIX + randomBytes(32).toString("base64");
    await this.#saveWebhook({ ...webhook, sealedSecret: this.#context.seal.seal(secret) });
    this.#context.outbox.sendDue();
    return secret;
  }

  async removeWebhook(): Promise<void> {
    await this.#saveWebhook(null);
  }

  /** Posts an example without the outbox. Throws a `DeliveryError`. */
  sendTest(): Promise<void> {
    const event = {
      type: "test",
      timestamp: getTimestamp(this.#context.clock),
      data: { message: "Limelight can reach this webhook." },
    };
    const messageId = `<${Bun.randomUUIDv7()}@test>`;
    return this.#deliver({ messageId, text: JSON.stringify(event) });
  }

  /** Creates the message about an enquiry, without an hourly limit: the receiving program needs every enquiry. */
  readonly createMessages: CreateEnquiryMessages = ({ id, questions }) => {
    if (!this.getWebhook()) return [];
    return [
      {
        kind: "webhook",
        to: WEBHOOK_RECIPIENT,
        // An erasure finds messages about this person by the sender's address.
        replyTo: findEmail(questions),
        subject: "New submission",
        text: "",
        html: "",
        about: id,
        isUnique: true,
      },
    ];
  };

  /** Renders a request's body when it is sent, so that the outbox contains nothing that a visitor typed. */
  readonly renderBody: MessageRenderer = async ({ about, subject }) => {
    if (!this.getWebhook()) throw new NothingToSendError(WEBHOOK_OFF_MESSAGE);
    return { subject, text: JSON.stringify(await this.#createEnquiryEvent(about ?? "")), html: "" };
  };

  async #createEnquiryEvent(about: string) {
    const submission = await this.#context.store.of(entities.formSubmissions).get(about);
    if (!submission) throw new NothingToSendError(SUBMISSION_DELETED_MESSAGE);
    const { id, formId, createdAt, questions } = submission;
    const { formName } = createEnquirySummary(this.#context.store, submission);
    const { siteUrl } = this.#context.getBranding();
    return {
      type: "enquiry.created",
      timestamp: createdAt,
      data: {
        id,
        form: { id: formId, name: formName },
        questions: questions.map(({ label, type, answer }) => ({ label, type, answer })),
        ...(siteUrl !== undefined && { link: siteUrl + createEnquiryPath(submission) }),
      },
    };
  }

  async #deliver({ messageId, text }: Pick<OutgoingMessage, "messageId" | "text">) {
    const webhook = this.getWebhook();
    if (!webhook) throw new NothingToSendError(WEBHOOK_OFF_MESSAGE);
    const secret = this.#context.seal.unseal(webhook.sealedSecret);
    if (secret === undefined) throw new DeliveryError("login", SECRET_LOST_MESSAGE);
    // The part before the @ contains no dots, which separate the signed parts.
    const id = messageId.slice(1, messageId.indexOf("@"));
    const response = await postExternally({
      url: new URL(webhook.url),
      canUsePrivateNetwork: this.canUsePrivateNetwork,
      stopSignal: this.#context.stopSignal,
      body: text,
      headers: {
        "content-type": "application/json",
        "user-agent": "Limelight",
        ...signWebhook(secret, id, Math.floor(this.#context.clock() / 1000), text),
      },
    });
    if (response.status >= 200 && response.status < 300) return;
    throw toWebhookError(response.status, response.responseText);
  }

  readonly #saveWebhook = (webhook: Webhook | null) =>
    this.#context.settings.update((value) => ({ ...value, webhook }));
}

/** Returns the headers of Standard Webhooks (standardwebhooks.com). `timestamp` is in seconds since 1970. */
function signWebhook(secret: string, id: string, timestamp: number, body: string) {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}

const SECRET_PREFIX = "whsec_";

export const getWebhookHost = (webhook: Webhook | undefined) =>
  webhook ? new URL(webhook.url).host : WEBHOOK_RECIPIENT;

/** After 410, the receiver wants no further requests. After any other status, a retry may help. */
function toWebhookError(status: number, responseText: string): DeliveryError {
  const isRedirect = status >= 300 && status < 400;
  const message = `The webhook responded with ${status}.${isRedirect ? REDIRECT_HINT : ""}`;
  const affectsAllMessages = status === 429 || status >= 500 || status === 401 || status === 403;
  const step = affectsAllMessages ? "connection" : "recipient";
  return new DeliveryError(step, message, responseText || null, status === 410);
}

const REDIRECT_HINT = " Redirects aren't followed: enter the final URL.";
const WEBHOOK_OFF_MESSAGE = "The webhook was turned off, so it wasn't called.";
const SECRET_LOST_MESSAGE =
  "The webhook's secret can't be read, because the site was moved or restored. Create a new one: Account menu > Email settings.";
