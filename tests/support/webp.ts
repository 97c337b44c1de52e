/** Writes WebP files out of chunks. */
import { bytesOf, pictureAs } from "./pictures.ts";

/** A chunk, padded to an even length. */
export function webpChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytesOf(type, uint32(data.length), data, data.length % 2 ? 0 : "");
}

/** A WebP file of chunks. */
export function webpFile(...chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = bytesOf("WEBP", ...chunks);
  return bytesOf("RIFF", uint32(content.length), content);
}

/** An extended header: flags (2 animation, 4 XMP, 8 EXIF) and the canvas in pixels. */
export function webpHeader(flags: number, width: number, height: number): Uint8Array {
  return webpChunk("VP8X", bytesOf(uint32(flags), uint24(width - 1), uint24(height - 1)));
}

/** An animation of real frames that carries EXIF, XMP and an unknown chunk. */
export async function animatedWebp(
  width: number,
  height: number,
  frames: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = await pictureAs("webp", width, height);
  const frame = webpChunk("ANMF", bytesOf(frameHeader(width, height), bitstreamChunk(picture)));
  return webpFile(
    webpHeader(2 | 4 | 8, width, height),
    webpChunk("ANIM", bytesOf(uint32(0), 0, 0)),
    ...Array.from({ length: frames }, () => frame),
    webpChunk("EXIF", bytesOf("MM\0*private place")),
    webpChunk("XMP ", bytesOf("<x:xmpmeta>private</x:xmpmeta>")),
    webpChunk("EVIL", bytesOf("<script>alert(1)</script>")),
  );
}

/** An animation whose only frame is transparent, after a color profile. */
export async function seeThroughAnimation(
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const lossy = await pictureAs("webp", width, height);
  const opacity = webpChunk("ALPH", bytesOf(0, new Uint8Array(width * height).fill(64)));
  return webpFile(
    webpHeader(2 | 0x20, width, height),
    webpChunk("ICCP", bytesOf("no profile that a decoder would know")),
    webpChunk("ANIM", bytesOf(uint32(0), 0, 0)),
    webpChunk("ANMF", bytesOf(frameHeader(width, height), opacity, bitstreamChunk(lossy))),
  );
}

/** The pixel chunk of a lossy WebP, with its header and padding. */
export function bitstreamChunk(webp: Uint8Array): Uint8Array {
  const at = Buffer.from(webp).indexOf("VP8 ");
  const length = new DataView(webp.buffer, webp.byteOffset).getUint32(at + 4, true);
  return webp.subarray(at, at + 8 + length + (length % 2));
}

function frameHeader(width: number, height: number): Uint8Array {
  return bytesOf(uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(100), 0);
}

function uint24(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, value >> 16);
}

function uint32(value: number): Uint8Array {
  return bytesOf(uint24(value & 0xffffff), value >>> 24);
}
