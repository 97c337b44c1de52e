/**
 * DATA_KEY: a key that is stored separately from the data (as a service credential, in a vault) and encrypts the
 * site's secrets. A copy of the data, a disk or a backup then reveals neither sessions nor codes.
 */
import { sealOf } from "./seal.ts";

/** Encrypts and decrypts secrets. `purpose` is the use of a text and is authenticated with it. */
export interface DataKey {
  /** The text as it is to be stored: encrypted with the first key, or plain without one. */
  seal(text: string, purpose: string): string;
  /** Undefined for a sealed text that none of the keys opens. */
  unseal(stored: string, purpose: string): string | undefined;
  /** Whether it is stored the way `seal` would store it now. */
  isSealedAsConfigured(stored: string, purpose: string): boolean;
}

/** As the first value: nothing new is sealed, and the other keys still open what they sealed. */
export const OFF = "off";

const SEALED = "sealed:";

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED);

/** `keys` are the setting's, in base64; the first may be "off". Without keys nothing is sealed. */
export function dataKeyOf(keys: readonly string[] = []): DataKey {
  const seals = keys
    .filter((key) => key !== OFF)
    .map((key) => sealOf(Buffer.from(key, "base64"), "limelight data"));
  const first = keys[0] === OFF ? undefined : seals[0];
  const opened = (stored: string, purpose: string, by: typeof seals) =>
    by
      .map((seal) => seal.unseal(stored.slice(SEALED.length), purpose))
      .find((text) => text !== undefined);
  return {
    seal: (text, purpose) => (first ? SEALED + first.seal(text, purpose) : text),
    unseal: (stored, purpose) => (isSealed(stored) ? opened(stored, purpose, seals) : stored),
    isSealedAsConfigured: (stored, purpose) =>
      isSealed(stored)
        ? first !== undefined && opened(stored, purpose, [first]) !== undefined
        : first === undefined,
  };
}
