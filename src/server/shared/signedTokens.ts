/** Creates and reads signed tokens. The site doesn't store them, because it can verify the signature. */
import { createHmac } from "node:crypto";
import type { Clock } from "./clock.ts";
import { constantTimeEqual } from "./secrets.ts";

/** The maximum length of a token, in characters. Longer texts are rejected without reading. */
const MAX_TOKEN_LENGTH = 500;
/** The length of an HMAC-SHA256 in base64url, in characters. */
const FULL_SIGNATURE_LENGTH = 43;

/** Creates and reads tokens for one purpose; rejects tokens for others. `signatureLength` is in characters. */
export function createTokenSigner(
  secret: Uint8Array | (() => string),
  purpose: string,
  signatureLength: number = FULL_SIGNATURE_LENGTH,
) {
  const computeSignature = (text: string) =>
    createHmac("sha256", typeof secret === "function" ? secret() : secret)
      .update(`${purpose}:${text}`)
      .digest("base64url")
      .slice(0, signatureLength);
  return {
    computeSignature,
    /** Returns `{text}.{signature}`. `boundText` is signed, but not in the token, so `readToken` needs it too. */
    createToken: (text: string, boundText?: string) =>
      `${text}.${computeSignature(joinBoundText(text, boundText))}`,
    /** Returns a token's text; undefined if the token wasn't created by this site with the same `boundText`. */
    readToken(token: unknown, boundText?: string) {
      if (typeof token !== "string" || token.length > MAX_TOKEN_LENGTH) return undefined;
      const dot = token.lastIndexOf(".");
      if (dot === -1) return undefined;
      const text = token.slice(0, dot);
      return constantTimeEqual(
        computeSignature(joinBoundText(text, boundText)),
        token.slice(dot + 1),
      )
        ? text
        : undefined;
    },
  };
}

const joinBoundText = (text: string, boundText?: string) =>
  boundText === undefined ? text : `${text}:${boundText}`;

interface ExpiringTokenOptions {
  /** When the token becomes valid, in milliseconds since 1970. Default: now. */
  readonly at?: number;
  readonly boundText?: string;
}

/** Creates and reads tokens for one purpose that expire: `{text}.{time, base36}.{signature}`, or without a text. */
export function createExpiringTokenSigner(
  secret: Uint8Array,
  purpose: string,
  validForMs: number,
  clock: Clock,
) {
  const signer = createTokenSigner(secret, purpose);
  return {
    createToken(text = "", { at = clock(), boundText }: ExpiringTokenOptions = {}) {
      const timestamp = at.toString(36);
      return signer.createToken(text === "" ? timestamp : `${text}.${timestamp}`, boundText);
    },
    /** Returns a token's text and time; undefined if it is invalid, has expired or isn't valid yet. */
    readToken(token: unknown, boundText?: string) {
      const [, text = "", timestamp = ""] =
        /^(?:(.*)\.)?([\da-z]{1,12})$/.exec(signer.readToken(token, boundText) ?? "") ?? [];
      const at = Number.parseInt(timestamp, 36);
      const elapsedMs = clock() - at;
      return elapsedMs >= 0 && elapsedMs <= validForMs ? { text, at } : undefined;
    },
  };
}
