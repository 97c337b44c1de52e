/** The one rule for addresses that people type: what may be linked to, and what never. */

/** In characters. */
export const LONGEST_ADDRESS = 2048;

const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
// Control characters and backslashes make browsers read another address than the one that was checked.
// oxlint-disable-next-line no-control-regex
const DISGUISES = /[\u0000-\u001f\u007f\\]/;

/**
 * Returns the trimmed address when it is http, https, mailto, tel or a path that starts with exactly
 * one slash, else undefined. Called on write and again on render.
 */
export function safeUrl(input: unknown): string | undefined {
  const address = followableUrl(input);
  return address !== undefined && !isDisguised(address) ? address : undefined;
}

/** As `safeUrl`, but only what a picture can be fetched from: http, https or a path of this site. */
export function safePictureUrl(input: unknown): string | undefined {
  return pictureOf(safeUrl(input));
}

/** As `safeUrl`, with what was taken and stored before it looked for disguises. */
export function followableUrl(input: unknown): string | undefined {
  if (typeof input !== "string") return undefined;
  const address = input.trim();
  if (address === "" || address.length > LONGEST_ADDRESS || DISGUISES.test(address))
    return undefined;
  if (address.startsWith("/")) return address.startsWith("//") ? undefined : address;
  return URL.canParse(address) && SCHEMES.has(new URL(address).protocol) ? address : undefined;
}

/** The same of a picture. */
export function followablePictureUrl(input: unknown): string | undefined {
  return pictureOf(followableUrl(input));
}

const pictureOf = (address: string | undefined) =>
  address && /^(https?:|\/)/i.test(address) ? address : undefined;

/**
 * True for what people read as another address than browsers: `http:host`, which is a path on some pages
 * and a host on others, and `https://bank.example@evil.example`, whose host is the last part.
 */
function isDisguised(address: string): boolean {
  if (!/^https?:/i.test(address)) return false;
  const { username, password } = new URL(address);
  return username !== "" || password !== "" || !/^https?:\/\/[^/]/i.test(address);
}
