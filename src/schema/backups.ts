/** What an owner is told of the backups: `GET /api/backups` (specification, section 4.16). */
import type { Point } from "./pictures.ts";

/** Moments are ISO timestamps, sizes bytes. */
export interface BackupsState {
  /** Newest first. */
  readonly backups: readonly BackupSummary[];
  readonly here: BackupLocation;
  /** Null where no place away from this machine is set. */
  readonly away: (BackupLocation & { readonly name: string }) | null;
  /** Hours from one backup to the next; null when none are made by themselves. */
  readonly every: number | null;
  readonly keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** When the next is made; null when none is by itself, or within minutes. */
  readonly nextAt: string | null;
  readonly underWay: "backup" | "rehearsal" | null;
  readonly rehearsal: {
    readonly at: string;
    readonly ok: boolean;
    readonly message: string;
  } | null;
  /** Likewise. */
  readonly nextRehearsalAt: string | null;
  /** Older backups that gave way to keep the disk's share free. */
  readonly gaveWay: { readonly at: string; readonly count: number } | null;
  /** That an owner has to do something; null when all is well. */
  readonly warning: BackupWarning | null;
}

export interface BackupSummary {
  readonly id: string;
  readonly createdAt: string;
  readonly size: number;
  readonly isHere: boolean;
  readonly isAway: boolean;
  /** False when a rehearsal has shown that no site starts from it. */
  readonly isGood: boolean;
  readonly remarks: readonly string[];
  /** What it holds: how many, by the entity's key. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** Null when it isn't known what it holds. */
  readonly differs: BackupDifferences | null;
}

export interface BackupLocation {
  readonly count: number;
  readonly bytes: number;
  /** Of the last success. */
  readonly lastAt: string | null;
  readonly failure: BackupFailure | null;
}

export interface BackupWarning {
  readonly title: string;
  readonly message: string;
}

/** How an archive differs from what is there now. */
export interface BackupDifferences {
  /** Lists and records of another length: `by` is negative where the archive holds fewer. */
  readonly counts: readonly { label: string; plural: string; by: number }[];
  /** Parts of the site that were changed since, by their name in the dashboard. */
  readonly changed: readonly string[];
}

/** Why there is no newer one. */
interface BackupFailure {
  /** Of the last failure. */
  readonly at: string;
  readonly message: string;
  /** How many there were in a row. */
  readonly times: number;
}

/** What is in a backup: `GET /api/backups/{id}/inside`. */
export interface InsideBackup {
  readonly id: string;
  readonly createdAt: string;
  readonly sections: readonly InsideSection[];
  readonly submissions: ThenAndNow;
  readonly subscriptions: ThenAndNow;
  readonly pictures: readonly InsidePicture[];
}

interface ThenAndNow {
  readonly backup: number;
  readonly now: number;
}

/** A section then and now. */
export interface InsideSection {
  /** As a tab is called. */
  readonly name: string;
  /** What bringing it back would change, in words; none when it is as it was. */
  readonly changes: readonly string[];
  /** How many of each of its lists; `what` such as "highlights". */
  readonly counts: readonly ({ readonly what: string } & ThenAndNow)[];
  /** The addresses of the pictures that it shows. */
  readonly picturesInBackup: readonly string[];
  readonly picturesNow: readonly string[];
}

export interface InsidePicture {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly tone: string;
  readonly focus: Point | null;
  /** Whether the site has it now. */
  readonly isHere: boolean;
  /** Whether `GET /api/backups/{id}/pictures/{picture}` shows a small one. */
  readonly hasSmall: boolean;
}
