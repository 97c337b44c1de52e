/** The state of the backups: `GET /api/backups` (specification, section 4.16). */
import type { Point } from "../pictures/pictures.ts";

/** Moments are ISO timestamps, sizes bytes. */
export interface BackupsState {
  /** Newest first. */
  readonly backups: readonly BackupSummary[];
  readonly here: BackupLocation;
  /** Null when no external location is configured. */
  readonly away: (BackupLocation & { readonly name: string }) | null;
  /** Hours between automatic backups; null when there are none. */
  readonly every: number | null;
  readonly keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** When the next one is made; null without automatic backups, or if it is due within minutes. */
  readonly nextAt: string | null;
  readonly underWay: "backup" | "rehearsal" | null;
  readonly rehearsal: {
    readonly at: string;
    readonly ok: boolean;
    readonly message: string;
  } | null;
  /** The same for rehearsals. */
  readonly nextRehearsalAt: string | null;
  /** Older backups that were removed to free disk space. */
  readonly gaveWay: { readonly at: string; readonly count: number } | null;
  /** Something that an owner has to do; null when all is well. */
  readonly warning: BackupWarning | null;
}

export interface BackupSummary {
  readonly id: string;
  readonly createdAt: string;
  readonly size: number;
  readonly isHere: boolean;
  readonly isAway: boolean;
  /** False when a rehearsal failed to start a site from it. */
  readonly isGood: boolean;
  readonly remarks: readonly string[];
  /** Null when its content is unknown. */
  readonly differs: BackupDifferences | null;
}

export interface BackupLocation {
  readonly count: number;
  readonly bytes: number;
  /** When the last one succeeded. */
  readonly lastAt: string | null;
  readonly failure: BackupFailure | null;
}

export interface BackupWarning {
  readonly title: string;
  readonly message: string;
}

/** An archive's differences from the current site. */
export interface BackupDifferences {
  /** Lists and records of different lengths: `by` is negative where the archive has fewer. */
  readonly counts: readonly { label: string; plural: string; by: number }[];
  /** Sections changed since, by their name in the dashboard. */
  readonly changed: readonly string[];
}

/** Why there is no newer backup. */
interface BackupFailure {
  /** When the last one failed. */
  readonly at: string;
  readonly message: string;
  /** Failures in a row. */
  readonly times: number;
}

/** The content of a backup: `GET /api/backups/{id}/inside`. */
export interface BackupContent {
  readonly id: string;
  readonly createdAt: string;
  readonly sections: readonly BackupSection[];
  readonly submissions: CountComparison;
  readonly subscriptions: CountComparison;
  readonly pictures: readonly BackupPicture[];
}

interface CountComparison {
  readonly backup: number;
  readonly now: number;
}

/** A section in the backup and now. */
export interface BackupSection {
  /** The tab's name. */
  readonly name: string;
  /** The changes that restoring it would make, in words; empty when nothing has changed. */
  readonly changes: readonly string[];
  /** The length of each of its lists; `what` such as "highlights". */
  readonly counts: readonly ({ readonly what: string } & CountComparison)[];
  /** The URLs of the pictures that it shows. */
  readonly picturesInBackup: readonly string[];
  readonly picturesNow: readonly string[];
}

export interface BackupPicture {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly tone: string;
  readonly focus: Point | null;
  /** Whether the site has it now. */
  readonly isHere: boolean;
  /** Whether `GET /api/backups/{id}/pictures/{picture}` returns a thumbnail. */
  readonly hasSmall: boolean;
}
