/** How the site sends mail, and the messages that it has to send. Neither has routes of its own. */
import * as v from "valibot";
import { collection, records, singleton } from "./entity.ts";
import { internal, moment, optionalEmail } from "./fields.ts";

/** How a line to a mail server is kept from being read. */
export const MAIL_SECURITY = [
  { value: "tls", label: "TLS (usually port 465)" },
  { value: "starttls", label: "STARTTLS (usually port 587)" },
] as const;

/** When the owner hears of an enquiry. */
export const NOTIFY = [
  { value: "at once", label: "At once" },
  { value: "daily", label: "Once a day, all in one message" },
  { value: "off", label: "Not by mail" },
] as const;

/** How an account is reached: a mail server, or a provider's own call. */
export const mailAccountSchema = v.variant("kind", [
  v.object({
    kind: v.literal("smtp"),
    host: v.pipe(v.string(), v.nonEmpty(), v.maxLength(253)),
    port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
    /** "none" to this machine alone, and only by MAIL_URL. */
    security: v.picklist(["tls", "starttls", "none"]),
    username: v.pipe(v.string(), v.maxLength(320)),
  }),
  v.object({ kind: v.literal("resend") }),
  v.object({ kind: v.literal("postmark") }),
  v.object({
    kind: v.literal("mailgun"),
    domain: v.pipe(v.string(), v.nonEmpty()),
    eu: v.boolean(),
  }),
  v.object({ kind: v.literal("ses"), region: v.pipe(v.string(), v.nonEmpty()), keyId: v.string() }),
]);

/** Without its password or key. */
export type MailAccount = v.InferOutput<typeof mailAccountSchema>;

const webhookSchema = v.object({
  url: v.string(),
  /** Encrypted for this installation alone. */
  sealedSecret: v.string(),
  /** Enquiries from then on are told of. */
  since: v.string(),
});

/** Where every new enquiry is posted to. */
export type Webhook = v.InferOutput<typeof webhookSchema>;

const pushKeysSchema = v.object({
  /** Base64url. */
  publicKey: v.string(),
  /** Encrypted for this installation alone. */
  sealedPrivateKey: v.string(),
});

/** Where an owner hears of new enquiries by web push. */
export const pushDevices = collection("pushDevices", "Device", {
  readers: "none",
  staysOnRestore: true,
  permission: "site",
  history: false,
  limit: 500,
  fields: {
    userId: internal("User", v.string(), ""),
    /** Browser and system. */
    name: internal("Device", v.string(), ""),
    /** Whoever knows it could write to the device if they had the site's key. */
    endpoint: internal("Endpoint", v.string(), ""),
    p256dh: internal("Key", v.string(), ""),
    auth: internal("Secret", v.string(), ""),
    /** The site's public key that it subscribed with. */
    key: internal("Site's key", v.string(), ""),
    createdAt: moment("Added", "create"),
  },
});

const toldToSchema = v.object({
  notify: v.picklist(NOTIFY.map(({ value }) => value)),
  recipients: v.array(v.string()),
});

/** How a reply to an enquiry begins; the greeting and the signature are put around it. */
export const replyTemplateSchema = v.object({
  label: v.pipe(v.string(), v.trim(), v.nonEmpty("Name each template."), v.maxLength(40)),
  text: v.pipe(v.string(), v.trim(), v.nonEmpty("Write each template."), v.maxLength(2000)),
});

export type ReplyTemplate = v.InferOutput<typeof replyTemplateSchema>;

/** Until the owner writes others. */
export const REPLY_TEMPLATES: readonly ReplyTemplate[] = [
  {
    label: "Can we talk?",
    text: "Thank you for writing to me. Can we talk on the phone for a quarter of an hour? Tell me two or three times that suit you.",
  },
  {
    label: "More soon",
    text: "Thank you for writing to me. I'm on the road at the moment, and will answer in full within a few days.",
  },
  {
    label: "Tell me more",
    text: "Thank you for writing to me. So that I can give you a good answer: what would you like to reach, by when, and what have you tried so far?",
  },
  {
    label: "Not this time",
    text: "Thank you for writing to me. I'm fully booked at that time and have to say no, which I'm sorry for. May I come back to you when something opens up?",
  },
];

export const mailSettings = singleton("mailSettings", "Mail", {
  readers: "none",
  version: 3,
  // What versions 2 and 3 added is there with its first value.
  migrations: { 1: (settings) => settings, 2: (settings) => settings },
  staysOnRestore: true,
  permission: "site",
  history: false,
  fields: {
    /** Which of `MAIL_PRESETS` it was made from. */
    preset: internal("Provider", v.string(), ""),
    account: internal("Account", v.nullable(mailAccountSchema), null),
    /** The password or key, encrypted for this installation alone. */
    sealedSecret: internal("Secret", v.nullable(v.string()), null),
    fromName: internal("Sender's name", v.string(), ""),
    fromAddress: internal("Sender's address", v.string(), ""),
    notify: internal("Tell of enquiries", v.picklist(NOTIFY.map(({ value }) => value)), "at once"),
    /** Default: the owners' own addresses. */
    notifyTo: optionalEmail("Tell of enquiries at"),
    /** Enquiries from then on are told of. */
    since: internal("Since", v.nullable(v.string()), null),
    /** The last enquiry that a daily message told of was before this moment. */
    digestAt: internal("Last daily message", v.nullable(v.string()), null),
    /** Until when reminders were told of. */
    followUpsAt: internal("Last told of reminders", v.nullable(v.string()), null),
    /** How and whom enquiries were told of by mail at the last look: whoever is new hears of new ones. */
    toldTo: internal("Told to", v.nullable(toldToSchema), null),
    /** A message a day to the owner. */
    selfTest: internal("Daily test", v.boolean(), false),
    /** Signs messages to devices (VAPID); made once. */
    pushKeys: internal("Push keys", v.nullable(pushKeysSchema), null),
    webhook: internal("Webhook", v.nullable(webhookSchema), null),
    /** Below every reply; empty: the site's name. */
    signature: internal("Signature", v.string(), ""),
    /** Null: `REPLY_TEMPLATES`. */
    replyTemplates: internal("Templates", v.nullable(v.array(replyTemplateSchema)), null),
  },
});

/** What a message is for; the list in the dashboard calls it by its label. */
export const MESSAGE_KINDS = [
  { value: "enquiry", label: "New enquiry" },
  { value: "digest", label: "Enquiries of the day" },
  { value: "followUp", label: "To follow up" },
  { value: "password", label: "Password reset" },
  { value: "notice", label: "Notice" },
  { value: "testimonial", label: "New testimonial" },
  { value: "ask", label: "Asking for a testimonial" },
  { value: "thanks", label: "Thank-you to a visitor" },
  { value: "reply", label: "Reply to an enquiry" },
  { value: "call", label: "Call with somebody" },
  { value: "confirm", label: "Confirm a subscription" },
  { value: "welcome", label: "Welcome to the mailing list" },
  { value: "leave", label: "Leave the mailing list" },
  { value: "selftest", label: "Daily test" },
  { value: "push", label: "To a device" },
  { value: "webhook", label: "Webhook" },
] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number]["value"];

export const MESSAGE_STATES = ["waiting", "sent", "failed"] as const;

export const outbox = records("outbox", "Message", {
  readers: "none",
  version: 2,
  // Headers of its own, which version 2 added, are there with their first value.
  migrations: { 1: (message) => message },
  // What has gone out since must not wait once more.
  staysOnRestore: true,
  keys: ["id", "kind", "state", "nextAt", "about", "to", "createdAt"],
  fields: {
    kind: internal("Kind", v.picklist(MESSAGE_KINDS.map(({ value }) => value)), "enquiry"),
    /** An address; what is carried in another way has its own name for the recipient. */
    to: { ...internal("To", v.string(), ""), personal: "named" },
    replyTo: optionalEmail("Reply to", { personal: "named" }),
    subject: internal("Subject", v.string(), ""),
    /** Both bodies are emptied once it is sent. */
    text: internal("Text", v.string(), ""),
    html: internal("HTML", v.string(), ""),
    /** Its own ones, such as `List-Unsubscribe`. */
    headers: internal("Headers", v.record(v.string(), v.string()), {}),
    /** Stays the same however often it is tried, so that a copy is known as one. Amazon SES writes its own. */
    messageId: internal("Message-ID", v.string(), ""),
    /** The id of what it tells of. */
    about: internal("About", v.nullable(v.string()), null),
    state: internal("State", v.picklist(MESSAGE_STATES), "waiting"),
    attempts: internal("Tries", v.number(), 0),
    /** Milliseconds since 1970. */
    nextAt: internal("Next try", v.number(), 0),
    expiresAt: internal("Given up", v.number(), 0),
    /** What went wrong the last time, in words. */
    problem: internal("Problem", v.nullable(v.string()), null),
    /** The server's own words. */
    said: internal("Server", v.nullable(v.string()), null),
    createdAt: moment("Created", "create"),
    sentAt: internal("Sent", v.nullable(v.string()), null),
  },
});

/** The sent marks of an earlier release, which kept them beside its outbox (see src/server/post/queue/sentMarks.ts). */
export const handedIn = collection("handedIn", "Handed in", {
  plural: "Handed in",
  readers: "none",
  staysOnRestore: true,
  permission: "site",
  history: false,
  limit: 1000,
  fields: {
    kind: internal("Kind", v.picklist(MESSAGE_KINDS.map(({ value }) => value)), "enquiry"),
    sentAt: internal("Sent", v.string(), ""),
  },
});
