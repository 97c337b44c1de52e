/** Returns a cookie's value. The header is searched instead of parsed, since strangers can send many cookies. */
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
