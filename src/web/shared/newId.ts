/** Ids made in the browser. */

/** A UUID, version 4 (RFC 9562). The browser's own exists in secure contexts only, and sites may be on plain http. */
export function newId(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return random.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    (_, ...[a, b, c, d, e]: string[]) => `${a}-${b}-4${c}-8${d}-${e}`,
  );
}
