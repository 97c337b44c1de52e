/** Reads one cookie of a request, without making a map of all that a stranger sends. */

/** The value of the first cookie with this name; undefined without one. Ours need no decoding. */
export function getCookie({ headers }: Request, name: string): string | undefined {
  const header = headers.get("cookie") ?? "";
  const start = `${name}=`;
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at + start.length)) {
    if (at > 0 && !/[;\s]/.test(header[at - 1] ?? "")) continue;
    const end = header.indexOf(";", at);
    return header.slice(at + start.length, end === -1 ? undefined : end).trim();
  }
  return undefined;
}
