/** Keeps a secret in the data folder so that a copy of that folder's backup does not tell it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

/** `secret` is the installation's own, which no backup holds. */
export interface Seal {
  close(text: string): string;
  /** Undefined for what another installation has sealed. */
  open(sealed: string): string | undefined;
}

export function sealOf(secret: Uint8Array): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "limelight mail secret", 32));
  return {
    close(text) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(sealed) {
      try {
        const bytes = Buffer.from(sealed, "base64");
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE));
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        const body = decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8");
        return body + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
