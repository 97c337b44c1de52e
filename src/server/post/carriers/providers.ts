/** Mail providers with an HTTPS API: Resend, Postmark, Mailgun, Amazon SES. */
import { createHash, createHmac } from "node:crypto";
import type { MailAccount } from "../../../schema/mail.ts";
import type { FullAccount, Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { CutOff, MailFault } from "./fault.ts";
import { CALENDAR, oneLine } from "./headers.ts";

/** A request, ready to be sent. */
interface ProviderCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

/** An account with a provider's API. */
interface ProviderAccount extends FullAccount {
  readonly account: Exclude<MailAccount, { kind: "smtp" }>;
}

/** A provider's timeout, in milliseconds. */
const PATIENCE = 20_000;

/** Throws a `MailFault`; after `ended`, a `CutOff`. */
export async function sendByProvider(
  full: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
  ended: AbortSignal,
): Promise<void> {
  const { url, headers, body } = providerCall(full, from, message, new Date());
  let response: Response;
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(PATIENCE)]);
    response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  } catch {
    if (ended.aborted) throw new CutOff();
    throw new MailFault(
      "connection",
      "The mail provider isn't responding. Limelight will try again.",
    );
  }
  if (!response.ok) throw providerFault(response.status, await response.text());
}

/** A retry may help (RFC 9110). */
const LATER = new Set([408, 425]);
const LONGEST_SAID = 300;

function providerFault(status: number, text: string): MailFault {
  const said = oneLine(text).slice(0, LONGEST_SAID) || null;
  if (status === 401 || status === 403)
    return new MailFault(
      "login",
      "The mail provider rejected the key, or hasn't verified the sender's domain yet.",
      said,
    );
  if (status === 429)
    return new MailFault(
      "connection",
      "The mail provider isn't accepting more messages right now.",
      said,
    );
  // Not this message's fault.
  if (LATER.has(status) || status >= 500)
    return new MailFault(
      "connection",
      "The mail provider can't accept the message right now.",
      said,
    );
  return new MailFault("recipient", "The mail provider rejected the message.", said, true);
}

/** The request to a provider; Amazon's signature includes `now`. */
function providerCall(
  { account, secret }: ProviderAccount,
  from: Sender,
  message: OutgoingMessage,
  now: Date,
): ProviderCall {
  const sender =
    from.name === "" ? from.address : `${JSON.stringify(oneLine(from.name))} <${from.address}>`;
  const { to, replyTo, text, html, messageId, calendar } = message;
  const file = calendar === undefined ? undefined : Buffer.from(calendar).toString("base64");
  const subject = oneLine(message.subject);
  const headers = { ...message.headers, "Message-ID": messageId };
  switch (account.kind) {
    case "resend":
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
            attachments: [{ filename: CALENDAR.name, content: file, content_type: CALENDAR.type }],
          }),
        },
      );
    case "postmark":
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
            Attachments: [{ Name: CALENDAR.name, Content: file, ContentType: CALENDAR.type }],
          }),
        },
      );
    case "mailgun": {
      const form = new URLSearchParams({ from: sender, to, subject, text, html });
      if (replyTo) form.set("h:Reply-To", replyTo);
      for (const [name, value] of Object.entries(headers)) form.set(`h:${name}`, value);
      const url = `https://api.${account.eu ? "eu." : ""}mailgun.net/v3/${encodeURIComponent(account.domain)}/messages`;
      const authorization = `Basic ${btoa(`api:${secret}`)}`;
      // Attachments need a multipart form.
      if (calendar !== undefined) {
        const parts = new FormData();
        for (const [name, value] of form) parts.set(name, value);
        parts.set("attachment", new File([calendar], CALENDAR.name, { type: CALENDAR.type }));
        return { url, headers: { authorization }, body: parts };
      }
      return {
        url,
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: form.toString(),
      };
    }
    case "ses": {
      const Headers = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));
      const call = json(
        `https://email.${account.region}.amazonaws.com/v2/email/outbound-emails`,
        {},
        {
          FromEmailAddress: sender,
          Destination: { ToAddresses: [to] },
          ...(replyTo && { ReplyToAddresses: [replyTo] }),
          Content: {
            Simple: {
              Subject: { Data: subject },
              Body: { Text: { Data: text }, Html: { Data: html } },
              Headers,
              ...(file && {
                Attachments: [
                  { FileName: CALENDAR.name, RawContent: file, ContentType: CALENDAR.type },
                ],
              }),
            },
          },
        },
      );
      return signedForAmazon(call, { ...account, secret, now });
    }
  }
}

/** A request with a text body, which can be signed. */
interface TextCall extends ProviderCall {
  readonly body: string;
}

function json(url: string, headers: Readonly<Record<string, string>>, body: object): TextCall {
  return {
    url,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

interface AmazonKey {
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly now: Date;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

/** AWS Signature Version 4 for the service "ses". */
function signedForAmazon(call: TextCall, { region, keyId, secret, now }: AmazonKey): ProviderCall {
  const { host, pathname } = new URL(call.url);
  const moment = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = moment.slice(0, 8);
  const scope = `${day}/${region}/ses/aws4_request`;
  const names = "content-type;host;x-amz-date";
  const canonical = [
    "POST",
    pathname,
    "",
    `content-type:${call.headers["content-type"]}`,
    `host:${host}`,
    `x-amz-date:${moment}`,
    "",
    names,
    sha256(call.body),
  ].join("\n");
  const key = [day, region, "ses", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(
    key as Buffer,
    ["AWS4-HMAC-SHA256", moment, scope, sha256(canonical)].join("\n"),
  ).toString("hex");
  return {
    ...call,
    headers: {
      ...call.headers,
      "x-amz-date": moment,
      authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    },
  };
}
