/** A link that writes to an address (RFC 6068): all but the one @ is encoded, so that no address can add a header. */
export function mailto(email: string): string {
  const at = email.lastIndexOf("@");
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
