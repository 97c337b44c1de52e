/** Mail providers with an HTTPS API: Resend, Postmark, Mailgun. */
import type { MailAccount } from "../../../schema/people/mail.ts";
import type { AccountWithSecret, Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { DeliveryAbortedError, DeliveryError } from "./deliveryError.ts";
import { CALENDAR_ATTACHMENT, toOneLine } from "./headers.ts";

/** A request, ready to be sent. */
interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

interface ProviderAccount extends AccountWithSecret {
  readonly account: Exclude<MailAccount, { kind: "smtp" | "ses" }>;
}

/** A provider's timeout, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Throws a `DeliveryError`; after `ended`, a `DeliveryAbortedError`. */
export async function sendByProvider(
  full: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
  ended: AbortSignal,
): Promise<void> {
  const { url, headers, body } = createProviderRequest(full, from, message);
  let response: Response;
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  } catch {
    if (ended.aborted) throw new DeliveryAbortedError();
    throw new DeliveryError(
      "connection",
      "The email provider isn't responding. Limelight will try again.",
    );
  }
  if (!response.ok) throw toDeliveryError(response.status, await response.text());
}

/** A retry may help (RFC 9110). */
const RETRYABLE_STATUSES = new Set([408, 425]);
const MAX_REPLY_LENGTH = 300;

function toDeliveryError(status: number, text: string): DeliveryError {
  const reply = toOneLine(text).slice(0, MAX_REPLY_LENGTH) || null;
  if (status === 401 || status === 403)
    return new DeliveryError(
      "login",
      "The email provider rejected the key, or hasn't verified the sender's domain yet.",
      reply,
    );
  if (status === 429)
    return new DeliveryError(
      "connection",
      "The email provider isn't accepting more messages right now.",
      reply,
    );
  // Not this message's fault.
  if (RETRYABLE_STATUSES.has(status) || status >= 500)
    return new DeliveryError(
      "connection",
      "The email provider can't accept the message right now.",
      reply,
    );
  return new DeliveryError("recipient", "The email provider rejected the message.", reply, true);
}

/** The parts of a request that all providers need. */
interface ComposedParts {
  readonly sender: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The calendar file as base64, if there is one. */
  readonly file: string | undefined;
}

function createProviderRequest(
  { account, secret }: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
): ProviderRequest {
  const { messageId, calendar } = message;
  const composed = {
    sender:
      from.name === "" ? from.address : `${JSON.stringify(toOneLine(from.name))} <${from.address}>`,
    subject: toOneLine(message.subject),
    headers: { ...message.headers, "Message-ID": messageId },
    file: calendar === undefined ? undefined : Buffer.from(calendar).toString("base64"),
  };
  switch (account.kind) {
    case "resend":
      return createResendRequest(secret, composed, message);
    case "postmark":
      return createPostmarkRequest(secret, composed, message);
    case "mailgun":
      return createMailgunRequest({ ...account, secret }, composed, message);
  }
}

function createResendRequest(
  secret: string,
  { sender, subject, headers, file }: ComposedParts,
  { to, text, html, replyTo, messageId }: OutgoingMessage,
): ProviderRequest {
  return createJsonRequest(
    "https://api.resend.com/emails",
    { authorization: `Bearer ${secret}`, "idempotency-key": messageId },
    {
      from: sender,
      to: [to],
      subject,
      text,
      html,
      headers,
      ...(replyTo && { reply_to: replyTo }),
      ...(file && {
        attachments: [
          {
            filename: CALENDAR_ATTACHMENT.name,
            content: file,
            content_type: CALENDAR_ATTACHMENT.type,
          },
        ],
      }),
    },
  );
}

function createPostmarkRequest(
  secret: string,
  { sender, subject, headers, file }: ComposedParts,
  { to, text, html, replyTo }: OutgoingMessage,
): ProviderRequest {
  return createJsonRequest(
    "https://api.postmarkapp.com/email",
    { "x-postmark-server-token": secret },
    {
      From: sender,
      To: to,
      Subject: subject,
      TextBody: text,
      HtmlBody: html,
      MessageStream: "List-Unsubscribe" in headers ? "broadcast" : "outbound",
      Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      ...(replyTo && { ReplyTo: replyTo }),
      ...(file && {
        Attachments: [
          { Name: CALENDAR_ATTACHMENT.name, Content: file, ContentType: CALENDAR_ATTACHMENT.type },
        ],
      }),
    },
  );
}

interface MailgunAccount {
  readonly domain: string;
  readonly eu: boolean;
  readonly secret: string;
}

function createMailgunRequest(
  { domain, eu, secret }: MailgunAccount,
  { sender, subject, headers }: ComposedParts,
  { to, text, html, replyTo, calendar }: OutgoingMessage,
): ProviderRequest {
  const form = new FormData();
  for (const [name, value] of Object.entries({ from: sender, to, subject, text, html }))
    form.set(name, value);
  if (replyTo) form.set("h:Reply-To", replyTo);
  for (const [name, value] of Object.entries(headers)) form.set(`h:${name}`, value);
  if (calendar !== undefined) {
    const { name, type } = CALENDAR_ATTACHMENT;
    form.set("attachment", new File([calendar], name, { type }));
  }
  const url = `https://api.${eu ? "eu." : ""}mailgun.net/v3/${encodeURIComponent(domain)}/messages`;
  return { url, headers: { authorization: `Basic ${btoa(`api:${secret}`)}` }, body: form };
}

function createJsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): ProviderRequest {
  return {
    url,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
