/**
 * DATA_KEY encrypts the site's secrets. The key is stored apart from the data (as a service credential, in a vault), so
 * a copy of the data, a disk or a backup reveals neither sessions nor codes.
 */
import { createSeal } from "./seal.ts";

/** Encrypts and decrypts secrets. `purpose` names the use of a text and is authenticated with the text. */
export interface DataKey {
  /** Returns the text for storage: encrypted with the first key, or plain if there is no key. */
  seal(text: string, purpose: string): string;
  /** Returns the plain text; undefined if none of the keys decrypts the stored text. */
  unseal(stored: string, purpose: string): string | undefined;
  /** Whether the stored text has the form in which `seal` would store it now. */
  isSealedAsConfigured(stored: string, purpose: string): boolean;
}

/** In first place among the keys, this turns encryption off. The other keys still decrypt what they encrypted. */
export const DATA_KEY_OFF = "off";

const SEALED_PREFIX = "sealed:";

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

/** `keys` are those of the setting, in base64; the first may be "off". Without keys, texts are stored plain. */
export function createDataKey(keys: readonly string[] = []): DataKey {
  const seals = keys
    .filter((key) => key !== DATA_KEY_OFF)
    .map((key) => createSeal(Buffer.from(key, "base64"), "limelight data"));
  const first = keys[0] === DATA_KEY_OFF ? undefined : seals[0];
  const opened = (stored: string, purpose: string, by: typeof seals) =>
    by
      .map((seal) => seal.unseal(stored.slice(SEALED_PREFIX.length), purpose))
      .find((text) => text !== undefined);
  return {
    seal: (text, purpose) => (first ? SEALED_PREFIX + first.seal(text, purpose) : text),
    unseal: (stored, purpose) => (isSealed(stored) ? opened(stored, purpose, seals) : stored),
    isSealedAsConfigured: (stored, purpose) =>
      isSealed(stored)
        ? first !== undefined && opened(stored, purpose, [first]) !== undefined
        : first === undefined,
  };
}
