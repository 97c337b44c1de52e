/** The limits a picture has to keep to, before anything of it is decoded (spec §9, design.md §7). */

/** The longest side taken, in pixels. */
export const MAX_IMAGE_SIDE = 12_000;

/** The most pixels taken, over all: a decoded pixel costs four bytes of memory. */
export const MAX_IMAGE_PIXELS = 50_000_000;

/**
 * The most scans taken of a progressive JPEG. Cameras and encoders write about ten; each further
 * one costs the decoder a walk over the whole picture for a few bytes of file.
 */
export const MAX_JPEG_SCANS = 50;
