/** Encrypts texts at rest: AES-256-GCM, with a key derived for one purpose. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and decrypts texts. `purpose` is authenticated with the text, so one sealed text can't replace another.
 */
export interface Seal {
  seal(text: string, purpose?: string): string;
  /** Undefined if the text was sealed with another key or purpose, or was changed. */
  unseal(sealed: string, purpose?: string): string | undefined;
}

/** The purpose of the seal for the passwords of mail accounts and webhooks. */
export const MAIL_SECRET_PURPOSE = "limelight mail secret";

/** `secret` is 256 random bits; a text sealed for one purpose can't be opened for another. */
export function createSeal(secret: Uint8Array, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    seal(text, purpose = "") {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    unseal(sealed, purpose = "") {
      try {
        const bytes = Buffer.from(sealed, "base64");
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8");
        return body + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
