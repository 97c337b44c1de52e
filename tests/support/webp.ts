/** Writes WebP files out of chunks. */
import { concatBytes, createPicture } from "./pictures.ts";

/** Creates a chunk, padded to an even length. */
export function createWebpChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(type, encodeUint32(data.length), data, data.length % 2 ? 0 : "");
}

/** Creates a WebP file of chunks. */
export function createWebp(...chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = concatBytes("WEBP", ...chunks);
  return concatBytes("RIFF", encodeUint32(content.length), content);
}

/** Creates an extended header with flags (2 animation, 4 XMP, 8 EXIF) and the canvas size in pixels. */
export function createWebpHeader(flags: number, width: number, height: number): Uint8Array {
  return createWebpChunk(
    "VP8X",
    concatBytes(encodeUint32(flags), encodeUint24(width - 1), encodeUint24(height - 1)),
  );
}

/** Creates an animation of real frames, with EXIF, XMP and an unknown chunk. */
export async function createAnimatedWebp(
  width: number,
  height: number,
  frames: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = await createPicture("webp", width, height);
  const frame = createWebpChunk(
    "ANMF",
    concatBytes(createFrameHeader(width, height), findBitstreamChunk(picture)),
  );
  return createWebp(
    createWebpHeader(2 | 4 | 8, width, height),
    createWebpChunk("ANIM", concatBytes(encodeUint32(0), 0, 0)),
    ...Array.from({ length: frames }, () => frame),
    createWebpChunk("EXIF", concatBytes("MM\0*private place")),
    createWebpChunk("XMP ", concatBytes("<x:xmpmeta>private</x:xmpmeta>")),
    createWebpChunk("EVIL", concatBytes("<script>alert(1)</script>")),
  );
}

/** Creates an animation with a color profile and a single, transparent frame. */
export async function createTransparentAnimation(
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const lossy = await createPicture("webp", width, height);
  const opacity = createWebpChunk("ALPH", concatBytes(0, new Uint8Array(width * height).fill(64)));
  return createWebp(
    createWebpHeader(2 | 0x20, width, height),
    createWebpChunk("ICCP", concatBytes("no profile that a decoder would know")),
    createWebpChunk("ANIM", concatBytes(encodeUint32(0), 0, 0)),
    createWebpChunk(
      "ANMF",
      concatBytes(createFrameHeader(width, height), opacity, findBitstreamChunk(lossy)),
    ),
  );
}

/** Returns the pixel chunk of a lossy WebP, with its header and padding. */
export function findBitstreamChunk(webp: Uint8Array): Uint8Array {
  const at = Buffer.from(webp).indexOf("VP8 ");
  const length = new DataView(webp.buffer, webp.byteOffset).getUint32(at + 4, true);
  return webp.subarray(at, at + 8 + length + (length % 2));
}

function createFrameHeader(width: number, height: number): Uint8Array {
  return concatBytes(
    encodeUint24(0),
    encodeUint24(0),
    encodeUint24(width - 1),
    encodeUint24(height - 1),
    encodeUint24(100),
    0,
  );
}

function encodeUint24(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, value >> 16);
}

function encodeUint32(value: number): Uint8Array {
  return concatBytes(encodeUint24(value & 0xffffff), value >>> 24);
}
