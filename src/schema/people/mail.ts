/** The mail settings, and the messages to send. Neither has generated routes. */
import * as v from "valibot";
import { collection, records, singleton } from "../entities/entity.ts";
import { boundedText } from "../core/boundedText.ts";
import {
  EMPTY,
  internal,
  timestamp,
  NOT_TEXT,
  optionalEmail,
  textSchema,
} from "../kinds/fields.ts";
import { tooLongMessage } from "../core/formatNumber.ts";

/** The encryption of a connection to a mail server. */
export const MAIL_SECURITY = [
  { value: "tls", label: "TLS (usually port 465)" },
  { value: "starttls", label: "STARTTLS (usually port 587)" },
] as const;

/** When the owner is notified of an enquiry. */
export const NOTIFICATION_FREQUENCIES = [
  { value: "at once", label: "Right away" },
  { value: "daily", label: "Once a day, in one email" },
  { value: "off", label: "Never" },
] as const;

const lineSchema = (most: number) => boundedText(most, NOT_TEXT, tooLongMessage(most));

/** The transport of mail: a mail server, or a provider's API. */
export const mailAccountSchema = v.variant("kind", [
  v.object({
    kind: v.literal("smtp"),
    host: v.pipe(lineSchema(253), v.nonEmpty(EMPTY)),
    port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
    /** "none" is only for this machine, and only in MAIL_URL. */
    security: v.picklist(["tls", "starttls", "none"]),
    username: lineSchema(320),
  }),
  v.object({ kind: v.literal("resend") }),
  v.object({ kind: v.literal("postmark") }),
  v.object({
    kind: v.literal("mailgun"),
    domain: v.pipe(lineSchema(253), v.nonEmpty(EMPTY)),
    eu: v.boolean(),
  }),
  v.object({
    kind: v.literal("ses"),
    region: v.pipe(lineSchema(60), v.nonEmpty(EMPTY)),
    keyId: lineSchema(200),
  }),
]);

/** Without its password or key. */
export type MailAccount = v.InferOutput<typeof mailAccountSchema>;

const webhookSchema = v.object({
  url: v.string(),
  /** Encrypted with this installation's key. */
  sealedSecret: v.string(),
  /** Only enquiries after this are sent. */
  since: v.string(),
});

/** The URL that every new enquiry is posted to. */
export type Webhook = v.InferOutput<typeof webhookSchema>;

const pushKeysSchema = v.object({
  /** Base64url. */
  publicKey: v.string(),
  /** Encrypted with this installation's key. */
  sealedPrivateKey: v.string(),
});

/** Devices that notify an owner of new enquiries by web push. */
export const pushDevices = collection("pushDevices", "Device", {
  readers: "none",
  isRetainedOnRestore: true,
  permission: "site",
  hasHistory: false,
  maxItems: 500,
  fields: {
    userId: internal("User", v.string(), ""),
    /** Browser and system. */
    name: internal("Device", v.string(), ""),
    /** Secret: with the site's key, it allows sending to the device. */
    endpoint: internal("Endpoint", v.string(), ""),
    p256dh: internal("Key", v.string(), ""),
    auth: internal("Secret", v.string(), ""),
    /** The site's public key at the time of the subscription. */
    key: internal("Site's key", v.string(), ""),
    createdAt: timestamp("Added", "create"),
  },
});

const notifiedSchema = v.object({
  notify: v.picklist(NOTIFICATION_FREQUENCIES.map(({ value }) => value)),
  recipients: v.array(v.string()),
});

/** In characters. */
export const MAX_SIGNATURE_LENGTH = 500;
export const MAX_TEMPLATE_LENGTHS = { label: 40, text: 2000 } as const;

const createTemplateSchema = (textOf: (most: number) => v.GenericSchema<unknown, string>) =>
  v.object({
    label: v.pipe(textOf(MAX_TEMPLATE_LENGTHS.label), v.nonEmpty("Give each template a name.")),
    text: v.pipe(textOf(MAX_TEMPLATE_LENGTHS.text), v.nonEmpty("Enter a text for each template.")),
    /** Replaces the text in a reply that suggests times; default: the same. */
    withTimes: v.optional(textOf(MAX_TEMPLATE_LENGTHS.text)),
  });

/** The opening of a reply to an enquiry; the greeting and the signature are added around it. */
const replyTemplateSchema = createTemplateSchema(lineSchema);

/** The same as an owner sends it. */
export const typedTemplateSchema = createTemplateSchema(textSchema);

export type ReplyTemplate = v.InferOutput<typeof replyTemplateSchema>;

export const mailSettings = singleton("mailSettings", "Email settings", {
  readers: "none",
  version: 3,
  isRetainedOnRestore: true,
  permission: "site",
  hasHistory: false,
  fields: {
    /** The entry of `MAIL_PRESETS` that it is based on. */
    preset: internal("Provider", v.string(), ""),
    account: internal("Account", v.nullable(mailAccountSchema), null),
    /** The password or key, encrypted with this installation's key. */
    sealedSecret: internal("Secret", v.nullable(v.string()), null),
    fromName: internal("Sender name", v.string(), ""),
    fromAddress: internal("Sender email address", v.string(), ""),
    notify: internal(
      "New submissions by email",
      v.picklist(NOTIFICATION_FREQUENCIES.map(({ value }) => value)),
      "at once",
    ),
    /** Default: the owners' own addresses. */
    notifyTo: optionalEmail("Notification address"),
    /** When mail was set up, or `notify` last changed: the daily message has enquiries after this. */
    since: internal("Since", v.nullable(v.string()), null),
    /** Enquiries before this were included in a daily message. */
    digestAt: internal("Last daily email", v.nullable(v.string()), null),
    /** Reminders before this were sent. */
    followUpsAt: internal("Last reminders", v.nullable(v.string()), null),
    /** Not used any more; it is in format 1. */
    toldTo: internal("Last notified", v.nullable(notifiedSchema), null),
    /** Sends the owner a test message every day. */
    selfTest: internal("Daily test", v.boolean(), false),
    /** Signs push messages (VAPID); generated once. */
    pushKeys: internal("Push keys", v.nullable(pushKeysSchema), null),
    webhook: internal("Webhook", v.nullable(webhookSchema), null),
    /** Below every reply; if empty, the site's name. */
    signature: internal("Signature", v.string(), ""),
    /** Null: those in the site's language (`reply` of its words). */
    replyTemplates: internal("Templates", v.nullable(v.array(replyTemplateSchema)), null),
  },
});

/** The purpose of a message; the dashboard's list shows its label. */
export const MESSAGE_KINDS = [
  { value: "enquiry", label: "New submission" },
  { value: "digest", label: "Daily summary" },
  { value: "followUp", label: "Follow-up reminder" },
  { value: "password", label: "Password reset" },
  { value: "notice", label: "Alert" },
  { value: "testimonial", label: "New testimonial" },
  { value: "ask", label: "Testimonial request" },
  { value: "thanks", label: "Thank-you email" },
  { value: "reply", label: "Reply to a submission" },
  { value: "call", label: "Booked call" },
  { value: "confirm", label: "Subscription confirmation" },
  { value: "welcome", label: "Welcome email" },
  { value: "leave", label: "Unsubscribe confirmation" },
  { value: "selftest", label: "Daily test" },
  { value: "push", label: "Device notification" },
  { value: "webhook", label: "Webhook" },
] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number]["value"];

export const MESSAGE_STATES = ["waiting", "sent", "failed"] as const;

export const outbox = records("outbox", "Message", {
  readers: "none",
  version: 2,
  // A message sent since the backup must not be queued again.
  isRetainedOnRestore: true,
  keys: ["id", "kind", "state", "nextAt", "about", "to", "createdAt"],
  fields: {
    kind: internal("Kind", v.picklist(MESSAGE_KINDS.map(({ value }) => value)), "enquiry"),
    /** An email address; other channels have their own name for the recipient. */
    to: { ...internal("To", v.string(), ""), personal: "named" },
    replyTo: optionalEmail("Reply to", { personal: "named" }),
    subject: internal("Subject", v.string(), ""),
    /** Both bodies are cleared once it is sent. */
    text: internal("Text", v.string(), ""),
    html: internal("HTML", v.string(), ""),
    /** Additional headers, such as `List-Unsubscribe`. */
    headers: internal("Headers", v.record(v.string(), v.string()), {}),
    /** The same for every try, so that duplicates are recognized. Amazon SES sets its own. */
    messageId: internal("Message-ID", v.string(), ""),
    /** The id of what it is about. */
    about: internal("About", v.nullable(v.string()), null),
    state: internal("State", v.picklist(MESSAGE_STATES), "waiting"),
    attempts: internal("Attempts", v.number(), 0),
    /** Milliseconds since 1970. */
    nextAt: internal("Next attempt", v.number(), 0),
    expiresAt: internal("Expires", v.number(), 0),
    /** The last problem, in words. */
    problem: internal("Problem", v.nullable(v.string()), null),
    /** The server's response. */
    said: internal("Server", v.nullable(v.string()), null),
    createdAt: timestamp("Created", "create"),
    sentAt: internal("Sent", v.nullable(v.string()), null),
  },
});
