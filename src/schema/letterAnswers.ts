/** What the calls of `/api/letters` return. */
import type { Item } from "./index.ts";
import type { Audience, LetterState } from "./letters.ts";

/** A letter without its words, as the list shows it. */
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
  /** Refused for now, and tried again. */
  readonly waiting: number;
  /** Messages in a minute, as the provider allows; null: as fast as they are taken. */
  readonly pace: number | null;
}

export interface LetterDetail extends LetterSummary {
  readonly preview: string;
  readonly body: string;
  readonly buttonText: string;
  readonly buttonLink: string | null;
  readonly audience: Audience;
  /** The last test since the words have changed. */
  readonly tested: { readonly to: string; readonly at: string } | null;
  /** Refused, or refused for now: who needs a look. */
  readonly troubles: readonly LetterTrouble[];
}

export interface LetterTrouble {
  readonly to: string;
  readonly state: "again" | "refused";
  readonly problem: string | null;
  readonly said: string | null;
  readonly nextAt: string;
}

type Settings = Item<"letterSettings">;

/** What `GET /api/letters` returns. */
export interface LettersState {
  readonly letters: readonly LetterSummary[];
  readonly settings: Pick<
    Settings,
    "doubleOptIn" | "welcome" | "welcomeText" | "postalAddress" | "archive"
  >;
  /** Mail is set up; the site's address, which every link needs, is known. */
  readonly hasMail: boolean;
  readonly hasAddress: boolean;
  /** How many get a letter, and how many are left out. */
  readonly active: number;
  readonly pending: number;
  readonly unsubscribed: number;
  readonly unreachable: number;
  /** Of the active ones. */
  readonly sources: readonly { readonly source: string; readonly count: number }[];
  /** Where a provider reports what came back, on this site; null where it reports nothing. */
  readonly reports: string | null;
  /** What the provider signs these with is known; null: it signs nothing with a secret. */
  readonly hasReportSecret: boolean | null;
}

/** What `POST /api/letters/preview` returns. */
export interface LetterPreview {
  readonly html: string;
  /** Bytes of the message's HTML. */
  readonly size: number;
}
