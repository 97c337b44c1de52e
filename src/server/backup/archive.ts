/** What an archive holds: what a site has stored, its pictures, and a list that proves it whole. */
import * as v from "valibot";

/** The list that ends an archive. An archive without it is incomplete. */
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

export type ArchivedFile = ArchiveManifest["files"][number];

/** The manifest's name in the archive; always its last entry. */
export const MANIFEST_NAME = "manifest.json";

/** The SHA-256 of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

const NAME = /^(?:data|uploads)\/(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Whether a path may be in an archive. Writing and restoring use the same rule. */
export const isArchivable = (path: string) => NAME.test(path);
