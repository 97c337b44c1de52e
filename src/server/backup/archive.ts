/** What an archive holds: what a site has stored, its pictures, and a list that proves it whole. */
import * as v from "valibot";
import { isPlainName } from "../storage/files/folderContents.ts";

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

/** Whether a path may be in an archive. Writing and restoring use the same rule. */
export function isArchivable(path: string): boolean {
  const [folder, ...inside] = path.split("/");
  return (
    (folder === "data" || folder === "uploads") && inside.length > 0 && inside.every(isPlainName)
  );
}
