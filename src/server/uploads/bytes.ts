/** Small readings of bytes that the picture parsers share. */

/** The bytes as a view for numbers; reads behind the end throw a RangeError. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `length` bytes from `offset` as Latin-1 text: four-letter codes and signatures. */
export function latin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

/** All parts after one another. */
export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Infinity, true);
}
