/** What an archive holds: the two folders of a site. */

/** The folders of a site by the name they have in an archive. */
export interface SiteFolders {
  readonly data: string;
  readonly uploads: string;
}

/** The list that closes an archive: without it an archive is not whole. */
export interface ArchiveManifest {
  readonly format: 1;
  readonly createdAt: string;
  readonly files: readonly ArchivedFile[];
}

/** One file of an archive. */
export interface ArchivedFile {
  /** `data/…` or `uploads/…`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The manifest's name in the archive; always its last entry. */
export const MANIFEST_NAME = "manifest.json";

/** The SHA-256 of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

const NAME = /^(?:data|uploads)\/(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Whether a path can be in an archive: what is written and what is taken back go by the same rule. */
export const isArchivable = (path: string) => NAME.test(path);

/** The largest file of an archive, in bytes: each is read whole. */
export const LARGEST_FILE = 64 * 1024 * 1024;
