/** What `GET /api/mail` tells of the site's mail. */
import type { StoredReply } from "./visitors.ts";
import type { MailAccount, MessageKind, MESSAGE_STATES, NOTIFY, ReplyTemplate } from "./mail.ts";

export interface MailState {
  /** Set where the site runs, and not to be changed here. */
  readonly isFixed: boolean;
  readonly isSetUp: boolean;
  readonly preset: string;
  /** Without its password or key, which never leaves the server. */
  readonly account: MailAccount | null;
  readonly hasSecret: boolean;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly notify: (typeof NOTIFY)[number]["value"];
  /** Null: to the owners' own addresses. */
  readonly notifyTo: string | null;
  readonly owners: readonly string[];
  readonly selfTest: SelfTestState;
  /** Where every new enquiry is posted to; null: nowhere. */
  readonly webhook: WebhookState | null;
  /** The owner's own, which may be empty, and what stands below a reply without one. */
  readonly signature: string;
  readonly usualSignature: string;
  readonly replyTemplates: readonly ReplyTemplate[];
  /** The newest, newest first. */
  readonly messages: readonly MessageSummary[];
  readonly total: number;
  /** How many wait for longer than an hour. */
  readonly waiting: number;
  /** How many failed in the last week. */
  readonly failed: number;
}

/** A message a day from the site to its owner. */
export interface SelfTestState {
  readonly isOn: boolean;
  /** The newest one; null before the first. */
  readonly last:
    | (Pick<MessageSummary, "state" | "problem" | "said"> & {
        /** When it was sent, else written. */
        readonly at: string;
      })
    | null;
}

/** Without its secret, which is told once. */
export interface WebhookState {
  readonly url: string;
  readonly since: string;
}

/** What `POST /api/mail/webhook` and `…/secret` return. */
export interface WebhookSet {
  readonly webhook: WebhookState | null;
  /** A new one, told now and never again; null: the one from before stays. */
  readonly secret: string | null;
}

/** What `POST /api/mail/webhook/test` returns. */
export interface WebhookTest {
  readonly ok: boolean;
  /** What went wrong, in words. */
  readonly problem: string | null;
  /** The receiver's own words. */
  readonly said: string | null;
}

/** One message, without its words. */
export interface MessageSummary {
  readonly id: string;
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  /** Declined: it was never to be sent, and why is its problem. */
  readonly state: (typeof MESSAGE_STATES)[number] | "declined";
  readonly attempts: number;
  readonly nextAt: string;
  readonly problem: string | null;
  readonly said: string | null;
  readonly createdAt: string | null;
  readonly sentAt: string | null;
}

/** What was written to who sent an enquiry, oldest first. */
export interface ReplyThread {
  /** Mail is set up, and the enquiry names an address. */
  readonly isPossible: boolean;
  /** What a new one ends with, and may begin with. */
  readonly signature: string;
  readonly templates: readonly ReplyTemplate[];
  /** What a reply can suggest times by; null where none can be. */
  readonly times: TimesToSuggest | null;
  readonly replies: readonly (StoredReply & {
    /** Of its message; null when that is gone, or was never written. */
    readonly state: (typeof MESSAGE_STATES)[number] | null;
    readonly problem: string | null;
  })[];
}

interface TimesToSuggest {
  /** Of the site, in which they are meant. */
  readonly zone: string;
  /** The number that was answered, or empty. */
  readonly number: string;
  /** To and with anybody. */
  readonly taken: readonly SuggestedTime[];
  /** Why no more can be suggested to this one at the moment. */
  readonly refusal: string | null;
}

/** A time that is suggested or agreed on. */
export interface SuggestedTime {
  /** As clocks of the site's time zone show it. */
  readonly at: string;
  readonly minutes: number;
  /** A first name where there is one. */
  readonly who: string;
}

/** What `GET /api/calls-calendar` returns. */
export interface CallsCalendarState {
  /** Whether times were ever suggested: who suggests none isn't told of a calendar. */
  readonly isUsed: boolean;
  /** Since when there is an address by which calendars follow the calls; null: there is none. */
  readonly since: string | null;
}

/** What `POST /api/calls-calendar` returns. */
export interface CallsCalendarMade extends CallsCalendarState {
  /** Of the calendar, with its key: told now and never again. */
  readonly path: string;
}

/** What `POST /api/mail/test` returns: each step in its order; those after a failed one were not tried. */
export interface MailTest {
  readonly ok: boolean;
  readonly steps: readonly {
    readonly step: string;
    readonly label: string;
    readonly state: "done" | "failed" | "not tried";
  }[];
  /** What went wrong, and what to do. */
  readonly problem: string | null;
  /** The server's own words. */
  readonly said: string | null;
}

/** One of the three records that `GET /api/mail/domain` tells of. */
export interface DomainRecord {
  readonly name: "SPF" | "DKIM" | "DMARC";
  readonly what: string;
  /** "unknown" when DNS could not be asked, or only the provider knows. */
  readonly state: "found" | "missing" | "different" | "unknown";
  /** Where it belongs: `_dmarc.example.com`. */
  readonly host: string;
  /** What it should hold; null where only the provider knows. */
  readonly value: string | null;
  /** What to do. */
  readonly advice: string;
}

/** What `/api/push` returns. */
export interface PushState {
  /** The site's public key, base64url: a browser subscribes with it. */
  readonly key: string;
  readonly devices: readonly PushDevice[];
}

export interface PushDevice {
  readonly id: string;
  /** Browser and system. */
  readonly name: string;
  readonly createdAt: string;
  /** SHA-256 of its endpoint, in hex: a browser knows itself by it. */
  readonly mark: string;
}

/** What somebody is handed who is asked for a testimonial. */
export interface SayLink {
  readonly link: string;
  /** Words around it, in the site's language. */
  readonly message: string;
  readonly qr: { readonly size: number; readonly path: string };
  /** Whether it can be sent by mail from here. */
  readonly canMail: boolean;
}
