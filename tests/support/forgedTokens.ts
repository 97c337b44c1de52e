/** Forged tokens: some close to a real token, some far from any. */
import pLimit from "p-limit";

/** Creates tokens that differ from each other and from `token`. */
export function forgeTokens(token: string, id: string): string[] {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const forged = new Set<string>();
  // Changes one character of the signature. For the last character every other letter is tried, since some of its bits
  // may be ignored.
  for (let at = 0; at < signature.length; at++)
    for (const letter of at < signature.length - 1 ? "AB" : alphabet)
      if (letter !== signature[at])
        forged.add(`${id}.${signature.slice(0, at)}${letter}${signature.slice(at + 1)}`);
  // The signature is shorter, longer, that of another id, or missing.
  for (let at = 0; at < signature.length; at++) forged.add(`${id}.${signature.slice(0, at)}`);
  for (const more of alphabet) forged.add(`${token}${more}`);
  for (let more = 0; more < 100; more++) {
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
    forged.add(`${more % 2 ? id : Bun.randomUUIDv7()}.${random}`);
  }
  return [...forged];
}

/** Returns the tokens for which `open` got a status other than 404. Limits the number of connections. */
export async function findOpenedTokens(
  tokens: readonly string[],
  open: (token: string, at: number) => Promise<{ readonly status: number }>,
): Promise<string[]> {
  const limit = pLimit(100);
  const statuses = await Promise.all(
    tokens.map((token, at) =>
      limit(async () => (await open(encodeURIComponent(token), at)).status),
    ),
  );
  return tokens.filter((_, at) => statuses[at] !== 404);
}
