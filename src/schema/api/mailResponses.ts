/** The state of the site's mail: `GET /api/mail`. */
import type { DrawnQr } from "./drawnQr.ts";
import type { StoredReply } from "../enquiry/visitors.ts";
import type {
  MailAccount,
  MessageKind,
  MESSAGE_STATES,
  NOTIFY,
  ReplyTemplate,
} from "../people/mail.ts";

export interface MailState {
  /** Configured by settings, so it can't be changed here. */
  readonly isFixed: boolean;
  readonly isSetUp: boolean;
  readonly preset: string;
  /** Without its password or key, which never leaves the server. */
  readonly account: MailAccount | null;
  readonly hasSecret: boolean;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly notify: (typeof NOTIFY)[number]["value"];
  /** Null for the owners' own addresses. */
  readonly notifyTo: string | null;
  readonly owners: readonly string[];
  readonly selfTest: SelfTestState;
  /** The URL that new enquiries are posted to; null for none. */
  readonly webhook: WebhookState | null;
  /** The owner's own, which may be empty, and the default below a reply. */
  readonly signature: string;
  readonly usualSignature: string;
  readonly replyTemplates: readonly ReplyTemplate[];
  /** The most recent ones, newest first. */
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
  /** The most recent one; null before the first. */
  readonly last:
    | (Pick<MessageSummary, "state" | "problem" | "said"> & {
        /** When it was sent, or else created. */
        readonly at: string;
      })
    | null;
}

/** Without its secret, which is shown only once. */
export interface WebhookState {
  readonly url: string;
  readonly since: string;
}

/** The response of `POST /api/mail/webhook` and `…/secret`. */
export interface WebhookSet {
  readonly webhook: WebhookState | null;
  /** A new one, shown only now; null if it hasn't changed. */
  readonly secret: string | null;
}

/** The response of `POST /api/mail/webhook/test`. */
export interface WebhookTest {
  readonly ok: boolean;
  readonly problem: string | null;
  /** The receiver's response. */
  readonly said: string | null;
}

/** A message without its text. */
export interface MessageSummary {
  readonly id: string;
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly state: (typeof MESSAGE_STATES)[number];
  readonly attempts: number;
  readonly nextAt: string;
  readonly problem: string | null;
  readonly said: string | null;
  readonly createdAt: string | null;
  readonly sentAt: string | null;
}

/** The replies to an enquiry, oldest first. */
export interface ReplyThread {
  /** Whether mail is set up and the enquiry has an address. */
  readonly isPossible: boolean;
  /** The signature and the templates for a new reply. */
  readonly signature: string;
  readonly templates: readonly ReplyTemplate[];
  /** The first line, with `{name}`, and the subject, with `{title}` of the form. */
  readonly greeting: string;
  readonly subject: string;
  /** The beginning of a chat, with `{name}` and without. */
  readonly hi: string;
  readonly hiThere: string;
  /** The data for suggesting times; null where that is impossible. */
  readonly times: TimesToSuggest | null;
  readonly replies: readonly (StoredReply & {
    /** The message's state; null if it was deleted or never queued. */
    readonly state: (typeof MESSAGE_STATES)[number] | null;
    readonly problem: string | null;
  })[];
}

interface TimesToSuggest {
  /** The site's, which suggested times are in. */
  readonly zone: string;
  /** The phone number in the answers, or empty. */
  readonly number: string;
  /** Times suggested to or booked by anybody. */
  readonly taken: readonly UpcomingTime[];
  /** The reason why no more times can be suggested to this person now. */
  readonly refusal: string | null;
}

/** A suggested or booked time. */
export interface UpcomingTime {
  /** Local time in the site's zone. */
  readonly at: string;
  readonly minutes: number;
  /** The first name, if given. */
  readonly who: string;
}

/** The response of `GET /api/calls-calendar`. */
export interface CallsCalendarState {
  /** Whether times were ever suggested: otherwise the calendar isn't offered. */
  readonly isUsed: boolean;
  /** Since when the calendar feed exists; null without one. */
  readonly since: string | null;
}

/** The response of `POST /api/calls-calendar`. */
export interface CallsCalendarMade extends CallsCalendarState {
  /** The feed's path with its key, shown only now. */
  readonly path: string;
}

/** The response of `POST /api/mail/test`: the steps in order; those after a failed one weren't tried. */
export interface MailTest {
  readonly ok: boolean;
  readonly steps: readonly {
    readonly step: string;
    readonly label: string;
    readonly state: "done" | "failed" | "not tried";
  }[];
  /** The problem, and what to do. */
  readonly problem: string | null;
  /** The server's response. */
  readonly said: string | null;
}

/** One of the three records in `GET /api/mail/domain`. */
export interface DomainRecord {
  readonly name: "SPF" | "DKIM" | "DMARC";
  readonly what: string;
  /** "unknown" when the DNS query failed, or only the provider can check. */
  readonly state: "found" | "missing" | "different" | "unknown";
  /** The record's name: `_dmarc.example.com`. */
  readonly host: string;
  /** The expected value; null where only the provider has it. */
  readonly value: string | null;
  /** The next step, as a sentence. */
  readonly advice: string;
}

/** The response of `/api/push`. */
export interface PushState {
  /** The site's public key, base64url, for a browser's subscription. */
  readonly key: string;
  readonly devices: readonly PushDevice[];
}

export interface PushDevice {
  readonly id: string;
  /** Browser and system. */
  readonly name: string;
  readonly createdAt: string;
  /** SHA-256 of its endpoint, in hex, by which a browser recognizes itself. */
  readonly mark: string;
}

/** An invitation to write a testimonial. */
export interface SayLink {
  readonly link: string;
  /** A text to send with it, in the site's language. */
  readonly message: string;
  readonly qr: DrawnQr;
  /** Whether it can be mailed from here. */
  readonly canMail: boolean;
}
