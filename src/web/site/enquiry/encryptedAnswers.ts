/**
 * Answers in session storage, encrypted with a key that the site provides for a day. After that, the browser's files
 * reveal nothing. Over plain HTTP, browsers offer no encryption, and the answers are stored and sent unencrypted.
 */
import { DAY } from "../../../schema/core/time.ts";
import { callApi, CallError, type CallOptions } from "../../shared/api.ts";
import type { StoredAnswers } from "./enquiryState.ts";

export interface EncryptedAnswers {
  /** Returns the answers of the last day; null if there are none, or if the key can't be fetched. */
  read(): Promise<StoredAnswers | null>;
  /** Stores the answers. If they can't be encrypted or stored, removes the stored ones. */
  store(answers: StoredAnswers): Promise<void>;
  remove(): void;
}

/** The time for which the site provides the key, in milliseconds. */
const KEY_LIFETIME_MS = DAY;

interface StoredRecord {
  readonly savedAt: number;
  /** The signed start time, from which the site derives the key; undefined if `text` isn't encrypted. */
  readonly started?: string;
  readonly text: string;
}

/** The start time of an enquiry, signed by the site as a proof, and the key that belongs to it. */
interface AnswerKey {
  readonly started: string;
  readonly key: string;
}

/** The proof and the key of this page. A form that is mounted again reuses them. */
let currentAnswerKey: Promise<AnswerKey> | undefined;
let answerKeyRequestedAt = 0;

/** Returns the page's key, renewed after half a day, since answers become unreadable when their key expires. */
function getAnswerKey(): Promise<AnswerKey> {
  if (currentAnswerKey && Date.now() - answerKeyRequestedAt < KEY_LIFETIME_MS / 2)
    return currentAnswerKey;
  answerKeyRequestedAt = Date.now();
  const request = requestAnswerKey({});
  request.catch(() => (currentAnswerKey = undefined));
  return (currentAnswerKey = request);
}

/** Returns the site's proof of when an enquiry was begun. Rejects if the proof can't be fetched. */
export const getStartProof = async (): Promise<string> => (await getAnswerKey()).started;

async function encryptAnswers(text: string): Promise<Partial<StoredRecord> & { text: string }> {
  if (!isCipherAvailable()) return { text };
  const { started, key } = await getAnswerKey();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const ciphertext = await crypto.subtle.encrypt(
    { ...CIPHER, iv },
    await importKey(key),
    new TextEncoder().encode(text),
  );
  return { started, text: `${toBase64(iv)}.${toBase64(new Uint8Array(ciphertext))}` };
}

export function createEncryptedAnswers(storageKey: string): EncryptedAnswers {
  /** The number of the latest call. Only the latest call stores answers, even if an earlier call ends later. */
  let latestCallNumber = 0;

  function remove(): void {
    latestCallNumber++;
    currentAnswerKey = undefined;
    try {
      sessionStorage.removeItem(storageKey);
    } catch {
      // Without storage there is nothing to delete.
    }
  }

  return {
    remove,
    async read() {
      try {
        const stored = JSON.parse(
          sessionStorage.getItem(storageKey) ?? "null",
        ) as StoredRecord | null;
        if (stored === null) return null;
        if (Date.now() - stored.savedAt < KEY_LIFETIME_MS)
          return parseAnswers(await decryptText(stored));
      } catch (error) {
        if (isUnreachable(error)) return null;
      }
      remove();
      return null;
    },
    async store(answers) {
      const callNumber = ++latestCallNumber;
      try {
        const stored = { ...(await encryptAnswers(JSON.stringify(answers))), savedAt: Date.now() };
        if (callNumber === latestCallNumber)
          sessionStorage.setItem(storageKey, JSON.stringify(stored));
      } catch {
        if (callNumber === latestCallNumber) remove();
      }
    },
  };
}

/** Whether the site couldn't be reached, so that a later reload may still get the key of the stored answers. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof CallError) return error.status !== 404;
  return error instanceof TypeError || (error as Error).name === "TimeoutError";
}

async function decryptText({ started, text }: StoredRecord): Promise<string> {
  if (started === undefined) return text;
  const { key } = await requestAnswerKey({ method: "POST", body: { started } });
  const [iv = "", ciphertext = ""] = text.split(".");
  const bytes = await crypto.subtle.decrypt(
    { ...CIPHER, iv: fromBase64(iv) },
    await importKey(key),
    fromBase64(ciphertext),
  );
  return new TextDecoder().decode(bytes);
}

const isCipherAvailable = () => Boolean(globalThis.crypto?.subtle);

const CIPHER = { name: "AES-GCM" };

/** The timeout of a request for a key, in milliseconds. */
const REQUEST_TIMEOUT_MS = 8000;

const requestAnswerKey = (options: CallOptions): Promise<AnswerKey> =>
  callApi("/api/filling-time", { ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });

const importKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", fromBase64(key), CIPHER, false, ["encrypt", "decrypt"]);

function parseAnswers(text: string): StoredAnswers | null {
  const stored = JSON.parse(text) as Partial<StoredAnswers>;
  const isComplete =
    Number.isInteger(stored.step) &&
    typeof stored.answers === "object" &&
    typeof stored.dialCountries === "object";
  return isComplete ? (stored as StoredAnswers) : null;
}

const toBase64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
