/** The state of the site's mail: `GET /api/mail`. */
import type { DrawnQr } from "./drawnQr.ts";
import type { StoredReply } from "../enquiry/visitors.ts";
import type {
  MailAccount,
  MessageKind,
  MESSAGE_STATES,
  NOTIFICATION_FREQUENCIES,
  ReplyTemplate,
} from "../people/mail.ts";

export interface MailState {
  /** True if mail is configured by environment variables, so the dashboard can't change it. */
  readonly isFixed: boolean;
  readonly isSetUp: boolean;
  readonly preset: string;
  /** The account without its password or key, which never leaves the server. */
  readonly account: MailAccount | null;
  readonly hasSecret: boolean;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly notify: (typeof NOTIFICATION_FREQUENCIES)[number]["value"];
  /** The address that gets the notifications; null if they are sent to the owners' own addresses. */
  readonly notifyTo: string | null;
  readonly owners: readonly string[];
  readonly selfTest: SelfTestState;
  /** The webhook to which new enquiries are posted; null without one. */
  readonly webhook: WebhookState | null;
  /** The owner's signature for replies, which may be empty. `usualSignature` is the default. */
  readonly signature: string;
  readonly usualSignature: string;
  readonly replyTemplates: readonly ReplyTemplate[];
  /** The most recent messages, newest first. */
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  /** The number of messages waiting for more than an hour. */
  readonly waiting: number;
  /** The number of failed messages in the last week. */
  readonly failed: number;
}

/** The daily test message to the owner. */
interface SelfTestState {
  readonly isOn: boolean;
  /** The most recent test; null before the first. */
  readonly last:
    | (Pick<MessageSummary, "state" | "problem" | "said"> & {
        /** The time when the test was sent; if it wasn't sent, the time when it was created. */
        readonly at: string;
      })
    | null;
}

/** The webhook without its secret. */
export interface WebhookState {
  readonly url: string;
  readonly since: string;
}

/** The response of `POST /api/mail/webhook` and `…/secret`. */
export interface WebhookUpdate {
  readonly webhook: WebhookState | null;
  /** A new secret, which is returned only once; null if the secret hasn't changed. */
  readonly secret: string | null;
}

/** The response of `POST /api/mail/webhook/test`. */
export interface WebhookTest {
  readonly ok: boolean;
  readonly problem: string | null;
  /** The response of the webhook's server; null without a response. */
  readonly said: string | null;
}

export interface MessageSummary {
  readonly id: string;
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly state: (typeof MESSAGE_STATES)[number];
  /** Whether the message has waited for more than an hour, or failed in the last week. */
  readonly needsAttention: boolean;
  readonly attempts: number;
  readonly nextAt: string;
  readonly problem: string | null;
  readonly said: string | null;
  readonly createdAt: string | null;
  readonly sentAt: string | null;
}

/** The response of `GET /api/form-submissions/{id}/replies`: the data of an enquiry's reply form. */
export interface ReplyThread {
  /** Whether a reply can be sent: mail is set up, and the enquiry contains an email address. */
  readonly isPossible: boolean;
  readonly signature: string;
  readonly templates: readonly ReplyTemplate[];
  /** The greeting of a reply, with the placeholder `{name}`. In `subject`, `{title}` stands for the form's title. */
  readonly greeting: string;
  readonly subject: string;
  /** The greeting in a chat message: `hi` contains `{name}`, and `hiThere` is for a visitor without a name. */
  readonly hi: string;
  readonly hiThere: string;
  /** The data for suggesting times for a call; null if no times can be suggested. */
  readonly times: TimesToSuggest | null;
  readonly replies: readonly (StoredReply & {
    /** The state of the reply's message; null if the message was deleted or never queued. */
    readonly state: (typeof MESSAGE_STATES)[number] | null;
    readonly problem: string | null;
  })[];
}

interface TimesToSuggest {
  /** The site's time zone. */
  readonly zone: string;
  /** The visitor's phone number; empty if no answer contains one. */
  readonly number: string;
  /** All upcoming times that are booked or suggested to any visitor. */
  readonly taken: readonly UpcomingTime[];
  /** The reason why no more times can be suggested to this visitor now; null if more can be suggested. */
  readonly refusal: string | null;
}

/** A suggested or booked time. */
export interface UpcomingTime {
  /** The local time in the site's zone. */
  readonly at: string;
  readonly minutes: number;
  /** The visitor's first name; without one the email address, else "somebody". */
  readonly who: string;
}

/** The response of `GET /api/calls-calendar`. */
export interface CallsCalendarState {
  /** True if a call time was ever suggested. Otherwise the dashboard offers a calendar only if a feed exists. */
  readonly isUsed: boolean;
  /** The time when the calendar feed was created; null without a feed. */
  readonly since: string | null;
}

/** The response of `POST /api/calls-calendar`. */
export interface CreatedCallsCalendar extends CallsCalendarState {
  /** The feed's path with its key, which is returned only once. */
  readonly path: string;
}

/** The response of `POST /api/mail/test`: the steps in order. Steps after a failed step weren't tried. */
export interface MailTest {
  readonly ok: boolean;
  readonly steps: readonly {
    readonly step: string;
    readonly label: string;
    readonly state: "done" | "failed" | "not tried";
  }[];
  /** What failed, and what the owner can do about it; null after a success. */
  readonly problem: string | null;
  /** The mail server's response. */
  readonly said: string | null;
}

/** One of the three DNS records in the response of `GET /api/mail/domain`. */
export interface DomainRecord {
  readonly name: "SPF" | "DKIM" | "DMARC";
  readonly what: string;
  /** "unknown" if the DNS query failed, or if only the provider can check the record. */
  readonly state: "found" | "missing" | "different" | "unknown";
  /** The record's name in DNS, such as `_dmarc.example.com`. */
  readonly host: string;
  /** The expected value; null if only the provider knows it. */
  readonly value: string | null;
  readonly advice: string;
}

/** The response of `/api/push`. */
export interface PushState {
  /** The site's public key in base64url, with which a browser subscribes. */
  readonly key: string;
  readonly devices: readonly PushDevice[];
}

export interface PushDevice {
  readonly id: string;
  /** The browser and operating system, such as "Chrome on Mac". */
  readonly name: string;
  readonly createdAt: string;
  /** SHA-256 of the subscription's endpoint, in hex. A browser finds its own device in the list by this hash. */
  readonly mark: string;
}

/** The link for writing a testimonial, and ways to send it: `GET /api/testimonial-requests/{id}/link`. */
export interface TestimonialRequestLink {
  readonly link: string;
  /** A text to send with the link, in the site's language. */
  readonly message: string;
  readonly qr: DrawnQr;
  /** Whether the dashboard can send the invitation by email. */
  readonly canMail: boolean;
}
