/**
 * The storage of a site's picture files, under the server's names: a folder or a bucket. Used by the library, doctor,
 * backups and restores.
 */
import type { ReplaceableContents, Finding, LeftoverCopy } from "../engine.ts";
import type { ReportLeftOut, StoredFile } from "../store.ts";

/** A file on this machine. */
export interface LocalFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** A stored file, without its content. */
interface StoredPictureFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

/** Errors are the disk's, with `code`, or `cannot_store` with a message. */
export interface PictureStorage {
  /** For messages, such as "The uploads folder ./uploads". */
  readonly label: string;
  /** The setting to check if it is the wrong one. */
  readonly setting: "UPLOADS_DIR" | "UPLOADS_S3";
  /** On this machine: for staged files, and for cached ones. */
  readonly folder: string;
  /** Creates the folder if missing, private to its owner. */
  prepare(): Promise<void>;
  /** All names, even those not from the server; none without the folder. */
  listNames(): Promise<string[]>;
  listFiles(): Promise<StoredPictureFile[]>;
  /** Undefined if it doesn't exist; `end`: only the bytes before it. */
  read(name: string, end?: number): Promise<Uint8Array | undefined>;
  /** A regular file of this name, on this machine; undefined if it doesn't exist. */
  fetchLocalFile(name: string): Promise<LocalFile | undefined>;
  /** The files that may be requested; others needn't be cached here. */
  limitCacheTo(isWanted: (name: string) => boolean): void;
  /** Stores new files, durable when it resolves. */
  add(files: readonly StoredFile[]): Promise<void>;
  /** Stores a file, whole or not at all, or replaces one; durable when it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing without `from`. */
  rename(from: string, to: string): Promise<void>;
  /** In this order; missing ones are fine. */
  remove(names: readonly string[]): Promise<void>;
  /** Tries what storing a picture needs. Throws `cannot_store`. */
  health(): Promise<void>;
  /** Whether it can be used, as a finding. */
  examine(): Promise<Finding>;
  /** Other files that belong in an archive. */
  readOtherFiles(
    isPassedOver: (path: string) => boolean,
    leftOut: ReportLeftOut,
  ): AsyncIterable<StoredFile>;
  /** For replacement as a whole by a local folder. */
  createContents(): ReplaceableContents;
  /** The leftovers of restores beside the pictures. */
  findCopies(): Promise<LeftoverCopy[]>;
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
}
