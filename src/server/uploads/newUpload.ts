/** A new upload: decoded, stored with its variants, and described. */
import { harmless } from "../../schema/harmless.ts";
import type { Item } from "../../schema/index.ts";
import { cannotStore } from "../shared/errors.ts";
import { checksumOf } from "../storage/pictures/wholePicture.ts";
import { acceptImage, makeVariants } from "./acceptImage.ts";
import type { UploadFiles } from "./uploadFiles.ts";

/** Accepts a picture and stores its files. Throws what `acceptImage` throws, or `cannot_store`. */
export async function storeNew(
  files: UploadFiles,
  bytes: Uint8Array,
  originalName: string | undefined,
  createdAt: string,
): Promise<Item<"uploads">> {
  const image = await acceptImage(bytes);
  const variants = await makeVariants(image);
  const stored = await files.storeUpload(image, variants).catch(unavailable);
  return {
    id: Bun.randomUUIDv7(),
    filename: stored.filename,
    originalName: plainName(originalName),
    mimetype: image.mimetype,
    size: image.bytes.length,
    createdAt,
    url: `/uploads/${stored.filename}`,
    width: image.width,
    height: image.height,
    widths: stored.variants.map((variant) => variant.width),
    placeholder: image.placeholder,
    tone: image.tone,
    light: image.light,
    checksum: checksumOf([image.bytes, ...variants.map(({ bytes: each }) => each)]),
    alt: "",
    decorative: false,
    // A transparent picture is usually a logo.
    kind: image.tone ? "logo" : "photo",
    focus: null,
    cuts: null,
  };
}

/** Throws `cannot_store` for an error of the disk or bucket. */
export function unavailable(error: unknown): never {
  throw cannotStore(
    "The picture couldn't be stored, so nothing was changed. Try again in a few minutes.",
    error,
  );
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/g;

/**
 * The file's name without folders, invisible characters and excess length. Despite its type it can be undefined: Bun
 * omits it for `filename=""`.
 */
function plainName(name: string | undefined): string {
  const file = (name ?? "").replace(/^.*[/\\]/, "").replace(CONTROL, "");
  return harmless(file.trim().slice(0, 200)) || "picture";
}
