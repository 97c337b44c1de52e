/** Returns a mailto URL (RFC 6068). Everything except the @ is encoded, so that no address can add a header. */
export function createMailtoUrl(email: string): string {
  const atIndex = email.lastIndexOf("@");
  return `mailto:${encodeURIComponent(email.slice(0, atIndex))}@${encodeURIComponent(email.slice(atIndex + 1))}`;
}
