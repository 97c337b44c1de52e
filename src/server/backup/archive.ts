/** What an archive holds: the two folders of a site. */
import * as v from "valibot";

/** The folders of a site by the name they have in an archive. */
export interface SiteFolders {
  readonly data: string;
  readonly uploads: string;
}

/** What the list that closes an archive looks like: without it an archive is not whole. */
export const manifestSchema = v.object({
  format: v.literal(1),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  files: v.array(
    v.object({
      /** `data/…` or `uploads/…`. */
      path: v.string(),
      /** In bytes. */
      size: v.number(),
      sha256: v.string(),
    }),
  ),
});

/** The list that closes an archive. */
export type ArchiveManifest = v.InferOutput<typeof manifestSchema>;

/** One file of an archive. */
export type ArchivedFile = ArchiveManifest["files"][number];

/** The manifest's name in the archive; always its last entry. */
export const MANIFEST_NAME = "manifest.json";

/**
 * What signs the sessions, by its path in an archive: not written, and not taken back from an older
 * archive. So a stolen backup opens no session, and a restore revives none that was ended.
 */
export const SECRET = "data/secret";

/** The SHA-256 of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

const NAME = /^(?:data|uploads)\/(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Whether a path can be in an archive: what is written and what is taken back go by the same rule. */
export const isArchivable = (path: string) => NAME.test(path);

/** The largest file of an archive, in bytes: each is read whole. */
export const LARGEST_FILE = 64 * 1024 * 1024;
