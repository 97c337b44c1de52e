/** Checks that a picture's files are complete and have the right length and checksum. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { Item } from "../../../schema/index.ts";
import { listOriginalNames, createVariantName } from "./pictureNames.ts";
import type { PictureStorage } from "./pictureStorage.ts";

type Upload = Item<"uploads">;

/** A problem of a picture's files. In messages, the picture's name comes before this text. */
export type PictureProblem = "is missing a file" | "has a damaged file";

/** Returns a picture's name in one line, since owners may have entered line breaks. */
export const formatPictureName = ({ originalName }: { readonly originalName: string }): string =>
  originalName.replaceAll(/\s+/g, " ");

/** Returns the sizes of all files in bytes, by name, for `inspectPicture`. */
export async function readFileSizes(storage: PictureStorage): Promise<ReadonlyMap<string, number>> {
  return new Map((await storage.listFiles()).map(({ name, size }) => [name, size]));
}

/**
 * Returns a picture's problem; undefined if its files are complete. In a bucket, checks only names, sizes and the first
 * bytes of variants, since object stores have their own checksums and charge for reads.
 */
export async function inspectPicture(
  storage: PictureStorage,
  { filename, size, widths, checksum }: Upload,
  sizes: ReadonlyMap<string, number>,
): Promise<PictureProblem | undefined> {
  // While a picture is being added or deleted, its original has the extension `UNLISTED_EXTENSION`.
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

/** Computes the SHA-256 of files, each given by its possible names. Undefined if a file is missing. */
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

/** Computes the SHA-256 of a picture's files in this order: the original, then its variants by width. */
export function computeChecksum(files: readonly Uint8Array[]): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const bytes of files) hash.update(bytes);
  return hash.digest("hex");
}

const RIFF_HEADER_BYTES = 8;

/** Whether a WebP file has the length that its first bytes state. `size` is the actual length in bytes. */
function isCompleteWebp(firstBytes: Uint8Array | undefined, size: number): boolean {
  if (!firstBytes || firstBytes.length < RIFF_HEADER_BYTES) return false;
  const header = Buffer.from(firstBytes);
  return (
    header.toString("latin1", 0, 4) === "RIFF" &&
    header.readUInt32LE(4) + RIFF_HEADER_BYTES === size
  );
}
