/**
 * Where the files of a site's pictures are kept, under the names that the server gives them: a folder, or a
 * bucket. Whatever looks at them (the library, doctor, backups and restores) asks this.
 */
import type { Contents, Finding, KeptCopy } from "../engine.ts";
import type { LeftOut, StoredFile } from "../store.ts";

/** A file on this machine. */
export interface LocalFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** A file of the storage, without its content. */
interface PlacedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

/** Errors are those of the disk, with `code`, or `cannot_store` in words. */
export interface PictureStorage {
  /** For messages, such as "The uploads folder ./uploads". */
  readonly called: string;
  /** What to check when it is another one than meant. */
  readonly setting: "UPLOADS_DIR" | "UPLOADS_S3";
  /** On this machine: where what is restored is unpacked, and what is kept to be sent sooner. */
  readonly folder: string;
  /** Makes the folder where it is missing, for its owner alone. */
  prepare(): Promise<void>;
  /** All names, also those that the server did not give; none where there is no such folder. */
  names(): Promise<string[]>;
  files(): Promise<PlacedFile[]>;
  /** Undefined when it isn't there; `end`: only the bytes before it. */
  read(name: string, end?: number): Promise<Uint8Array | undefined>;
  /** A regular file of this name as one on this machine; undefined when there is none. */
  local(name: string): Promise<LocalFile | undefined>;
  /** What may still be asked for; the rest need not be kept on this machine. */
  keepOnly(isWanted: (name: string) => boolean): void;
  /** Stores new files; when it resolves all of them last. */
  add(files: readonly StoredFile[]): Promise<void>;
  /** Stores a file, whole or not at all, also in the place of another; when it resolves it lasts. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing when there is no `from`. */
  rename(from: string, to: string): Promise<void>;
  /** In this order; also where there are none. */
  remove(names: readonly string[]): Promise<void>;
  /** Tries what storing a picture needs. Throws `cannot_store`. */
  health(): Promise<void>;
  /** Whether it can be used, in words. */
  examine(): Promise<Finding>;
  /** The rest of what belongs into an archive. */
  others(isPassedOver: (path: string) => boolean, leftOut: LeftOut): AsyncIterable<StoredFile>;
  /** To be replaced as a whole by what a folder on this machine holds. */
  contents(): Contents;
  /** What restores left beside the pictures. */
  copies(): Promise<KeptCopy[]>;
  removeCopies(copies: readonly KeptCopy[]): Promise<void>;
}
