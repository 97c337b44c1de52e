/** Reads a provider's reports of bounces and complaints, and checks their signatures if the provider signs. */
import { createHmac } from "node:crypto";
import * as v from "valibot";
import { constantTimeEqual } from "../shared/secrets.ts";
import { HOUR } from "../shared/time.ts";

/** An address to which no letters must be sent. */
export interface BounceReport {
  readonly email: string;
  readonly reason: "bounced" | "complained";
}

/** A request from a provider. */
export interface ReportRequest {
  readonly headers: Headers;
  readonly body: string;
  /** The provider's signing secret, as the owner typed it. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns undefined if the signature is missing or wrong. Throws an Error for a body that can't be read. */
export type ParseReports = (request: ReportRequest) => readonly BounceReport[] | undefined;

/** Parsers by kind of account. Plain mail servers send no reports, and Amazon SES itself blocks these addresses. */
export const REPORT_PARSERS: Readonly<Record<string, ParseReports>> = {
  resend: parseResendReport,
  mailgun: parseMailgunReport,
  postmark: parsePostmarkReport,
};

/** Schemas that read a value of another type as missing. */
const optionalTextSchema = v.fallback(v.optional(v.string()), undefined);
const textOrNumberSchema = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined);

/** The maximum number of signatures that are compared. Svix sends two while a secret is replaced. */
const MAX_SIGNATURES = 10;

/** The maximum age of a signed request. It limits how long a recorded request can be replayed. */
const MAX_REQUEST_AGE_MS = HOUR;

/** Resend signs with Svix: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64; the secret begins with whsec_. */
function parseResendReport({ headers, body, secret, now }: ReportRequest) {
  const id = headers.get("svix-id") ?? "";
  const seconds = headers.get("svix-timestamp") ?? "";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0 || !isFresh(seconds, now)) return undefined;
  const expected = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  const signatures = (headers.get("svix-signature") ?? "").split(" ", MAX_SIGNATURES);
  if (!signatures.some((each) => constantTimeEqual(each, `v1,${expected}`))) return undefined;
  const { type, data } = v.parse(resendEventSchema, JSON.parse(body));
  const isBounce = type === "email.bounced" && !UNCLEAR_BOUNCE_TYPES.has(data?.bounce?.type ?? "");
  const reason = isBounce ? "bounced" : type === "email.complained" ? "complained" : undefined;
  return reason ? (data?.to ?? []).map((email) => ({ email, reason }) as const) : [];
}

/** The bounce types that don't mean that the mailbox is gone. They are those of Amazon SES, which Resend uses. */
const UNCLEAR_BOUNCE_TYPES = new Set(["Transient", "Undetermined"]);

const resendEventSchema = v.object({
  type: optionalTextSchema,
  data: v.nullish(
    v.object({
      to: v.nullish(v.array(v.string())),
      bounce: v.nullish(v.object({ type: optionalTextSchema })),
    }),
  ),
});

/** Mailgun signs timestamp and token: HMAC-SHA256 in hexadecimal, with the account's webhook key. */
function parseMailgunReport({ body, secret, now }: ReportRequest) {
  const { signature, "event-data": event } = v.parse(mailgunEventSchema, JSON.parse(body));
  const { timestamp = "", token = "", signature: provided = "" } = signature ?? {};
  if (secret === "" || !isFresh(String(timestamp), now)) return undefined;
  const expected = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
  if (!constantTimeEqual(String(provided), expected)) return undefined;
  const email = event?.recipient ?? "";
  if (event?.event === "complained") return [{ email, reason: "complained" } as const];
  // Other permanent failures, such as for an address on Mailgun's suppression list, aren't new bounces.
  const isPermanent = event?.event === "failed" && event.severity === "permanent";
  return isPermanent && /bounce/.test(event.reason ?? "")
    ? [{ email, reason: "bounced" } as const]
    : [];
}

const mailgunEventSchema = v.object({
  signature: v.nullish(
    v.object({
      timestamp: textOrNumberSchema,
      token: optionalTextSchema,
      signature: optionalTextSchema,
    }),
  ),
  "event-data": v.nullish(
    v.object({
      event: optionalTextSchema,
      severity: optionalTextSchema,
      reason: optionalTextSchema,
      recipient: optionalTextSchema,
    }),
  ),
});

/** Postmark doesn't sign: the key in the URL is the proof. */
function parsePostmarkReport({ body }: ReportRequest) {
  const { RecordType, Type, Email = "" } = v.parse(postmarkEventSchema, JSON.parse(body));
  if (RecordType === "SpamComplaint" || Type === "SpamComplaint")
    return [{ email: Email, reason: "complained" } as const];
  const isPermanent =
    RecordType === "Bounce" && (Type === "HardBounce" || Type === "BadEmailAddress");
  return isPermanent ? [{ email: Email, reason: "bounced" } as const] : [];
}

const postmarkEventSchema = v.object({
  RecordType: optionalTextSchema,
  Type: optionalTextSchema,
  Email: optionalTextSchema,
});

const isFresh = (seconds: string, now: number) =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) < MAX_REQUEST_AGE_MS;
