/**
 * The place away from this machine: a bucket of an S3-compatible store. An upload is there whole or not at
 * all, since the store shows an object only once it is complete, and it counts once it was read back.
 */
import { createHash } from "node:crypto";
import type { Config } from "../../shared/config.ts";
import { cannotStore, Refusal } from "../../shared/errors.ts";
import { codeOf } from "../../storage/disk.ts";
import { encryptedFile, encryptedSize } from "../encryption.ts";
import { beginningOf, idIn, nameOf } from "./backupFolder.ts";

/** What is away: sizes in bytes, by the backups' ids. */
export interface AwayPlace {
  list(): Promise<Map<string, number>>;
  /** Sends an archive, encrypted, and reads it back. Returns its size there. */
  send(id: string, file: string): Promise<number>;
  remove(id: string): Promise<void>;
}

/** A part of an upload, in bytes; a store takes at most 10,000 of them. Two are in memory at once. */
const PART = 8 * 1024 * 1024;
/** A store that takes or gives nothing for so long is taken for gone, in milliseconds. */
const PATIENCE = 120_000;

/** Undefined where no such place is set. Its calls throw `cannot_store`, whose message says what to do. */
export function awayPlace(config: Config, site: string): AwayPlace | undefined {
  const { backupS3: place, backupKey: recipients } = config;
  if (!place || !recipients) return undefined;
  const { bucket, prefix, endpoint, region } = place;
  const s3 = new Bun.S3Client({
    bucket,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    accessKeyId: config.s3AccessKeyId!,
    secretAccessKey: config.s3SecretAccessKey!,
    retry: 3,
  });
  const keyOf = (id: string) => `${prefix}${nameOf(site, id)}.age`;
  const told = <T>(work: () => Promise<T>) => inWords(work, bucket, endpoint);
  return {
    list: () => told(() => listed(s3, prefix, site)),
    send: (id, file) =>
      told(async () => {
        const expected = await encryptedSize(Bun.file(file).size, recipients);
        const sent = await upload(s3, keyOf(id), await encryptedFile(file, recipients), expected);
        await requireSame(s3, keyOf(id), sent);
        return expected;
      }),
    remove: (id) => told(() => s3.delete(keyOf(id))),
  };
}

async function listed(
  s3: Bun.S3Client,
  prefix: string,
  site: string,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  let after: string | undefined;
  do {
    const page = await withPatience(
      s3.list({
        prefix: prefix + beginningOf(site),
        maxKeys: 1000,
        ...(after && { continuationToken: after }),
      }),
    );
    for (const { key, size } of page.contents ?? []) {
      const name = key.slice(prefix.length);
      const id = name.endsWith(".age") ? idIn(name, site) : undefined;
      if (id) sizes.set(id, size ?? 0);
    }
    after = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (after);
  return sizes;
}

/** Returns the SHA-256 of what was sent. */
async function upload(
  s3: Bun.S3Client,
  key: string,
  encrypted: ReadableStream<Uint8Array>,
  expected: number,
): Promise<string> {
  const type = "application/octet-stream";
  const writer = s3.file(key).writer({ partSize: PART, queueSize: 2, retry: 3, type });
  const hash = createHash("sha256");
  let size = 0;
  for await (const bytes of encrypted) {
    hash.update(bytes);
    size += bytes.length;
    writer.write(bytes);
    await withPatience(writer.flush());
  }
  // `end` completes the upload, whatever came before: a stream that broke off must never get here.
  if (size !== expected) throw new Error("The archive was not read to its end.");
  await withPatience(writer.end());
  return hash.digest("hex");
}

/** Reads an object back; removes it, and throws, when it isn't what was sent. */
async function requireSame(s3: Bun.S3Client, key: string, sent: string): Promise<void> {
  const hash = createHash("sha256");
  const { size } = await withPatience(s3.stat(key));
  const reader = s3.file(key).stream().getReader();
  let read = 0;
  for (;;) {
    const { done, value } = await withPatience(reader.read());
    if (done) break;
    hash.update(value);
    read += value.length;
  }
  if (read === size && hash.digest("hex") === sent) return;
  await s3.delete(key).catch(() => {});
  throw cannotStore(
    "The backup came back from the place away from this machine other than it was sent, and was removed there.",
  );
}

class TooSlow extends Error {
  readonly code = "TooSlow";
}

function withPatience<T>(work: Promise<T> | T): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooSlow()), PATIENCE);
  return Promise.race([Promise.resolve(work), promise]).finally(() => clearTimeout(timer));
}

const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket. Check BACKUP_S3",
  SignatureDoesNotMatch: "it refuses the key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  InvalidAccessKeyId: "it refuses the key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  AccessDenied: "the key may not do this there. It has to list, read, write and delete",
  ConnectionRefused: "it doesn't answer",
  TooSlow: "it doesn't answer",
};

async function inWords<T>(
  work: () => Promise<T>,
  bucket: string,
  endpoint: string | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const code = codeOf(error) ?? (error as Error).name;
    const host = endpoint ? new URL(endpoint).host : "Amazon S3";
    throw cannotStore(
      `The place away from this machine (${bucket} at ${host}) failed: ${REASONS[code] ?? code}.`,
      error,
    );
  }
}
