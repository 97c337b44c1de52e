/** Checks that a picture's files are complete and have the right length and checksum. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { Item } from "../../../schema/index.ts";
import { listOriginalNames, createVariantName } from "./pictureNames.ts";
import type { PictureStorage } from "./pictureStorage.ts";

type Upload = Item<"uploads">;

/** A picture's problem; messages put the picture's name before it. */
export type PictureProblem = "is missing a file" | "has a damaged file";

/** Returns a picture's name in one line for a log or a terminal, since owners may have entered line breaks. */
export const formatPictureName = ({ originalName }: { readonly originalName: string }): string =>
  originalName.replaceAll(/\s+/g, " ");

/** The sizes of all files by name, for `inspectPicture`. */
export async function readFileSizes(storage: PictureStorage): Promise<ReadonlyMap<string, number>> {
  return new Map((await storage.listFiles()).map(({ name, size }) => [name, size]));
}

/**
 * Returns a picture's problem, if any. In a folder, reads all of the picture's files. Object stores have their own
 * checksums and charge for reads, so only names, sizes and the start of variants are checked there. Throws what the
 * storage throws.
 */
export async function inspectPicture(
  storage: PictureStorage,
  { filename, size, widths, checksum }: Upload,
  sizes: ReadonlyMap<string, number>,
): Promise<PictureProblem | undefined> {
  // While a picture is being listed or deleted, its original has another name.
  const original = listOriginalNames(filename).find((name) => sizes.has(name));
  const variants = widths.map((width) => createVariantName(filename, width));
  if (!original || variants.some((name) => !sizes.has(name))) return "is missing a file";
  if (sizes.get(original) !== size) return "has a damaged file";
  for (const name of variants)
    if (
      !isCompleteWebp(
        await storage.read(name, RIFF_HEADER_BYTES),
        assertDefined(sizes.get(name), `size of ${name}`),
      )
    )
      return "has a damaged file";
  if (storage.setting === "UPLOADS_S3") return undefined;
  const actualChecksum = await readChecksum(storage, [
    listOriginalNames(filename),
    ...variants.map((name) => [name]),
  ]);
  if (actualChecksum === undefined) return "is missing a file";
  if (checksum !== "" && actualChecksum !== checksum) return "has a damaged file";
  return undefined;
}

/** Computes the SHA-256 of files, each given by its possible names; undefined if a file is missing. */
async function readChecksum(
  storage: PictureStorage,
  files: readonly (readonly string[])[],
): Promise<string | undefined> {
  const contents: Uint8Array[] = [];
  for (const names of files) {
    let bytes: Uint8Array | undefined;
    for (const name of names) bytes ??= await storage.read(name);
    if (!bytes) return undefined;
    contents.push(bytes);
  }
  return computeChecksum(contents);
}

/** The SHA-256 of a picture's files: the original, then its variants by width. */
export function computeChecksum(files: readonly Uint8Array[]): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const bytes of files) hash.update(bytes);
  return hash.digest("hex");
}

const RIFF_HEADER_BYTES = 8;

/** Whether a WebP file of this size is complete: its first bytes contain the length. */
function isCompleteWebp(firstBytes: Uint8Array | undefined, size: number): boolean {
  if (!firstBytes || firstBytes.length < RIFF_HEADER_BYTES) return false;
  const header = Buffer.from(firstBytes);
  return (
    header.toString("latin1", 0, 4) === "RIFF" &&
    header.readUInt32LE(4) + RIFF_HEADER_BYTES === size
  );
}
