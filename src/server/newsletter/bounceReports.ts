/** Reads mail providers' reports of bounces and complaints, and checks their signatures. */
import { createHmac } from "node:crypto";
import * as v from "valibot";
import { constantTimeEqual } from "../shared/secrets.ts";
import { HOUR } from "../shared/time.ts";

export interface BounceReport {
  readonly email: string;
  readonly reason: "bounced" | "complained";
}

export interface ReportRequest {
  readonly headers: Headers;
  readonly body: string;
  /** The provider's signing secret, as the owner entered it. */
  readonly secret: string;
  readonly now: number;
}

/** Returns undefined if the signature is missing or wrong. Throws an Error if the body can't be read. */
export type ParseReports = (request: ReportRequest) => readonly BounceReport[] | undefined;

/** The parsers by kind of account. Mail servers send no reports; Amazon SES itself stops sending to bad addresses. */
export const REPORT_PARSERS: Readonly<Record<string, ParseReports>> = {
  resend: parseResendReport,
  mailgun: parseMailgunReport,
  postmark: parsePostmarkReport,
};

/** Values of another type count as missing. */
const optionalTextSchema = v.fallback(v.optional(v.string()), undefined);
const textOrNumberSchema = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined);

/** While a secret is being replaced, Svix sends two signatures. */
const MAX_SIGNATURES = 10;

/** The maximum age of a signed request, which an attacker may have recorded. */
const MAX_REQUEST_AGE_MS = HOUR;

/** Reads Resend's report. Svix signs it: HMAC-SHA256 of `{id}.{timestamp}.{body}`, in base64. */
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

/** The types of bounces after which the mailbox may still exist. Resend uses Amazon SES's types. */
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

/** Reads Mailgun's report. Its signature is the HMAC-SHA256 of timestamp and token, in hexadecimal. */
function parseMailgunReport({ body, secret, now }: ReportRequest) {
  const { signature, "event-data": event } = v.parse(mailgunEventSchema, JSON.parse(body));
  const { timestamp = "", token = "", signature: provided = "" } = signature ?? {};
  if (secret === "" || !isFresh(String(timestamp), now)) return undefined;
  const expected = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
  if (!constantTimeEqual(String(provided), expected)) return undefined;
  const email = event?.recipient ?? "";
  if (event?.event === "complained") return [{ email, reason: "complained" } as const];
  // Other permanent failures aren't new bounces: the address may be on Mailgun's suppression list.
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

/** Reads Postmark's report. Postmark doesn't sign; the route has already checked the key in the URL. */
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
