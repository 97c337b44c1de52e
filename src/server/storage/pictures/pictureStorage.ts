/** The interface to a site's picture files, which are in a folder or in a bucket. */
import type { ReplaceableContents, Finding, LeftoverCopy } from "../engine.ts";
import type { ReportExcluded, StoredFile } from "../store.ts";
import type { StoredObject } from "./bucket.ts";

export interface LocalFile {
  readonly path: string;
  /** The size in bytes. */
  readonly size: number;
}

/** All calls throw the disk's errors, which have a `code`, or `cannot_store` with a message. */
export interface PictureStorage {
  /** The storage's name in messages, such as "The uploads folder ./uploads". */
  readonly label: string;
  /** The setting that names the folder or bucket, for messages. */
  readonly setting: "UPLOADS_DIR" | "UPLOADS_S3";
  /** A folder on this machine. It has the pictures or, if these are in a bucket, cached and staged files. */
  readonly folder: string;
  /** Creates the folder if it is missing. Other users can't read it. */
  prepare(): Promise<void>;
  /** Lists all files, even those that the server didn't create. Returns none if the folder is missing. */
  listNames(): Promise<string[]>;
  listFiles(): Promise<Omit<StoredObject, "etag">[]>;
  /** Reads a file's bytes, up to the offset `end` if it is given; undefined if the file doesn't exist. */
  read(name: string, end?: number): Promise<Uint8Array | undefined>;
  /** Returns a file on this machine, downloaded from a bucket if necessary; undefined if it doesn't exist. */
  fetchLocalFile(name: string): Promise<LocalFile | undefined>;
  /** Removes a file from this machine's cache if `isWanted` returns false for its name. */
  pruneCache(isWanted: (name: string) => boolean): void;
  /** Stores new files. The files are durable once this resolves. */
  add(files: readonly StoredFile[]): Promise<void>;
  /** Stores or replaces a file, completely or not at all. The file is durable once this resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Renames a file, if it exists. */
  rename(from: string, to: string): Promise<void>;
  /** Removes files in the given order. Missing files are skipped. */
  remove(names: readonly string[]): Promise<void>;
  /** Tests whether a picture could be stored. Throws `cannot_store` if not. */
  checkHealth(): Promise<void>;
  examine(): Promise<Finding>;
  /** Reads the files for an archive. Files for which `isExcluded` returns true are left out. */
  readArchivableFiles(
    isExcluded: (path: string) => boolean,
    reportExcluded: ReportExcluded,
  ): AsyncIterable<StoredFile>;
  /** Returns the steps that replace all pictures with the pictures in a local folder. */
  createReplaceableContents(): ReplaceableContents;
  /** Finds the copies left beside the pictures by restores. */
  findLeftoverCopies(): Promise<LeftoverCopy[]>;
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
}
