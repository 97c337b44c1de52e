/** Creates unique ids. */

/** Creates a UUID, version 4 (RFC 9562). The platform's own function needs HTTPS, which a site may lack. */
export function createId(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const bytes = random.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
