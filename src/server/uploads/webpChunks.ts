/** Reads and writes the RIFF chunks of a WebP (WebP Container Specification, Google, 2023). */
import { joined, latin1, viewOf } from "./bytes.ts";
import { ImageRefused } from "./imageRefused.ts";

/** A chunk: its four-letter code, its data without the padding, and where the next one begins. */
export type WebpChunk = { type: string; data: Uint8Array };

const HEADER_BYTES = 12;

/** Every chunk of a WebP file. Throws `damaged` when the file is shorter than it says. */
export function webpChunks(bytes: Uint8Array): WebpChunk[] {
  const end = viewOf(bytes).getUint32(4, true) + 8;
  if (end > bytes.length) throw new ImageRefused("damaged");
  return chunksIn(bytes.subarray(HEADER_BYTES, end));
}

/** The chunks that fill these bytes to the last; also used for what is inside a frame. */
export function chunksIn(bytes: Uint8Array): WebpChunk[] {
  const view = viewOf(bytes);
  const chunks: WebpChunk[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if (end > bytes.length) throw new ImageRefused("damaged");
    chunks.push({ type: latin1(bytes, offset, 4), data: bytes.subarray(offset + 8, end) });
    offset = end + (length % 2);
  }
  return chunks;
}

/** A WebP file of these chunks. */
export function webpOf(chunks: WebpChunk[]): Uint8Array<ArrayBuffer> {
  const content = writtenChunks(chunks);
  const header = new Uint8Array(HEADER_BYTES);
  header.set(new TextEncoder().encode("RIFF\0\0\0\0WEBP"));
  viewOf(header).setUint32(4, content.length + 4, true);
  return joined([header, content]);
}

/** The chunks one after another, each padded to an even length. */
export function writtenChunks(chunks: WebpChunk[]): Uint8Array<ArrayBuffer> {
  return joined(chunks.map(writtenChunk));
}

function writtenChunk({ type, data }: WebpChunk): Uint8Array {
  const written = new Uint8Array(8 + data.length + (data.length % 2));
  written.set(new TextEncoder().encode(type));
  viewOf(written).setUint32(4, data.length, true);
  written.set(data, 8);
  return written;
}
