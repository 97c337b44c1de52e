/**
 * The storage of a site's data, for commands, backups, restores and the doctor. Only an engine knows its own format.
 */
import type {
  AnyRecords,
  Collection,
  Entity,
  ItemOf,
  Singleton,
} from "../../schema/entities/entity.ts";
import { isPermissionError, getErrorMessage } from "../shared/errorDetails.ts";
import type { DataKey } from "../shared/secrets.ts";
import { isDataLoss } from "../shared/errors.ts";
import type { ReportExcluded, Store, StoredFile } from "./store.ts";

export interface Engine {
  /** The folder or database of the data, for messages. */
  readonly location: string;
  /** Opens the data for this process. Throws `cannot_open`. */
  open(options: EngineOptions): Promise<Store>;
  /** Prevents any store from opening the data until the returned function is called. Throws `cannot_open`. */
  lock(): Promise<() => void | Promise<void>>;
  /** The processes that have the data open, as far as this user may see them. The text for a process never changes. */
  findLockHolders(): Promise<readonly string[]>;
  /** Whether a site is stored here, even after an interrupted restore. */
  isInstalled(): Promise<boolean>;
  /** Whether nothing at all is stored here, not even an incomplete site. */
  isEmpty(): Promise<boolean>;
  /** The stored site's id; undefined if it is missing or can't be read. */
  readSiteId(): Promise<string | undefined>;
  /** Examines all data and tries a start, even while a store is open; changes nothing. */
  examine(entities: readonly Entity[]): Promise<Finding[]>;
  /** Accepts valid manual edits. The caller must hold the lock. */
  acceptEdits(entities: readonly Entity[]): Promise<Finding[]>;
  /** A document's stored value, even while a store is open; undefined if unreadable. */
  readDocument<E extends DocumentEntity>(entity: E): Promise<StoredValue<E> | undefined>;
  /** All stored records of an entity, even while a store is open. Unreadable records are skipped. */
  readRecords<E extends AnyRecords>(entity: E): Promise<ItemOf<E>[]>;
  /**
   * Reads a snapshot of all data as files for an archive, even while a store is open. The secret is left out: a stolen
   * archive must open no session, and a restored archive must revive no ended session. Throws `cannot_open` if no
   * snapshot can be taken.
   */
  readFiles(reportExcluded?: ReportExcluded): AsyncIterable<StoredFile>;
  /** Copies that restores, damage and migrations left beside the data. */
  findLeftoverCopies(): Promise<LeftoverCopy[]>;
  /** Removes the given leftover copies. The caller must hold the lock. */
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
  /** The secret that signs sessions and links; undefined if there is none. `readFiles` leaves it out. */
  readSecret(): Promise<Uint8Array | undefined>;
  /** Replaces the data with files from `readFiles`. The caller must hold the lock. */
  readonly replacement: Replacement;
}

export interface EngineOptions {
  readonly entities: readonly Entity[];
  /** Default: standard error. */
  readonly log?: (line: string) => void;
  /** The key that encrypts the secret. Without a key (the default), an encrypted secret can't be read. */
  readonly dataKey?: DataKey | undefined;
}

/** A copy that a restore, damage or a migration left beside the data. */
export interface LeftoverCopy {
  /** The path relative to the data folder. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly origin: "a restore" | "an interrupted restore" | "damage" | "a migration";
}

export type DocumentEntity = Singleton<any> | Collection<any>;

export type StoredValue<E extends Entity> = E extends Singleton<any> ? ItemOf<E> : ItemOf<E>[];

/** The result of one check. The message of a problem explains what to do. */
export interface Finding {
  readonly ok: boolean;
  readonly message: string;
  /** True if the problem makes the next start fail. */
  readonly blocksStart?: boolean;
  /** True if the current user can't read a file; cli/printError.ts lists such files. */
  readonly isPermissionDenied?: boolean;
  /** True if restoring a backup can recover the lost or damaged data. */
  readonly isDataLoss?: boolean;
  /** True if a picture is damaged or one of its files is missing. */
  readonly isPictureProblem?: boolean;
  /** True if nothing is wrong but the message is worth showing. */
  readonly isNote?: boolean;
}

export const createProblem = (message: string): Finding => ({ ok: false, message });

/** A finding of lost or damaged data that a backup can recover. */
export const createLossFinding = (message: string): Finding => ({
  ok: false,
  message,
  isDataLoss: true,
});

/** The finding during an unfinished restore. */
export const INTERRUPTED_RESTORE_FINDING = createProblem(
  "A restore was interrupted. The next start finishes it automatically.",
);

/** A finding with the reason why a start would be refused. */
export const createStartRefusalFinding = (
  error: unknown,
  message = getErrorMessage(error),
): Finding => ({
  ok: false,
  message,
  blocksStart: true,
  ...(isDataLoss(error) && { isDataLoss: true }),
  ...(isPermissionError(error) && { isPermissionDenied: true }),
});

/** The steps of replacing stored data. Each step can be repeated after the process was killed. */
export interface Replacement extends ReplaceableContents {
  /** A local folder for staged data, which no store reads. */
  readonly stagingFolder: string;
  /** Opens the data that `moveOut` moved away, for reading. */
  openMovedData(note: ReplacementNote): Engine;
  /** The note of the last `begin`; undefined if no replacement is unfinished. */
  readPendingNote(): Promise<ReplacementNote | undefined>;
  /** Stores the note, which makes every start fail. The note is durable once this resolves. */
  begin(note: ReplacementNote): Promise<void>;
  putSecret(secret: Uint8Array): Promise<void>;
  /** Removes the note, so that stores can open the data again. */
  end(): Promise<void>;
}

export interface ReplacementNote {
  /** The name of the folder or schema to which the old data is moved. */
  readonly before: string;
  /** True once all old data is moved away. Any data in the original place then comes from an archive. */
  readonly emptied: boolean;
  /** The name of the staging folder, with which a start continues the replacement. */
  readonly staging: string;
  /** True once the staged data has everything that is carried over from the old data. */
  readonly isCarried: boolean;
  /** The data to carry over: names of entities, and of the secret. */
  readonly keeps: readonly string[];
}

export interface ReplaceableContents {
  /** Moves the contents to `note.before`. With `note.emptied`, only removes what an interrupted `moveIn` left. */
  moveOut(note: ReplacementNote): Promise<void>;
  /** Moves a folder's files, named as by `readFiles`, into the storage. A missing folder counts as empty. */
  moveIn(folder: string, note: ReplacementNote): Promise<void>;
}
