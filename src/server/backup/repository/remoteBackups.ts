/** Remote backups: in a bucket. An upload counts once it was read back. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../shared/config.ts";
import { cannotStore } from "../../shared/errors.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { type Bucket, openBucket } from "../../storage/pictures/bucket.ts";
import { encryptFile } from "../encryption.ts";
import { archiveName, archivesOfSite, folderRefusal } from "./backupFolder.ts";

/** Remote backups: sizes in bytes, by id. */
export interface RemoteStorage {
  list(): Promise<Map<string, number>>;
  /** Sends an encrypted archive, and reads it back. Returns its size there. */
  send(id: string, file: string): Promise<number>;
  remove(id: string): Promise<void>;
}

/** Bytes per part of an upload; stores accept up to 10,000 parts. Two are in memory at once. */
const PART_BYTES = 8 * 1024 * 1024;
/** A store without any data for this long is considered down, in milliseconds. */
const STALL_TIMEOUT_MS = 120_000;

/** Undefined without a bucket. Calls throw `cannot_store`, whose message is what to do. */
export function openRemoteStorage(config: Config, site: string): RemoteStorage | undefined {
  const { backupS3: location, backupKey: recipients } = config;
  if (!location || !recipients) return undefined;
  const bucket = openBackupBucket(location, config);
  const keyOf = (id: string) => `${location.prefix}${archiveName(site, id)}.age`;
  return {
    list: async () => archivesOfSite(await listRemoteArchives(config), site),
    send: async (id, file) => {
      const key = keyOf(id);
      const sent = await uploadArchive(bucket, key, await encryptFile(file, recipients));
      await verifyUpload(bucket, key, sent);
      return sent.size;
    },
    remove: (id) => bucket.remove(keyOf(id)),
  };
}

const openBackupBucket = (location: S3Location, config: Config) =>
  openBucket(location, config, {
    label: "The backup bucket",
    setting: "BACKUP_S3",
    stallTimeoutMs: STALL_TIMEOUT_MS,
  });

/** The remote archives of any site, like `findArchives` a folder; none without a bucket. Throws `cannot_store`. */
export async function listRemoteArchives(config: Config): Promise<Map<string, number>> {
  const { backupS3: location } = config;
  const all = location ? await openBackupBucket(location, config).list(location.prefix) : [];
  return new Map(
    all.flatMap(({ name, size }) => (name.endsWith(".age") ? [[name, size] as const] : [])),
  );
}

/** Downloads an object to a file, complete or not at all: it throws `cannot_store` then. */
export async function downloadArchive(config: Config, name: string, file: string): Promise<void> {
  const location = assertDefined(config.backupS3, "BACKUP_S3");
  const bucket = openBackupBucket(location, config);
  await bucket.useClient(async (s3) => {
    const refuse = (error: unknown): never => {
      throw folderRefusal(dirname(file), error);
    };
    const object = s3.file(location.prefix + name);
    const { size } = await bucket.withStallTimeout(object.stat());
    const handle = await open(file, "wx", 0o600).catch(refuse);
    try {
      let fetched = 0;
      for await (const bytes of readObject(object, bucket)) {
        fetched += bytes.length;
        await handle.appendFile(bytes).catch(refuse);
      }
      if (fetched !== size)
        throw cannotStore(
          `${name} couldn't be downloaded completely from ${bucket.at}. Try again.`,
        );
    } finally {
      await handle.close();
    }
  });
}

/** An object's bytes in chunks. Rejects if the store sends nothing for too long. */
async function* readObject(object: Bun.S3File, bucket: Bucket): AsyncGenerator<Uint8Array> {
  const reader = object.stream().getReader();
  for (;;) {
    const { done, value } = await bucket.withStallTimeout(reader.read());
    if (done) return;
    yield value;
  }
}

/** The bytes that were sent, or read back. */
interface TransferredBytes {
  readonly size: number;
  readonly sha256: string;
}

function uploadArchive(
  bucket: Bucket,
  key: string,
  encrypted: ReadableStream<Uint8Array>,
): Promise<TransferredBytes> {
  return bucket.useClient(async (s3) => {
    const type = "application/octet-stream";
    const writer = s3.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3, type });
    const hash = createHash("sha256");
    let size = 0;
    for await (const bytes of encrypted) {
      hash.update(bytes);
      size += bytes.length;
      writer.write(bytes);
      await bucket.withStallTimeout(writer.flush());
    }
    // It completes the upload: after an error nothing must get here.
    await bucket.withStallTimeout(writer.end());
    return { size, sha256: hash.digest("hex") };
  });
}

/** Reads an object back; removes it and throws if it differs from what was sent. */
async function verifyUpload(bucket: Bucket, key: string, sent: TransferredBytes): Promise<void> {
  const isSame = await bucket.useClient(async (s3) => {
    const hash = createHash("sha256");
    const { size } = await bucket.withStallTimeout(s3.stat(key));
    for await (const bytes of readObject(s3.file(key), bucket)) hash.update(bytes);
    return size === sent.size && hash.digest("hex") === sent.sha256;
  });
  if (isSame) return;
  await bucket.remove(key).catch(() => {});
  throw cannotStore("The uploaded backup didn't match and was deleted from the bucket.");
}
