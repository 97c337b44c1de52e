/**
 * A bucket of an S3-compatible store, by Bun's own client. An object is there whole or not at all, since the
 * store shows one only once it is complete.
 */
import { cannotStore, Refusal } from "../../shared/errors.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { bucketKey, type BucketKey, type BucketKeys, settingsOf } from "./bucketKeys.ts";
import { codeOf } from "../disk/disk.ts";

/** An object, without its content. */
interface StoredObject {
  /** Without the prefix that was asked for. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
  /** Most stores give the MD5 here, in hexadecimal digits. */
  readonly etag: string;
}

/** All of it throws `cannot_store`, whose message says what failed and what to check. */
export interface Bucket {
  /** For messages: the bucket, and the host of its store. */
  readonly at: string;
  /** What a name begins with is `prefix`; `flat` leaves out what has a slash after that. */
  list(prefix: string, flat?: boolean): Promise<StoredObject[]>;
  /** Undefined when there is none of this name; `end`: only the bytes before it. */
  read(key: string, end?: number): Promise<Uint8Array | undefined>;
  write(key: string, bytes: Uint8Array, type?: string): Promise<void>;
  /** Also when there is none of this name. */
  remove(key: string): Promise<void>;
  /** Work with the client itself, for what is too large for memory; its errors in words. */
  told<T>(work: (client: Bun.S3Client) => Promise<T>): Promise<T>;
  /** Rejects when the store takes or gives nothing for too long. */
  patiently<T>(work: Promise<T> | T): Promise<T>;
}

interface BucketOptions {
  /** How messages begin, such as "The bucket of the pictures". */
  readonly called: string;
  /** The setting to check. */
  readonly setting: string;
  /** A store that takes or gives nothing for so long is taken for gone, in milliseconds. */
  readonly patience: number;
}

export function openBucket(location: S3Location, keys: BucketKeys, options: BucketOptions): Bucket {
  const { bucket, endpoint } = location;
  const client = clientOf(location, keys);
  const at = `${bucket} at ${endpoint ? new URL(endpoint).host : "Amazon S3"}`;
  const patiently = <T>(work: Promise<T> | T) => within(options.patience, work);
  const told: Bucket["told"] = async (work) => {
    try {
      return await work(client());
    } catch (error) {
      throw error instanceof Refusal ? error : inWords(error, at, options, settingsOf(keys));
    }
  };
  return {
    at,
    told,
    patiently,
    list: (prefix, flat = false) => told((s3) => list(s3, prefix, flat, patiently)),
    read: (key, end) =>
      told(async (s3) => {
        const file = s3.file(key);
        const bytes = () => patiently((end === undefined ? file : file.slice(0, end)).bytes());
        // A line that broke off in the middle says nothing of the object: once more.
        return await bytes().catch((error: unknown) =>
          isMissing(error) ? undefined : isAnswer(error) ? Promise.reject(error) : bytes(),
        );
      }),
    write: (key, bytes, type = "application/octet-stream") =>
      told(async (s3) => void (await patiently(s3.write(key, bytes, { type })))),
    remove: (key) =>
      told(async (s3) => {
        await patiently(s3.delete(key)).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
      }),
  };
}

/** One client for as long as the key stays the same. */
function clientOf({ bucket, endpoint, region }: S3Location, keys: BucketKeys): () => Bun.S3Client {
  const current = bucketKey(keys);
  let made: { readonly key: BucketKey; readonly client: Bun.S3Client } | undefined;
  return () => {
    const key = current();
    if (made?.key !== key) {
      const where = { bucket, ...(endpoint && { endpoint }), ...(region && { region }) };
      made = { key, client: new Bun.S3Client({ ...where, ...key, retry: 3 }) };
    }
    return made.client;
  };
}

async function list(
  client: Bun.S3Client,
  prefix: string,
  flat: boolean,
  patiently: Bucket["patiently"],
): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let after: string | undefined;
  do {
    const page = await patiently(
      client.list({
        ...(prefix && { prefix }),
        ...(flat && { delimiter: "/" }),
        maxKeys: 1000,
        ...(after && { continuationToken: after }),
      }),
    );
    for (const { key, size, lastModified, eTag } of page.contents ?? [])
      found.push({
        name: key.slice(prefix.length),
        size: size ?? 0,
        changedAt: Date.parse(lastModified ?? "") || 0,
        etag: (eTag ?? "").replaceAll('"', ""),
      });
    after = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (after);
  return found;
}

class TooSlow extends Error {
  readonly code = "TooSlow";
}

function within<T>(ms: number, work: Promise<T> | T): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooSlow()), ms);
  return Promise.race([Promise.resolve(work), promise]).finally(() => clearTimeout(timer));
}

const isMissing = (error: unknown) => codeOf(error) === "NoSuchKey";

/** The store said no, or nothing at all: to ask at once again is of no use. */
const isAnswer = (error: unknown) => (codeOf(error) ?? "") in REASONS;

const KEY = "it refuses the key. Check KEYS";
const ENDED = "the key has ended. See that KEYS has a new one";
const REGION = "it is in another region. Give its name in SETTING, as region=eu-1";
const SILENT = "it doesn't answer";

/** SETTING stands for the name of the setting, KEYS for those of the key. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket. Check SETTING",
  SignatureDoesNotMatch: KEY,
  InvalidAccessKeyId: KEY,
  InvalidToken: KEY,
  AuthorizationHeaderMalformed: REGION,
  PermanentRedirect: REGION,
  ExpiredToken: ENDED,
  AccessDenied: "the key may not do this there. It has to list, read, write and delete",
  ConnectionRefused: SILENT,
  TooSlow: SILENT,
};

function inWords(
  error: unknown,
  at: string,
  { called, setting }: BucketOptions,
  keys: string,
): Refusal {
  const code = codeOf(error) ?? (error as Error).name;
  const reason = (REASONS[code] ?? code).replace("SETTING", setting).replace("KEYS", keys);
  return cannotStore(`${called} (${at}) failed: ${reason}.`, error);
}
