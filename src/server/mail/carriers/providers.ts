/** Mail providers with an HTTPS API: Resend, Postmark, Mailgun. */
import type { MailAccount } from "../../../schema/people/mail.ts";
import type { FullAccount, Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { DeliveryAborted, DeliveryError } from "./deliveryError.ts";
import { CALENDAR_ATTACHMENT, oneLine } from "./headers.ts";

/** A request, ready to be sent. */
interface ProviderCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

interface ProviderAccount extends FullAccount {
  readonly account: Exclude<MailAccount, { kind: "smtp" | "ses" }>;
}

/** A provider's timeout, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Throws a `DeliveryError`; after `ended`, a `DeliveryAborted`. */
export async function sendByProvider(
  full: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
  ended: AbortSignal,
): Promise<void> {
  const { url, headers, body } = providerRequest(full, from, message);
  let response: Response;
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  } catch {
    if (ended.aborted) throw new DeliveryAborted();
    throw new DeliveryError(
      "connection",
      "The email provider isn't responding. Limelight will try again.",
    );
  }
  if (!response.ok) throw providerFault(response.status, await response.text());
}

/** A retry may help (RFC 9110). */
const LATER = new Set([408, 425]);
const MAX_REPLY_LENGTH = 300;

function providerFault(status: number, text: string): DeliveryError {
  const reply = oneLine(text).slice(0, MAX_REPLY_LENGTH) || null;
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
  if (LATER.has(status) || status >= 500)
    return new DeliveryError(
      "connection",
      "The email provider can't accept the message right now.",
      reply,
    );
  return new DeliveryError("recipient", "The email provider rejected the message.", reply, true);
}

/** The parts of a request that all providers need. */
interface Composed {
  readonly sender: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The calendar file as base64, if there is one. */
  readonly file: string | undefined;
}

function providerRequest(
  { account, secret }: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
): ProviderCall {
  const { messageId, calendar } = message;
  const composed = {
    sender:
      from.name === "" ? from.address : `${JSON.stringify(oneLine(from.name))} <${from.address}>`,
    subject: oneLine(message.subject),
    headers: { ...message.headers, "Message-ID": messageId },
    file: calendar === undefined ? undefined : Buffer.from(calendar).toString("base64"),
  };
  switch (account.kind) {
    case "resend":
      return resendCall(secret, composed, message);
    case "postmark":
      return postmarkCall(secret, composed, message);
    case "mailgun":
      return mailgunCall({ ...account, secret }, composed, message);
  }
}

function resendCall(
  secret: string,
  { sender, subject, headers, file }: Composed,
  { to, text, html, replyTo, messageId }: OutgoingMessage,
): ProviderCall {
  return json(
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

function postmarkCall(
  secret: string,
  { sender, subject, headers, file }: Composed,
  { to, text, html, replyTo }: OutgoingMessage,
): ProviderCall {
  return json(
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

function mailgunCall(
  { domain, eu, secret }: MailgunAccount,
  { sender, subject, headers }: Composed,
  { to, text, html, replyTo, calendar }: OutgoingMessage,
): ProviderCall {
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

function json(url: string, headers: Readonly<Record<string, string>>, body: object): ProviderCall {
  return {
    url,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
