/** An engine stores a site's data in its own format. Commands, backups and restores use the data only through it. */
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
  /** The path of the folder or the name of the database, for messages. */
  readonly location: string;
  /** Opens the data for this process. Throws `cannot_open`. */
  open(options: EngineOptions): Promise<Store>;
  /** Prevents any store from opening the data until the returned function is called. Throws `cannot_open`. */
  lock(): Promise<() => void | Promise<void>>;
  /** The processes that have the data open and are visible to this user. Each has the same text in every call. */
  findLockHolders(): Promise<readonly string[]>;
  /** Whether a site is stored here. Unreliable after an interrupted restore (see `readPendingNote`). */
  isInstalled(): Promise<boolean>;
  /** Whether nothing at all is stored here, not even an incomplete site. */
  isEmpty(): Promise<boolean>;
  /** Reads the id of the stored site; undefined if the id is missing or can't be read. */
  readSiteId(): Promise<string | undefined>;
  /** Checks all data and whether a start would succeed, even while a store is open. Changes nothing. */
  examine(entities: readonly Entity[]): Promise<Finding[]>;
  /** Accepts manual edits that are valid. The caller must hold the lock. */
  acceptManualEdits(entities: readonly Entity[]): Promise<Finding[]>;
  /** Reads a document's stored value, even while a store is open; undefined if the value can't be read. */
  readDocument<E extends DocumentEntity>(entity: E): Promise<StoredValue<E> | undefined>;
  /** Reads all stored records of an entity, even while a store is open. Records that can't be read are skipped. */
  readRecords<E extends AnyRecords>(entity: E): Promise<ItemOf<E>[]>;
  /**
   * Reads a snapshot of all data as files for an archive, even while a store is open. The secret is left out, since a
   * thief of an archive could forge sessions with it. Throws `cannot_open`.
   */
  readFiles(reportExcluded?: ReportExcluded): AsyncIterable<StoredFile>;
  /** Finds the copies left beside the data by restores, damage and migrations. */
  findLeftoverCopies(): Promise<LeftoverCopy[]>;
  /** Removes the given leftover copies. The caller must hold the lock. */
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
  /** Reads the secret that signs sessions and links; undefined if there is none. */
  readSecret(): Promise<Uint8Array | undefined>;
  /** The steps that replace the data with files from `readFiles`. The caller must hold the lock. */
  readonly replacement: Replacement;
}

export interface EngineOptions {
  readonly entities: readonly Entity[];
  /** Receives log lines. Default: writes them to standard error. */
  readonly log?: (line: string) => void;
  /** The key that encrypts the secret. Without a key (the default), an encrypted secret can't be read. */
  readonly dataKey?: DataKey | undefined;
}

/** A copy left beside the data by a restore, damage or a migration. */
export interface LeftoverCopy {
  /** The path relative to the data folder. */
  readonly path: string;
  /** The size in bytes. */
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
  /** True if data is lost or damaged and restoring a backup can recover it. */
  readonly isDataLoss?: boolean;
  /** True if a picture is damaged or one of its files is missing. */
  readonly isPictureProblem?: boolean;
  /** True if nothing is wrong, but the message should still be shown. */
  readonly isNote?: boolean;
}

export const createProblem = (message: string): Finding => ({ ok: false, message });

export const createLossFinding = (message: string): Finding => ({
  ok: false,
  message,
  isDataLoss: true,
});

export const INTERRUPTED_RESTORE_FINDING = createProblem(
  "A restore was interrupted. The next start finishes it automatically.",
);

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
  openOldData(note: ReplacementNote): Engine;
  /** Reads the note that the last `begin` stored; undefined if no replacement is unfinished. */
  readPendingNote(): Promise<ReplacementNote | undefined>;
  /** Stores the note. While there is a note, no store can open the data. The note is durable once this resolves. */
  begin(note: ReplacementNote): Promise<void>;
  putSecret(secret: Uint8Array): Promise<void>;
  /** Removes the note, so that stores can open the data again. */
  end(): Promise<void>;
}

export interface ReplacementNote {
  /** The name of the folder or schema to which the old data is moved. */
  readonly before: string;
  /** True once all old data is moved away. From then on, all data in the original place comes from the archive. */
  readonly emptied: boolean;
  /** The name of the staging folder. If the process is killed, the next start continues with this folder. */
  readonly staging: string;
  /** True once the data in `keeps` has been copied from the old data to the staged data. */
  readonly isCarried: boolean;
  /** The old data to keep: names of entities, and the name of the secret. */
  readonly keeps: readonly string[];
}

export interface ReplaceableContents {
  /** Moves the contents to `note.before`. If `note.emptied`, only removes what an interrupted `moveIn` left. */
  moveOut(note: ReplacementNote): Promise<void>;
  /** Moves a folder's files into the storage. Their names are those of `readFiles`; the folder may be missing. */
  moveIn(folder: string, note: ReplacementNote): Promise<void>;
}
