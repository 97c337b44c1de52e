/** The archive around the data: what may be in it besides, and the list that proves it whole. */
import * as v from "valibot";
import { isMarked } from "./entries.ts";

/** The list that ends an archive. An archive without it is incomplete. */
const manifestSchema = v.object({
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

/** The largest file that is read, in bytes, as each is read whole; no file of ours is so large. */
export const LARGEST_FILE = 64 * 1024 * 1024;

/** A name of ours, in whatever folder: these alone are archived and restored. */
export const isPlainName = (name: string) => /^(?!\.)[\w.-]+$/.test(name);

/** Whether a path may be in an archive. Writing and restoring use the same rule. */
export function isArchivable(path: string): boolean {
  const [folder, ...inside] = path.split("/");
  return (
    (folder === "data" || folder === "uploads") && inside.length > 0 && inside.every(isPlainName)
  );
}

/** The SHA-256 of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** How a file of an archive is listed. */
export const listed = (path: string, bytes: Uint8Array): ArchivedFile => ({
  path,
  size: bytes.length,
  sha256: sha256(bytes),
});

/** The manifest where it fits what was found, to the byte, and there is a site in it; else what is wrong, in words. */
export function provenBy(
  manifest: unknown,
  found: readonly ArchivedFile[],
): ArchiveManifest | string {
  if (!v.is(manifestSchema, manifest)) return "its list of files is missing";
  const missing = new Map(manifest.files.map((file) => [file.path, file]));
  for (const file of found) {
    if (missing.get(file.path)?.sha256 !== file.sha256)
      return `${file.path} is not as it was saved`;
    missing.delete(file.path);
  }
  if (missing.size > 0) return `${missing.size} of its files are missing`;
  const names = found.flatMap(({ path }) => /^data\/(.*)$/.exec(path)?.[1] ?? []);
  return isMarked(names) ? manifest : "it holds no site";
}
