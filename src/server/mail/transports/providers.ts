/** Mail providers with an HTTPS API: Resend, Postmark, Mailgun. */
import type { MailAccount } from "../../../schema/people/mail.ts";
import type { AccountWithSecret, Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { DeliveryAbortedError, DeliveryError, normalizeResponse } from "./deliveryError.ts";
import { CALENDAR_ATTACHMENT, toOneLine } from "./headers.ts";

interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

interface ProviderAccount extends AccountWithSecret {
  readonly account: Exclude<MailAccount, { kind: "smtp" | "ses" }>;
}

const REQUEST_TIMEOUT_MS = 20_000;

/** Sends a message. Throws a `DeliveryError`; if `stopSignal` is aborted, a `DeliveryAbortedError`. */
export async function sendByProvider(
  account: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
  stopSignal: AbortSignal,
): Promise<void> {
  const { url, headers, body } = createProviderRequest(account, from, message);
  let response: Response;
  try {
    const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  } catch {
    if (stopSignal.aborted) throw new DeliveryAbortedError();
    throw new DeliveryError("connection", NO_RESPONSE_MESSAGE);
  }
  if (!response.ok) throw toProviderError(response.status, await response.text());
}

const MAX_EXCERPT_LENGTH = 300;

function toProviderError(status: number, body: string): DeliveryError {
  const excerpt = toOneLine(body).slice(0, MAX_EXCERPT_LENGTH) || null;
  if ((status >= 401 && status <= 404) || ACCOUNT_REFUSAL_PATTERN.test(normalizeResponse(body)))
    return new DeliveryError("login", WRONG_KEY_MESSAGE, excerpt);
  // Mailgun responds with 420 when a limit is reached.
  if (status === 429 || status === 420)
    return new DeliveryError("connection", TOO_MANY_REQUESTS_MESSAGE, excerpt);
  // The statuses 408 and 425 mean "try again later" (RFC 9110, RFC 8470), as does Resend's code for a running attempt.
  if (status === 408 || status === 425 || status >= 500 || body.includes(CONCURRENT_REQUEST_CODE))
    return new DeliveryError("connection", PROVIDER_FAILED_MESSAGE, excerpt);
  return new DeliveryError("recipient", REJECTED_MESSAGE, excerpt, true);
}

/**
 * Matches refusals of the account, its domain, its stream or its sender. Their status is the same as for a refused
 * message. They are Postmark's error codes (its documentation, "API error codes") and messages about an invalid `from`.
 */
const ACCOUNT_REFUSAL_PATTERN =
  /"ErrorCode": ?(?:400|401|405|412|413|701|12[23]\d)\b|\binvalid\W{1,3}from\b|\bfrom\W{1,2}parameter\b/i;
const CONCURRENT_REQUEST_CODE = "concurrent_idempotent_requests";

const NO_RESPONSE_MESSAGE = "The email provider isn't responding.";
const WRONG_KEY_MESSAGE =
  "The email provider rejected the key, or doesn't let this account or sender send yet.";
const TOO_MANY_REQUESTS_MESSAGE = "The email provider isn't accepting more messages right now.";
const PROVIDER_FAILED_MESSAGE = "The email provider can't accept the message right now.";
const REJECTED_MESSAGE = "The email provider rejected the message.";

interface ComposedMessage extends OutgoingMessage {
  readonly sender: string;
  /** The attached calendar file in base64, if there is one. */
  readonly encodedCalendar: string | undefined;
}

function createProviderRequest(
  { account, secret }: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
): ProviderRequest {
  const { messageId, calendar } = message;
  const composedMessage = {
    ...message,
    sender:
      from.name === "" ? from.address : `${JSON.stringify(toOneLine(from.name))} <${from.address}>`,
    subject: toOneLine(message.subject),
    headers: { ...message.headers, "Message-ID": messageId },
    encodedCalendar: calendar === undefined ? undefined : Buffer.from(calendar).toString("base64"),
  };
  if (account.kind === "resend") return createResendRequest(secret, composedMessage);
  if (account.kind === "postmark") return createPostmarkRequest(secret, composedMessage);
  return createMailgunRequest({ ...account, secret }, composedMessage);
}

const { name: calendarName, type: calendarType } = CALENDAR_ATTACHMENT;

function createResendRequest(secret: string, message: ComposedMessage): ProviderRequest {
  const { sender, to, replyTo, subject, text, html, headers, encodedCalendar } = message;
  return createJsonRequest(
    "https://api.resend.com/emails",
    { authorization: `Bearer ${secret}`, "idempotency-key": message.messageId },
    {
      from: sender,
      to: [to],
      subject,
      text,
      html,
      headers,
      ...(replyTo && { reply_to: replyTo }),
      ...(encodedCalendar && {
        attachments: [
          { filename: calendarName, content: encodedCalendar, content_type: calendarType },
        ],
      }),
    },
  );
}

function createPostmarkRequest(secret: string, message: ComposedMessage): ProviderRequest {
  const { sender, to, replyTo, subject, text, html, headers, encodedCalendar } = message;
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
      ...(encodedCalendar && {
        Attachments: [{ Name: calendarName, Content: encodedCalendar, ContentType: calendarType }],
      }),
    },
  );
}

function createMailgunRequest(
  { domain, eu, secret }: Extract<MailAccount, { kind: "mailgun" }> & { secret: string },
  { sender, to, replyTo, subject, text, html, headers, calendar }: ComposedMessage,
): ProviderRequest {
  const form = new FormData();
  for (const [key, value] of Object.entries({ from: sender, to, subject, text, html }))
    form.set(key, value);
  if (replyTo) form.set("h:Reply-To", replyTo);
  for (const [header, value] of Object.entries(headers)) form.set(`h:${header}`, value);
  if (calendar !== undefined)
    form.set("attachment", new File([calendar], calendarName, { type: calendarType }));
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
