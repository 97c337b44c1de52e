/**
 * The storage of a site's data, with or without an open store: for the command line, backups, restores and the
 * doctor. Only an engine knows its storage format.
 */
import type {
  AnyRecords,
  Collection,
  Entity,
  ItemOf,
  Singleton,
} from "../../schema/entities/entity.ts";
import { isDenied, errorMessage } from "../shared/errorDetails.ts";
import type { DataKey } from "../shared/dataKey.ts";
import { isLoss } from "../shared/errors.ts";
import type { LeftOut, Store, StoredFile } from "./store.ts";

export interface Engine {
  /** Its location, for messages. */
  readonly location: string;
  /** Opens it for this process only. Throws `cannot_open`. */
  open(options: EngineOptions): Promise<Store>;
  /** Locks out all stores until the returned function is called. Throws `cannot_open`. */
  lock(): Promise<() => void | Promise<void>>;
  /** The processes that have it open, each by the same text every time; none of another user's on this machine. */
  lockHolders(): Promise<readonly string[]>;
  /** Whether a site is stored here, even after an interrupted restore. */
  isInstalled(): Promise<boolean>;
  /** Whether nothing at all is stored here, not even an incomplete site. */
  isEmpty(): Promise<boolean>;
  /** The stored site's id; undefined if it is missing or can't be read. */
  siteId(): Promise<string | undefined>;
  /**
   * Examines all data and tries a start, even while a store is open; changes nothing. `blocksStart` marks what a start
   * would refuse, and only that.
   */
  examine(entities: readonly Entity[]): Promise<Finding[]>;
  /** Accepts valid edits made by hand; the caller holds the lock. */
  acceptEdits(entities: readonly Entity[]): Promise<Finding[]>;
  /** A document's stored value, even while a store is open; undefined if unreadable. */
  readDocument<E extends DocumentEntity>(entity: E): Promise<Stored<E> | undefined>;
  /** All stored records of an entity, even while a store is open; unreadable ones are skipped. */
  readRecords<E extends AnyRecords>(entity: E): Promise<ItemOf<E>[]>;
  /**
   * A snapshot of all data as files for an archive, even while a store is open. Throws `cannot_open` if none can be
   * taken. Without the secret: a stolen archive opens no session, and a restored one revives no ended session.
   */
  files(leftOut?: LeftOut): AsyncIterable<StoredFile>;
  /** Copies that restores, damage and migrations left beside the data. */
  leftoverCopies(): Promise<LeftoverCopy[]>;
  /** Removes those copies; the caller holds the lock. */
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
  /** The stored secret that signs sessions and links; undefined without one. Not in the `files`. */
  secret(): Promise<Uint8Array | undefined>;
  /** Replaces the data with what `files` returned; the caller holds the lock. */
  readonly replacement: Replacement;
}

export interface EngineOptions {
  readonly entities: readonly Entity[];
  /** Default: standard error. */
  readonly log?: (line: string) => void;
  /** Seals the secret; default: none, and then a sealed one can't be read. */
  readonly dataKey?: DataKey | undefined;
}

/** A copy that a restore, damage or a migration left beside the data. */
export interface LeftoverCopy {
  /** Within the folder. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The origin of the leftover. */
  readonly by: "a restore" | "an interrupted restore" | "damage" | "a migration";
}

export type DocumentEntity = Singleton<any> | Collection<any>;

/** The value of a singleton, or the items of a collection. */
export type Stored<E extends Entity> = E extends Singleton<any> ? ItemOf<E> : ItemOf<E>[];

/** The result of one check; the message of a problem explains what to do. */
export interface Finding {
  readonly ok: boolean;
  readonly message: string;
  /** It makes the next start fail. */
  readonly blocksStart?: boolean;
  /** A file can't be read by this user; cli/foreignFiles.ts lists them. */
  readonly isDenied?: boolean;
  /** A backup has what is lost or damaged. */
  readonly isLoss?: boolean;
  /** A picture is damaged, or has lost a file. */
  readonly isPicture?: boolean;
  /** It is fine, but worth mentioning. */
  readonly isNote?: boolean;
}

/** A loss, or damage, that a backup can make good. */
export const lossFinding = (message: string): Finding => ({ ok: false, message, isLoss: true });

/** Why a start would refuse the site. */
export const refusedStart = (error: unknown, message = errorMessage(error)): Finding => ({
  ok: false,
  message,
  blocksStart: true,
  ...(isLoss(error) && { isLoss: true }),
  ...(isDenied(error) && { isDenied: true }),
});

/** The steps of replacing stored data; each can be repeated after a kill. */
export interface Replacement extends Contents {
  /** A local folder for staged data, which no store reads. */
  readonly staging: string;
  /** The data that `moveOut` moved away, for reading. */
  openSetAside(note: ReplacementNote): Engine;
  /** The last note of `begin`; undefined if no replacement is under way. */
  pendingNote(): Promise<ReplacementNote | undefined>;
  /** Refuses every start from now on; on disk when it resolves. */
  begin(note: ReplacementNote): Promise<void>;
  /** Puts in the stored secret that signs sessions and links. */
  putSecret(secret: Uint8Array): Promise<void>;
  /** Allows starts again. */
  end(): Promise<void>;
}

export interface ReplacementNote {
  /** The name under which the old data is stored. */
  readonly before: string;
  /** True once all old data is moved there: data in its former place is then from an archive. */
  readonly emptied: boolean;
  /** The name of the staging folder, if a start can continue automatically. */
  readonly staging?: string | undefined;
  /** True once the staged data has everything that is carried over from the old data. */
  readonly isCarried?: boolean | undefined;
  /** The data to carry over: names of entities, and of the secret. */
  readonly keeps?: readonly string[] | undefined;
}

export interface Contents {
  /**
   * Moves contents into `before`. If they were moved already (`emptied`), removes what a cut-short `moveIn`
   * left.
   */
  moveOut(note: ReplacementNote): Promise<void>;
  /** Moves in a folder's contents, named as in `files`; a missing folder counts as empty. */
  moveIn(folder: string, note: ReplacementNote): Promise<void>;
}
