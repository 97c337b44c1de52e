/** A site's responses, to compare those after a move or a restore with those before. */

/** By path: the status, the tag and a hash of the body of each GET, for a visitor or in a session. */
export async function hashResponses(
  url: string,
  paths: readonly string[],
  cookie?: string,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const path of paths) {
    const response = await fetch(url + path, { headers: cookie === undefined ? {} : { cookie } });
    const text = (await response.text()).replace(/"requestId":"\w+"/, "");
    const body = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    hashes[path] = `${response.status} ${response.headers.get("etag")} ${body}`;
  }
  return hashes;
}
