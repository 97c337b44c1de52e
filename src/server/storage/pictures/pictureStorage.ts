/** The storage of a site's picture files: a folder or a bucket. The server chooses the files' names. */
import type { ReplaceableContents, Finding, LeftoverCopy } from "../engine.ts";
import type { ReportExcluded, StoredFile } from "../store.ts";
import type { StoredObject } from "./bucket.ts";

export interface LocalFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** All calls throw the disk's errors, with `code`, or `cannot_store` with a message. */
export interface PictureStorage {
  /** For messages, such as "The uploads folder ./uploads". */
  readonly label: string;
  /** The setting that names the folder or bucket, for messages. */
  readonly setting: "UPLOADS_DIR" | "UPLOADS_S3";
  /** The folder on this machine with the pictures or, if they are in a bucket, with cached and staged files. */
  readonly folder: string;
  /** Creates the folder if missing, private to its owner. */
  prepare(): Promise<void>;
  /** The names of all files, even of files that the server didn't create; none if the folder is missing. */
  listNames(): Promise<string[]>;
  listFiles(): Promise<Omit<StoredObject, "etag">[]>;
  /** A file's bytes, up to `end`; undefined if the file doesn't exist. */
  read(name: string, end?: number): Promise<Uint8Array | undefined>;
  /** The file on this machine, downloaded from a bucket if necessary; undefined if it doesn't exist. */
  fetchLocalFile(name: string): Promise<LocalFile | undefined>;
  /** Removes files that `isWanted` doesn't accept from this machine's cache. */
  pruneCache(isWanted: (name: string) => boolean): void;
  /** Stores new files, which are durable once this resolves. */
  add(files: readonly StoredFile[]): Promise<void>;
  /** Stores or replaces a file, completely or not at all. The file is durable once this resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing if `from` doesn't exist. */
  rename(from: string, to: string): Promise<void>;
  /** Removes files in this order. Skips missing files. */
  remove(names: readonly string[]): Promise<void>;
  /** Throws `cannot_store` if no picture could be stored. */
  checkHealth(): Promise<void>;
  /** Returns a finding on whether the storage can be used. */
  examine(): Promise<Finding>;
  /** The files that belong in an archive, except those that `isExcluded` accepts. */
  readArchivableFiles(
    isExcluded: (path: string) => boolean,
    reportExcluded: ReportExcluded,
  ): AsyncIterable<StoredFile>;
  /** Returns the steps that replace all pictures with the pictures in a local folder. */
  createReplaceableContents(): ReplaceableContents;
  /** The copies that restores left beside the pictures. */
  findLeftoverCopies(): Promise<LeftoverCopy[]>;
  removeCopies(copies: readonly LeftoverCopy[]): Promise<void>;
}
