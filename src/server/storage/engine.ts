/**
 * Where a site's data is kept, whether a store is open on it or not: what the command line, backups,
 * restores and the doctor ask. Only an engine knows what its storage looks like.
 */
import type {
  AnyRecords,
  Collection,
  Entity,
  ItemOf,
  Singleton,
  StoredItem,
} from "../../schema/entity.ts";
import type { DataKey } from "../shared/dataKey.ts";
import type { Standstill } from "./standstill.ts";
import type { LeftOut, Store, StoredFile } from "./store.ts";

export interface Engine {
  /** Where it is, for messages. */
  readonly location: string;
  /** Opens it for this process alone. Throws `cannot_open`. */
  open(options: EngineOptions): Promise<Store>;
  /** Keeps every store out until the function returned is called. Throws `cannot_open`. */
  lock(): Promise<() => void | Promise<void>>;
  /** The process on this machine that has it open; undefined when none has, or none of this user. */
  openedBy(): Promise<number | undefined>;
  /** Whether a site is stored here, also when a restore of it was cut short. */
  isInstalled(): Promise<boolean>;
  /** Whether nothing is stored here, not even a site that lacks something. */
  isEmpty(): Promise<boolean>;
  /** The id of the site that is stored here; undefined when there is none, or it can't be read. */
  siteId(): Promise<string | undefined>;
  /**
   * Looks at all that is stored, and tries a start, also while a store is open on it; changes nothing.
   * `refuses` is on what a start would refuse, and on nothing else.
   */
  examine(entities: readonly Entity[]): Promise<Finding[]>;
  /** Takes what was changed by hand, where it fits; the caller holds the lock. */
  accept(entities: readonly Entity[]): Promise<Finding[]>;
  /** The stored value of a document, also while a store is open; undefined when it can't be read. */
  peek<E extends DocumentEntity>(entity: E): Promise<Stored<E> | undefined>;
  /** All stored records of an entity, also while a store is open; without those that can't be read. */
  peekRecords(entity: AnyRecords): Promise<StoredItem[]>;
  /**
   * All that is stored, as files for an archive, also while a store is open: as it was at one moment. Throws `cannot_open` when
   * there is no such moment. Without the secret: a stolen archive opens no session, and one put back revives none that was ended.
   */
  files(leftOut?: LeftOut): AsyncIterable<StoredFile>;
  /** What restores, damage and migrations have left beside what is stored. */
  copies(): Promise<KeptCopy[]>;
  /** Removes those copies; the caller holds the lock. */
  removeCopies(copies: readonly KeptCopy[]): Promise<void>;
  /** What signs sessions and links, as it is kept; undefined where there is none. It is in no file of `files`. */
  secret(): Promise<Uint8Array | undefined>;
  /** Takes writes no more, and takes them again. */
  readonly standstill: Standstill;
  /** Puts what `files` returned back in the place of what is there; the caller holds the lock. */
  readonly replacement: Replacement;
}

export interface EngineOptions {
  readonly entities: readonly Entity[];
  /** Default: standard error. */
  readonly log?: (line: string) => void;
  /** Seals what signs sessions; default: none, and a sealed one can't be read. */
  readonly dataKey?: DataKey | undefined;
}

/** What a restore, a damage or a migration has left beside what is stored. */
export interface KeptCopy {
  /** In the folder. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** What left it. */
  readonly by: "a restore" | "a restore that was cut short" | "damage" | "a migration";
}

/** An entity that is stored as a document. */
export type DocumentEntity = Singleton<any> | Collection<any>;

/** The value of a singleton, or the items of a collection. */
export type Stored<E extends Entity> = E extends Singleton<any> ? ItemOf<E> : ItemOf<E>[];

/** One thing looked at: whether it is as it should be; the message says what to do if not. */
export interface Finding {
  readonly ok: boolean;
  readonly message: string;
  /** With this the next start is refused. */
  readonly refuses?: boolean;
  /** A picture is damaged, or has lost a file. */
  readonly isPicture?: boolean;
  /** It is well, and worth a line of its own all the same. */
  readonly isNote?: boolean;
}

/** The steps in which stored data is replaced; each can be repeated after a kill. */
export interface Replacement extends Contents {
  /** A folder on this machine for what is put in, in which no store looks. */
  readonly staging: string;
  /** What `takeOut` has set aside, to be looked at. */
  aside(note: ReplacementNote): Engine;
  /** What `begin` noted last; undefined when no replacement is under way. */
  underWay(): Promise<ReplacementNote | undefined>;
  /** From now on every start is refused; on the disk when it resolves. */
  begin(note: ReplacementNote): Promise<void>;
  /** Puts in what signs sessions and links, as it was kept. */
  putSecret(secret: Uint8Array): Promise<void>;
  /** A start is welcome again. */
  end(): Promise<void>;
}

/** How far a replacement got. */
export interface ReplacementNote {
  /** The name that what was there before is kept under. */
  readonly before: string;
  /** True from when all of it is there: what is in its place then comes from an archive. */
  readonly emptied: boolean;
  /** The name of the folder with what is put in, where a start can go on by itself. */
  readonly staging?: string | undefined;
  /** What is put in has all that is to stay of what was there before. */
  readonly isCarried?: boolean | undefined;
  /** What is to stay: names of entities, and of the secret. */
  readonly keeps?: readonly string[] | undefined;
  /** Pictures are where they are to be. */
  readonly leavesPictures?: boolean | undefined;
}

export interface Contents {
  /** Sets aside what is there, where anything is; of a replacement that was cut short after that, removes it. */
  takeOut(note: ReplacementNote): Promise<void>;
  /** Moves in what a folder holds, as `files` names it; a missing folder holds nothing. */
  putIn(folder: string, note: ReplacementNote): Promise<void>;
}
