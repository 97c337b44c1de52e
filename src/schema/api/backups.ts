/** The state of the backups: `GET /api/backups` (specification, section 4.16). */
import type { Point } from "../pictures/pictures.ts";

/** Times are ISO timestamps, and sizes are in bytes. */
export interface BackupsState {
  /** The backups, here and at the external location, newest first. */
  readonly backups: readonly BackupSummary[];
  readonly here: BackupLocation;
  /** The external location; null if none is configured. */
  readonly away: (BackupLocation & { readonly name: string }) | null;
  /** The hours between automatic backups; null if automatic backups are off. */
  readonly every: number | null;
  readonly keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** The time of the next automatic backup; null if automatic backups are off or a backup is already due. */
  readonly nextAt: string | null;
  readonly underWay: "backup" | "rehearsal" | null;
  readonly rehearsal: {
    readonly at: string;
    readonly ok: boolean;
    readonly message: string;
  } | null;
  /** The time of the next automatic restore test; null under the same conditions as `nextAt`. */
  readonly nextRehearsalAt: string | null;
  /** The last automatic removal of old backups to free disk space; null if there was none. */
  readonly gaveWay: { readonly at: string; readonly count: number } | null;
  /** The most serious problem that needs the owner's attention; null if there is none. */
  readonly warning: BackupWarning | null;
}

export interface BackupSummary {
  readonly id: string;
  readonly createdAt: string;
  readonly size: number;
  readonly isHere: boolean;
  readonly isAway: boolean;
  /** False if a restore test failed to start a site from the backup. */
  readonly isGood: boolean;
  readonly remarks: readonly string[];
  /** The differences from the current site; null if the content of the backup is unknown. */
  readonly differs: BackupDifferences | null;
}

export interface BackupLocation {
  readonly count: number;
  readonly bytes: number;
  /** The time when the newest good backup was created; null without one. */
  readonly lastAt: string | null;
  readonly failure: BackupFailure | null;
}

export interface BackupWarning {
  readonly title: string;
  readonly message: string;
}

export interface BackupDifferences {
  /** The lists whose number of items differs: `by` is negative if the backup has fewer items. */
  readonly counts: readonly { label: string; plural: string; by: number }[];
  /** The names of the sections that have changed since the backup. */
  readonly changed: readonly string[];
}

/** The failures at a location since its last successful backup. */
interface BackupFailure {
  /** The time of the last failure. */
  readonly at: string;
  readonly message: string;
  /** The number of failures in a row. */
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

/** A section of the backup, compared with the current site. */
export interface BackupSection {
  readonly name: string;
  /** Descriptions of the changes that a restore of this section would make. */
  readonly changes: readonly string[];
  /** The number of items in each list of the section. `what` is the list's name, such as "highlights". */
  readonly counts: readonly ({ readonly what: string } & CountComparison)[];
  /** The URLs of the section's pictures. */
  readonly picturesInBackup: readonly string[];
  readonly picturesNow: readonly string[];
}

export interface BackupPicture {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly tone: string;
  readonly focus: Point | null;
  /** Whether the site has the picture now. */
  readonly isHere: boolean;
  /** Whether `GET /api/backups/{id}/pictures/{picture}` returns a thumbnail. */
  readonly hasSmall: boolean;
}
