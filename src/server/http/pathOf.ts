/** The path of an address, cut out rather than read, since every request asks for it. */

/** Without its query. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

/** With its query. Only a request without a Host has no more than that for its address. */
export function targetOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? "/" : url.slice(start);
}
