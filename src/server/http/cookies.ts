/**
 * Returns the value of the first cookie with this name, if any. The site's own cookies need no decoding. Searches the
 * header instead of parsing it, since strangers can send many cookies.
 */
export function getCookie({ headers }: Request, name: string): string | undefined {
  const header = headers.get("cookie") ?? "";
  const prefix = `${name}=`;
  for (
    let index = header.indexOf(prefix);
    index !== -1;
    index = header.indexOf(prefix, index + prefix.length)
  ) {
    if (index > 0 && !/[;\s]/.test(header[index - 1] ?? "")) continue;
    const end = header.indexOf(";", index);
    return header.slice(index + prefix.length, end === -1 ? undefined : end).trim();
  }
  return undefined;
}
