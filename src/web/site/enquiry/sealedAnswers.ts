/**
 * Answers in the tab's storage, sealed by a key that the site gives back for a day and nobody has after that. So
 * what a browser leaves on a disk tells nothing. Where the browser has no cipher (over plain HTTP, where answers
 * travel in the clear as well) they are kept as they are.
 */
import { call, CallFailed } from "../../shared/api.ts";
import type { KeptAnswers } from "./enquiryState.ts";

export interface SealedAnswers {
  /** Those of the last day; null when there are none, or the site can't be asked for their key. */
  read(): Promise<KeptAnswers | null>;
  /** Asks for a key, so that the first thing typed needn't wait for it. */
  prepare(): void;
  /** Where the browser refuses to store, answers just don't outlive the page. */
  keep(answers: KeptAnswers): Promise<void>;
  drop(): void;
}

/** In milliseconds; as long as the site gives the key. */
const LIFETIME = 24 * 60 * 60 * 1000;

interface Stored {
  readonly savedAt: number;
  /** For the site, which knows the key by it; without one, `text` is not sealed. */
  readonly started?: string;
  readonly text: string;
}

interface Sealing {
  readonly started: string;
  readonly key: CryptoKey;
}

/** Of this page; whoever comes back to the form within it needs no other. */
let sealing: Promise<Sealing> | undefined;
let since = 0;

/** One that is about to end would take along what is typed now. */
function sealingNow(): Promise<Sealing> {
  if (sealing && Date.now() - since < LIFETIME / 2) return sealing;
  since = Date.now();
  return (sealing = sealingBy({}));
}

async function closed(text: string): Promise<Partial<Stored> & { text: string }> {
  if (!hasCipher()) return { text };
  const { started, key } = await sealingNow();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { ...CIPHER, iv },
    key,
    new TextEncoder().encode(text),
  );
  return { started, text: `${textOf(iv)}.${textOf(new Uint8Array(sealed))}` };
}

/** Kept under this name. */
export function sealedAnswers(name: string): SealedAnswers {
  /** What comes later counts, whichever is sealed first. */
  let last = 0;

  function drop(): void {
    last++;
    try {
      sessionStorage.removeItem(name);
    } catch {
      // Without storage there was nothing.
    }
  }

  return {
    drop,
    prepare() {
      if (hasCipher()) sealingNow().catch(() => (sealing = undefined));
    },
    async read() {
      try {
        const stored = JSON.parse(sessionStorage.getItem(name) ?? "null") as Stored | null;
        if (stored && Date.now() - stored.savedAt < LIFETIME)
          return answersIn(await opened(stored));
      } catch (error) {
        // A site that is away just now gives the key at the next reload.
        if (error instanceof CallFailed ? error.status !== 404 : error instanceof TypeError)
          return null;
      }
      drop();
      return null;
    },
    async keep(answers) {
      const mine = ++last;
      try {
        const stored = { ...(await closed(JSON.stringify(answers))), savedAt: Date.now() };
        if (mine === last) sessionStorage.setItem(name, JSON.stringify(stored));
      } catch {
        sealing = undefined;
        if (mine === last) drop();
      }
    },
  };
}

async function opened({ started, text }: Stored): Promise<string> {
  if (started === undefined) return text;
  const { key } = await sealingBy({ method: "POST", body: { started } });
  const [iv = "", sealed = ""] = text.split(".");
  const bytes = await crypto.subtle.decrypt({ ...CIPHER, iv: bytesOf(iv) }, key, bytesOf(sealed));
  return new TextDecoder().decode(bytes);
}

const hasCipher = () => Boolean(globalThis.crypto?.subtle);

const CIPHER = { name: "AES-GCM" };

async function sealingBy(options: Parameters<typeof call>[1]): Promise<Sealing> {
  const { started, key } = await call<{ started: string; key: string }>(
    "/api/filling-time",
    options,
  );
  const usable = await crypto.subtle.importKey("raw", bytesOf(key), CIPHER, false, [
    "encrypt",
    "decrypt",
  ]);
  return { started, key: usable };
}

function answersIn(text: string): KeptAnswers | null {
  const kept = JSON.parse(text) as Partial<KeptAnswers>;
  const isWhole =
    Number.isInteger(kept.step) &&
    typeof kept.answers === "object" &&
    typeof kept.dialCountries === "object";
  return isWhole ? (kept as KeptAnswers) : null;
}

const textOf = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
