/** Tokens that the site gives out and knows again by its signature, so that none of them is kept. */
import { createHmac } from "node:crypto";
import type { Clock } from "./clock.ts";
import { isSameText } from "./sameText.ts";

interface Signed {
  /** `{text}.{signature}`. What it is `bound` to is signed with it and isn't told: it is good for that alone. */
  make(text: string, bound?: string): string;
  /** The text of a token that was made here for the same; undefined for anything else. */
  read(token: unknown, bound?: string): string | undefined;
  /** The signature alone, 43 characters, unless it is cut. */
  signatureOf(text: string): string;
}

/** Longer ones are nobody's. */
const LONGEST = 500;
/** HMAC-SHA256 in base64url. */
const WHOLE = 43;

/** What is signed for one purpose is worth nothing for another. `length`: of the signature. */
export function signed(
  secret: Uint8Array | (() => string),
  purpose: string,
  length: number = WHOLE,
): Signed {
  const signatureOf = (text: string) =>
    createHmac("sha256", typeof secret === "function" ? secret() : secret)
      .update(`${purpose}:${text}`)
      .digest("base64url")
      .slice(0, length);
  return {
    signatureOf,
    make: (text, bound) => `${text}.${signatureOf(whole(text, bound))}`,
    read(token, bound) {
      if (typeof token !== "string" || token.length > LONGEST) return undefined;
      const dot = token.lastIndexOf(".");
      if (dot === -1) return undefined;
      const text = token.slice(0, dot);
      return isSameText(signatureOf(whole(text, bound)), token.slice(dot + 1)) ? text : undefined;
    },
  };
}

const whole = (text: string, bound: string | undefined) =>
  bound === undefined ? text : `${text}:${bound}`;

interface Expiring {
  /** `at`: when it begins, in milliseconds since 1970. Default: now. */
  make(text?: string, options?: { readonly at?: number; readonly bound?: string }): string;
  /** Undefined besides for one that is over, or hasn't begun. */
  read(token: unknown, bound?: string): { readonly text: string; readonly at: number } | undefined;
}

/** Tokens that work for so long, in milliseconds: `{text}.{moment, base36}.{signature}`, or without a text. */
export function expiring(tokens: Signed, lasts: number, clock: Clock): Expiring {
  return {
    make(text = "", { at = clock(), bound } = {}) {
      const moment = at.toString(36);
      return tokens.make(text === "" ? moment : `${text}.${moment}`, bound);
    },
    read(token, bound) {
      const [, text = "", moment = ""] =
        /^(?:(.*)\.)?([\da-z]{1,12})$/.exec(tokens.read(token, bound) ?? "") ?? [];
      const at = Number.parseInt(moment, 36);
      const passed = clock() - at;
      return passed >= 0 && passed <= lasts ? { text, at } : undefined;
    },
  };
}
