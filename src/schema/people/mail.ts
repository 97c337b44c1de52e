/** The mail settings, and the queue of messages (outbox). The routes aren't generated from these declarations. */
import * as v from "valibot";
import { collection, INTERNAL_SETTINGS, records, singleton } from "../entities/entity.ts";
import { boundedText } from "../core/boundedText.ts";
import {
  EMPTY_MESSAGE,
  internal,
  timestamp,
  NOT_TEXT_MESSAGE,
  optionalEmail,
  textSchema,
} from "../kinds/fields.ts";
import { createTooLongMessage } from "../core/formatNumber.ts";

export const MAIL_SECURITY_OPTIONS = [
  { value: "tls", label: "TLS (usually port 465)" },
  { value: "starttls", label: "STARTTLS (usually port 587)" },
] as const;

export const NOTIFICATION_FREQUENCIES = [
  { value: "at once", label: "Right away" },
  { value: "daily", label: "Once a day, in one email" },
  { value: "off", label: "Never" },
] as const;

const createLineSchema = (maxLength: number) =>
  boundedText(maxLength, NOT_TEXT_MESSAGE, createTooLongMessage(maxLength));

/** The account through which mail is sent: at a mail server, or at a provider with an API. */
export const mailAccountSchema = v.variant("kind", [
  v.object({
    kind: v.literal("smtp"),
    host: v.pipe(createLineSchema(253), v.nonEmpty(EMPTY_MESSAGE)),
    port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
    /** The encryption of the connection. "none" is only possible in MAIL_URL, for a mail server on this machine. */
    security: v.picklist(["tls", "starttls", "none"]),
    username: createLineSchema(320),
  }),
  v.object({ kind: v.literal("resend") }),
  v.object({ kind: v.literal("postmark") }),
  v.object({
    kind: v.literal("mailgun"),
    domain: v.pipe(createLineSchema(253), v.nonEmpty(EMPTY_MESSAGE)),
    eu: v.boolean(),
  }),
  v.object({
    kind: v.literal("ses"),
    region: v.pipe(createLineSchema(60), v.nonEmpty(EMPTY_MESSAGE)),
    keyId: createLineSchema(200),
  }),
]);

/** The account without its password or key. */
export type MailAccount = v.InferOutput<typeof mailAccountSchema>;

const webhookSchema = v.object({
  url: v.string(),
  /** The secret that signs posted enquiries, encrypted with the installation's key. */
  sealedSecret: v.string(),
  /** Only enquiries that arrive after this time are posted. */
  since: v.string(),
});

/** The URL to which every new enquiry is posted, with its secret. */
export type Webhook = v.InferOutput<typeof webhookSchema>;

const pushKeysSchema = v.object({
  /** The public key of the site for web push, base64url. */
  publicKey: v.string(),
  /** The private key, encrypted with the installation's key. */
  sealedPrivateKey: v.string(),
});

/** Devices that notify an owner of new enquiries by web push. */
export const pushDevices = collection("pushDevices", "Device", {
  ...INTERNAL_SETTINGS,
  maxItems: 500,
  fields: {
    userId: internal("User", v.string(), ""),
    name: internal("Device", v.string(), ""),
    /** The secret URL at the push service to which the site posts messages for the device. */
    endpoint: internal("Endpoint", v.string(), ""),
    p256dh: internal("Key", v.string(), ""),
    auth: internal("Secret", v.string(), ""),
    /** The site's public key at the time of the subscription. */
    key: internal("Site's key", v.string(), ""),
    createdAt: timestamp("Added", "create"),
  },
});

const notificationSchema = v.object({
  notify: v.picklist(NOTIFICATION_FREQUENCIES.map(({ value }) => value)),
  recipients: v.array(v.string()),
});

export const MAX_SIGNATURE_LENGTH = 500;
export const MAX_TEMPLATE_LENGTHS = { label: 40, text: 2000 } as const;

const createTemplateSchema = (
  createTextSchema: (maxLength: number) => v.GenericSchema<unknown, string>,
) =>
  v.object({
    label: v.pipe(
      createTextSchema(MAX_TEMPLATE_LENGTHS.label),
      v.nonEmpty("Give each template a name."),
    ),
    text: v.pipe(
      createTextSchema(MAX_TEMPLATE_LENGTHS.text),
      v.nonEmpty("Enter a text for each template."),
    ),
    /** The text for replies that suggest times for a call; default: `text`. */
    withTimes: v.optional(createTextSchema(MAX_TEMPLATE_LENGTHS.text)),
  });

/** A stored template: the text of a reply between the greeting and the signature. */
const replyTemplateSchema = createTemplateSchema(createLineSchema);

/** A template as an owner sends it. Unlike in a stored template, control characters are refused. */
export const templateInputSchema = createTemplateSchema(textSchema);

export type ReplyTemplate = v.InferOutput<typeof replyTemplateSchema>;

export const mailSettings = singleton("mailSettings", "Email settings", {
  version: 3,
  ...INTERNAL_SETTINGS,
  fields: {
    /** The entry of `MAIL_PRESETS` on which the account is based. */
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
    /** The address that gets the notifications; null for the owners' own addresses. */
    notifyTo: optionalEmail("Notification address"),
    /** The time when mail was set up or `notify` last changed. Daily messages contain only later enquiries. */
    since: internal("Since", v.nullable(v.string()), null),
    /** The time up to which enquiries were included in daily messages. */
    digestAt: internal("Last daily email", v.nullable(v.string()), null),
    /** The time up to which due reminders were sent. */
    followUpsAt: internal("Last reminders", v.nullable(v.string()), null),
    /** Unused; still declared since stored settings of format 1 contain it. */
    toldTo: internal("Last notified", v.nullable(notificationSchema), null),
    selfTest: internal("Daily test", v.boolean(), false),
    /** The key pair that signs push messages (VAPID), generated once. */
    pushKeys: internal("Push keys", v.nullable(pushKeysSchema), null),
    webhook: internal("Webhook", v.nullable(webhookSchema), null),
    /** The signature of replies; if empty, the default signature with the site's name is used. */
    signature: internal("Signature", v.string(), ""),
    /** The templates of replies; null for the defaults in the site's language (`reply` in src/web/words). */
    replyTemplates: internal("Templates", v.nullable(v.array(replyTemplateSchema)), null),
  },
});

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
  version: 2,
  // With these settings, a restore of a backup doesn't replace messages, so that no sent message is sent again.
  ...INTERNAL_SETTINGS,
  keys: ["id", "kind", "state", "nextAt", "about", "to", "createdAt"],
  fields: {
    kind: internal("Kind", v.picklist(MESSAGE_KINDS.map(({ value }) => value)), "enquiry"),
    /** The recipient: an email address, the id of a device, or a fixed name for the webhook. */
    to: { ...internal("To", v.string(), ""), personal: "named" },
    replyTo: optionalEmail("Reply to", { personal: "named" }),
    subject: internal("Subject", v.string(), ""),
    /** The body as text; `html` is the same as HTML. Both are emptied once the message is sent. */
    text: internal("Text", v.string(), ""),
    html: internal("HTML", v.string(), ""),
    /** Additional headers, such as `List-Unsubscribe`. */
    headers: internal("Headers", v.record(v.string(), v.string()), {}),
    /** The Message-ID, the same for all tries, so that mail programs recognize duplicates. Amazon SES replaces it. */
    messageId: internal("Message-ID", v.string(), ""),
    /** The id of the record that the message is about, or another key, such as a daily message's period; else null. */
    about: internal("About", v.nullable(v.string()), null),
    state: internal("State", v.picklist(MESSAGE_STATES), "waiting"),
    attempts: internal("Attempts", v.number(), 0),
    /** The time of the next try, in milliseconds since 1970. */
    nextAt: internal("Next attempt", v.number(), 0),
    expiresAt: internal("Expires", v.number(), 0),
    /** A sentence about the last problem; null without one. */
    problem: internal("Problem", v.nullable(v.string()), null),
    /** The mail server's last response. */
    said: internal("Server", v.nullable(v.string()), null),
    createdAt: timestamp("Created", "create"),
    sentAt: internal("Sent", v.nullable(v.string()), null),
  },
});
