/** Encrypts stored texts (AES-256-GCM), and compares input with secrets. */
import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts texts. `purpose` is authenticated too, so a sealed text is useless for other purposes. */
export interface Seal {
  seal(text: string, purpose?: string): string;
  /** Returns the text; undefined if it was sealed with another key or purpose, or was changed. */
  unseal(sealed: string, purpose?: string): string | undefined;
}

/** The purpose of the seal for the passwords of mail accounts and webhooks. */
export const MAIL_SECRET_PURPOSE = "limelight mail secret";

/** Derives the encryption key from `secret` (256 random bits) and `purpose`. */
export function createSeal(secret: Uint8Array, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    seal(text, purpose = "") {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
    },
    unseal(sealed, purpose = "") {
      try {
        const bytes = Buffer.from(sealed, "base64");
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const start = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8");
        return start + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Encrypts the site's secrets with DATA_KEY, which operators store separately from the data, so that a stolen disk or
 * backup reveals no secrets. An encrypted text can't be used for another `purpose`.
 */
export interface DataKey {
  /** Returns the text for storage: encrypted with the first key, or plain if there is no key. */
  seal(text: string, purpose: string): string;
  /** Returns the plain text; undefined if none of the keys decrypts the stored text. */
  unseal(stored: string, purpose: string): string | undefined;
  /** Whether the stored text is encrypted with the first key, or plain if there is no key. */
  isSealedAsConfigured(stored: string, purpose: string): boolean;
}

/** Turns encryption off if it is the first key. The other keys still decrypt texts that were encrypted earlier. */
export const DATA_KEY_OFF = "off";

const SEALED_PREFIX = "sealed:";

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

/** Encrypts with the first of `keys` (base64). Without keys, or if the first key is "off", stores plain texts. */
export function createDataKey(keys: readonly string[] = []): DataKey {
  const seals = keys
    .filter((key) => key !== DATA_KEY_OFF)
    .map((key) => createSeal(Buffer.from(key, "base64"), "limelight data"));
  const activeSeal = keys[0] === DATA_KEY_OFF ? undefined : seals[0];
  const unsealWith = (stored: string, purpose: string, candidates: typeof seals) =>
    candidates
      .map((seal) => seal.unseal(stored.slice(SEALED_PREFIX.length), purpose))
      .find((text) => text !== undefined);
  return {
    seal: (text, purpose) => (activeSeal ? SEALED_PREFIX + activeSeal.seal(text, purpose) : text),
    unseal: (stored, purpose) => (isSealed(stored) ? unsealWith(stored, purpose, seals) : stored),
    isSealedAsConfigured: (stored, purpose) =>
      isSealed(stored)
        ? activeSeal !== undefined && unsealWith(stored, purpose, [activeSeal]) !== undefined
        : activeSeal === undefined,
  };
}

/** Compares input with a secret in constant time. Otherwise the duration would reveal where the two differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
