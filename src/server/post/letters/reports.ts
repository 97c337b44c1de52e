/**
 * What a provider reports of letters that came back or were called unwanted: nothing is sent there any more. Each
 * comes to an address that only the provider was given, and with the provider's own signature where it signs.
 */
import { createHmac, createVerify } from "node:crypto";
import { isSameText } from "../../shared/sameText.ts";
import { HOUR } from "../../shared/time.ts";

/** An address that nothing is to be sent to any more. */
export interface Report {
  readonly email: string;
  readonly why: "bounced" | "complained";
}

/** One call of a provider's. */
export interface ReportCall {
  readonly headers: Headers;
  readonly body: string;
  /** What the provider signs with, as the owner has typed it. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reads a page of the provider's; only Amazon's certificates and confirmations. */
  readonly read: (url: string) => Promise<string>;
}

/** Undefined for a call whose signature is missing or wrong. Throws an Error for a body that can't be read. */
type ReadReports = (call: ReportCall) => Promise<readonly Report[] | undefined>;

/** By kind of account; a plain mail server reports nothing. */
export const REPORTERS: Readonly<Record<string, ReadReports>> = { resend, mailgun, postmark, ses };

/** How old a signed call may be. */
const FRESH_FOR = HOUR;

/** Svix: HMAC-SHA256 of `{id}.{timestamp}.{body}`, base64, by a secret that begins with whsec_. */
async function resend({ headers, body, secret, now }: ReportCall) {
  const id = headers.get("svix-id") ?? "";
  const seconds = headers.get("svix-timestamp") ?? "";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0 || !isFresh(seconds, now)) return undefined;
  const expected = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  const given = (headers.get("svix-signature") ?? "").split(" ");
  if (!given.some((each) => isSameText(each, `v1,${expected}`))) return undefined;
  const { type, data } = JSON.parse(body) as ResendEvent;
  const isBounce = type === "email.bounced" && data?.bounce?.type !== "Transient";
  const why = isBounce ? "bounced" : type === "email.complained" ? "complained" : undefined;
  return why ? (data?.to ?? []).map((email) => ({ email, why }) as const) : [];
}

interface ResendEvent {
  readonly type?: string;
  readonly data?: { readonly to?: readonly string[]; readonly bounce?: { readonly type?: string } };
}

/** HMAC-SHA256 of timestamp and token, in hexadecimal, by the account's key for webhooks. */
async function mailgun({ body, secret, now }: ReportCall) {
  const { signature, "event-data": event } = JSON.parse(body) as MailgunEvent;
  const { timestamp = "", token = "", signature: given = "" } = signature ?? {};
  if (secret === "" || !isFresh(String(timestamp), now)) return undefined;
  const expected = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
  if (!isSameText(String(given), expected)) return undefined;
  const email = event?.recipient ?? "";
  if (event?.event === "complained") return [{ email, why: "complained" } as const];
  // A suppressed one was refused by Mailgun itself, for an earlier bounce.
  const isGone = event?.event === "failed" && event.severity === "permanent";
  return isGone && /bounce/.test(event.reason ?? "") ? [{ email, why: "bounced" } as const] : [];
}

interface MailgunEvent {
  readonly signature?: {
    readonly timestamp?: string;
    readonly token?: string;
    readonly signature?: string;
  };
  readonly "event-data"?: {
    readonly event?: string;
    readonly severity?: string;
    readonly reason?: string;
    readonly recipient?: string;
  };
}

/** Postmark signs nothing: the address that only it was given is the proof. */
async function postmark({ body }: ReportCall) {
  const { RecordType, Type, Email = "" } = JSON.parse(body) as PostmarkEvent;
  if (RecordType === "SpamComplaint" || Type === "SpamComplaint")
    return [{ email: Email, why: "complained" } as const];
  const isGone = RecordType === "Bounce" && (Type === "HardBounce" || Type === "BadEmailAddress");
  return isGone ? [{ email: Email, why: "bounced" } as const] : [];
}

interface PostmarkEvent {
  readonly RecordType?: string;
  readonly Type?: string;
  readonly Email?: string;
}

/** Amazon SNS: RSA over certain fields, by a certificate on a host of Amazon's. Confirms its own subscription. */
async function ses({ body, read }: ReportCall) {
  const message = JSON.parse(body) as Readonly<Record<string, string | undefined>>;
  const {
    Type,
    SigningCertURL = "",
    Signature = "",
    SignatureVersion,
    SubscribeURL = "",
  } = message;
  if (!isAmazon(SigningCertURL)) return undefined;
  const names =
    Type === "Notification"
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const text = names
    .filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
  const verify = createVerify(SignatureVersion === "2" ? "RSA-SHA256" : "RSA-SHA1").update(text);
  if (!verify.verify(await read(SigningCertURL), Signature, "base64")) return undefined;
  if (Type === "SubscriptionConfirmation" && isAmazon(SubscribeURL)) await read(SubscribeURL);
  if (Type !== "Notification") return [];
  const event = JSON.parse(message["Message"] ?? "{}") as AmazonEvent;
  const gone = event.bounce?.bounceType === "Permanent" ? event.bounce.bouncedRecipients : [];
  const called = event.complaint?.complainedRecipients ?? [];
  return [
    ...(gone ?? []).map(({ emailAddress: email }) => ({ email, why: "bounced" }) as const),
    ...called.map(({ emailAddress: email }) => ({ email, why: "complained" }) as const),
  ];
}

interface AmazonEvent {
  readonly bounce?: { readonly bounceType?: string; readonly bouncedRecipients?: AmazonAddresses };
  readonly complaint?: { readonly complainedRecipients?: AmazonAddresses };
}

type AmazonAddresses = readonly { readonly emailAddress: string }[];

const isAmazon = (url: string) =>
  /^https:\/\/sns\.[a-z\d-]{1,30}\.amazonaws\.com(?:\.cn)?\//.test(url);

const isFresh = (seconds: string, now: number) =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) < FRESH_FOR;
