/** The names of stored pictures: made by the server, and the only ones ever looked at. */
import { randomBytes } from "node:crypto";
import type { ImageExtension } from "./acceptImage.ts";

const CONTENT_TYPES: Record<ImageExtension, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
};

const SERVABLE = /^[0-9a-f]{32}(-\d{2,4})?\.(jpg|png|webp|gif)$/;
const ORIGINAL = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT = /^[0-9a-f]{32}-\d{2,4}\.webp$/;

/** A name nobody can guess: 32 hexadecimal digits and the ending of the decoded type. */
export function newUploadName(extension: ImageExtension): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** The name of a picture's copy at a width in pixels. */
export function variantName(original: string, width: number): string {
  return `${stemOf(original)}-${width}.webp`;
}

/** What an original and its variants have in common. */
export function stemOf(name: string): string {
  return name.slice(0, 32);
}

/** Whether this is the name of an original as the server gives them. */
export function isOriginalName(name: string): boolean {
  return ORIGINAL.test(name);
}

/** Whether this is the name of a variant as the server gives them. */
export function isVariantName(name: string): boolean {
  return VARIANT.test(name);
}

/** The fixed content type that a servable name stands for; undefined for any other name. */
export function contentTypeOf(name: string): string | undefined {
  const extension = SERVABLE.exec(name)?.[2];
  return extension && CONTENT_TYPES[extension as ImageExtension];
}
