/** The responses of `/api/letters`. */
import type { Item } from "../index.ts";
import type { Audience, LetterState } from "../people/letters.ts";

/** A letter without its text. */
export interface LetterSummary {
  readonly id: string;
  readonly subject: string;
  readonly state: LetterState;
  readonly sendAt: string | null;
  readonly changedAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly isPublic: boolean;
  readonly problem: string | null;
  readonly total: number;
  readonly sent: number;
  readonly refused: number;
  readonly leftOut: number;
  readonly unsubscribed: number;
  /** The number of recipients whose message was refused temporarily and will be sent again. */
  readonly waiting: number;
  /** The number of messages that the provider accepts per minute; null without a limit. */
  readonly pace: number | null;
}

export interface LetterDetail extends LetterSummary {
  readonly preview: string;
  readonly body: string;
  readonly buttonText: string;
  readonly buttonLink: string | null;
  readonly audience: Audience;
  /** The last test message; null if the text has changed since the test. */
  readonly tested: { readonly to: string; readonly at: string } | null;
  /** The most recent refusals, temporary or permanent. */
  readonly troubles: readonly DeliveryProblem[];
}

export interface DeliveryProblem {
  readonly to: string;
  readonly state: "again" | "refused";
  readonly problem: string | null;
  /** The mail server's last response. */
  readonly said: string | null;
  readonly nextAt: string;
}

type Settings = Item<"letterSettings">;

/** The response of `GET /api/letters`. */
export interface LettersState {
  readonly letters: readonly LetterSummary[];
  readonly settings: Pick<
    Settings,
    "doubleOptIn" | "welcome" | "welcomeText" | "postalAddress" | "archive"
  >;
  /** Whether mail is set up, and whether the site's public address is configured. Links in letters need the address. */
  readonly hasMail: boolean;
  readonly hasAddress: boolean;
  /** The number of active subscribers. Only they get letters. */
  readonly active: number;
  readonly pending: number;
  readonly unsubscribed: number;
  readonly unreachable: number;
  /** The number of active subscribers from each source. */
  readonly sources: readonly { readonly source: string; readonly count: number }[];
  /** The path to which the provider posts bounce reports; null if the provider sends no reports. */
  readonly reports: string | null;
  /** Whether the secret that signs bounce reports is stored; null if the provider doesn't sign its reports. */
  readonly hasReportSecret: boolean | null;
}

/** The response of `POST /api/letters/preview`. */
export interface LetterPreview {
  readonly html: string;
  /** The size of the message's HTML in bytes. */
  readonly size: number;
}
