/**
 * Returns the value of the first cookie with this name, if any. The site's own cookies need no decoding. Not all
 * cookies are parsed, as strangers can send many.
 */
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
