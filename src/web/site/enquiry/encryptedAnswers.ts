/**
 * Answers in session storage, encrypted with a key that the site returns for a day and then nobody has, so that a
 * browser's files on disk reveal nothing. Without crypto (over plain HTTP, where answers travel unencrypted too) they
 * are stored as they are.
 */
import { DAY } from "../../../schema/core/time.ts";
import { callApi, CallError, type CallOptions } from "../../shared/api.ts";
import type { StoredAnswers } from "./enquiryState.ts";

export interface EncryptedAnswers {
  /** Answers of the last day; null if there are none, or the key can't be fetched. */
  read(): Promise<StoredAnswers | null>;
  /** If the browser refuses to store them, answers don't survive the page. */
  store(answers: StoredAnswers): Promise<void>;
  drop(): void;
}

/** In milliseconds; as long as the site returns the key. */
const LIFETIME_MS = DAY;

interface StoredRecord {
  readonly savedAt: number;
  /** Identifies the key to the site; without it, `text` isn't encrypted. */
  readonly started?: string;
  readonly text: string;
}

/** The site's signed start time, and its key. */
interface FillingKey {
  readonly started: string;
  readonly key: string;
}

/** Of this page; reused by a form that is opened again. */
let currentFilling: Promise<FillingKey> | undefined;
let fillingStartedAt = 0;

/** One about to expire would take new answers with it. */
function getFilling(): Promise<FillingKey> {
  if (currentFilling && Date.now() - fillingStartedAt < LIFETIME_MS / 2) return currentFilling;
  fillingStartedAt = Date.now();
  const request = requestFilling({});
  request.catch(() => (currentFilling = undefined));
  return (currentFilling = request);
}

/**
 * The site's proof of when an enquiry was begun; one per page, until stored answers are deleted after sending.
 * Rejects if it can't be fetched.
 */
export const beginEnquiry = async (): Promise<string> => (await getFilling()).started;

async function encryptAnswers(text: string): Promise<Partial<StoredRecord> & { text: string }> {
  if (!isCipherAvailable()) return { text };
  const { started, key } = await getFilling();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { ...CIPHER, iv },
    await usable(key),
    new TextEncoder().encode(text),
  );
  return { started, text: `${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}` };
}

/** Stored under this name. */
export function createEncryptedAnswers(name: string): EncryptedAnswers {
  /** The latest call wins, whichever is encrypted first. */
  let last = 0;

  function drop(): void {
    last++;
    currentFilling = undefined;
    try {
      sessionStorage.removeItem(name);
    } catch {
      // Without storage there was nothing.
    }
  }

  return {
    drop,
    async read() {
      try {
        const stored = JSON.parse(sessionStorage.getItem(name) ?? "null") as StoredRecord | null;
        if (stored === null) return null;
        if (Date.now() - stored.savedAt < LIFETIME_MS)
          return parseAnswers(await decryptText(stored));
      } catch (error) {
        if (isUnreachable(error)) return null;
      }
      drop();
      return null;
    },
    async store(answers) {
      const mine = ++last;
      try {
        const stored = { ...(await encryptAnswers(JSON.stringify(answers))), savedAt: Date.now() };
        if (mine === last) sessionStorage.setItem(name, JSON.stringify(stored));
      } catch {
        if (mine === last) drop();
      }
    },
  };
}

/** If the site is unreachable, the next reload can get the key. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof CallError) return error.status !== 404;
  return error instanceof TypeError || (error as Error).name === "TimeoutError";
}

async function decryptText({ started, text }: StoredRecord): Promise<string> {
  if (started === undefined) return text;
  const { key } = await requestFilling({ method: "POST", body: { started } });
  const [iv = "", sealed = ""] = text.split(".");
  const bytes = await crypto.subtle.decrypt(
    { ...CIPHER, iv: fromBase64(iv) },
    await usable(key),
    fromBase64(sealed),
  );
  return new TextDecoder().decode(bytes);
}

const isCipherAvailable = () => Boolean(globalThis.crypto?.subtle);

const CIPHER = { name: "AES-GCM" };

/** The timeout of an optional request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 8000;

const requestFilling = (options: CallOptions): Promise<FillingKey> =>
  callApi("/api/filling-time", { ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });

const usable = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", fromBase64(key), CIPHER, false, ["encrypt", "decrypt"]);

function parseAnswers(text: string): StoredAnswers | null {
  const stored = JSON.parse(text) as Partial<StoredAnswers>;
  const isWhole =
    Number.isInteger(stored.step) &&
    typeof stored.answers === "object" &&
    typeof stored.dialCountries === "object";
  return isWhole ? (stored as StoredAnswers) : null;
}

const toBase64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
