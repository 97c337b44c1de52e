/** Proof of when someone began to fill in a form: signed by the site, kept by the visitor. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Nobody reads and answers a form faster; a robot does (security.md, "minimum filling time"). */
export const LEAST_FILLING_MS = 3000;
const LONGEST_FILLING_MS = 24 * 60 * 60 * 1000;

/** Makes and reads the proofs. */
export interface FillingTime {
  /** A proof that begins now: base36 milliseconds, a dot, a signature. */
  begin(): string;
  /** Milliseconds since the proof began; undefined for a missing, forged or day-old one. */
  elapsed(proof: unknown): number | undefined;
}

/** Proofs signed with a key derived from the site's secret. */
export function fillingTime(secret: Uint8Array, now: () => number = Date.now): FillingTime {
  const sign = (moment: string) =>
    createHmac("sha256", secret).update(`filling-time:${moment}`).digest("base64url");
  return {
    begin() {
      const moment = now().toString(36);
      return `${moment}.${sign(moment)}`;
    },
    elapsed(proof) {
      if (typeof proof !== "string") return undefined;
      const [, moment, signature] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(proof) ?? [];
      if (moment === undefined || !equal(sign(moment), signature!)) return undefined;
      const passed = now() - Number.parseInt(moment, 36);
      return passed >= 0 && passed <= LONGEST_FILLING_MS ? passed : undefined;
    },
  };
}

function equal(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
