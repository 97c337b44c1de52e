/** The backups in a bucket. Each upload is downloaded again and compared before it counts as a backup. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../shared/config.ts";
import { cannotStore } from "../../shared/errors.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { type Bucket, openBucket } from "../../storage/pictures/bucket.ts";
import { encryptFile } from "../encryption.ts";
import {
  createArchiveName,
  selectArchivesOfSite,
  toUnwritableFolderRefusal,
} from "./backupFolder.ts";

export type RemoteStorage = NonNullable<ReturnType<typeof openRemoteStorage>>;

/** The size of an upload's parts. Two parts are in memory at once; buckets accept up to 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
/** A bucket that sends nothing for this long counts as unreachable. */
const STALL_TIMEOUT_MS = 120_000;
const READ_ONLY = { isReading: true };

/** Opens the bucket for backups; returns undefined without BACKUP_S3. The returned functions throw `cannot_store`. */
export function openRemoteStorage(config: Config, shortSiteId: string) {
  const { backupS3: location, backupKey: recipients } = config;
  if (!location || !recipients) return undefined;
  const bucket = openBackupBucket(location, config);
  const createObjectKey = (id: string) =>
    `${location.prefix}${createArchiveName(shortSiteId, id)}.age`;
  return {
    /** Returns the sizes of this site's archives in bytes, by backup id. */
    list: async () => selectArchivesOfSite(await readRemoteArchiveSizes(config), shortSiteId),
    /** Encrypts and uploads an archive, and verifies the upload. Returns the encrypted size in bytes. */
    upload: async (id: string, file: string) => {
      const objectKey = createObjectKey(id);
      const uploaded = await uploadArchive(bucket, objectKey, await encryptFile(file, recipients));
      await verifyUpload(bucket, objectKey, uploaded);
      return uploaded.size;
    },
    remove: (id: string) => bucket.remove(createObjectKey(id)),
  };
}

const openBackupBucket = (location: S3Location, config: Config) =>
  openBucket(location, config, {
    label: "The backup bucket",
    setting: "BACKUP_S3",
    stallTimeoutMs: STALL_TIMEOUT_MS,
  });

/** Returns the sizes of all sites' archives in bytes, by file name. Throws `cannot_store` if the bucket fails. */
export async function readRemoteArchiveSizes(config: Config): Promise<Map<string, number>> {
  const { backupS3: location } = config;
  const all = location ? await openBackupBucket(location, config).list(location.prefix) : [];
  return new Map(
    all.flatMap(({ name, size }) => (name.endsWith(".age") ? [[name, size] as const] : [])),
  );
}

/** Downloads an archive to a new file. Throws `cannot_store` unless the file is complete. */
export async function downloadArchive(config: Config, name: string, file: string): Promise<void> {
  const location = assertDefined(config.backupS3, "BACKUP_S3");
  const bucket = openBackupBucket(location, config);
  await bucket.withClient(async (s3) => {
    const refuse = (error: unknown): never => {
      throw toUnwritableFolderRefusal(dirname(file), error);
    };
    const object = s3.file(location.prefix + name);
    const { size } = await bucket.withStallTimeout(object.stat());
    const handle = await open(file, "wx", 0o600).catch(refuse);
    try {
      let downloadedBytes = 0;
      for await (const bytes of readObject(object, bucket)) {
        downloadedBytes += bytes.length;
        await handle.appendFile(bytes).catch(refuse);
      }
      if (downloadedBytes !== size)
        throw cannotStore(
          `${name} couldn't be downloaded completely from ${bucket.location}. Try again.`,
        );
    } finally {
      await handle.close();
    }
  }, READ_ONLY);
}

/** Yields an object's bytes in chunks. Throws if the bucket sends nothing for `STALL_TIMEOUT_MS`. */
async function* readObject(object: Bun.S3File, bucket: Bucket): AsyncGenerator<Uint8Array> {
  const reader = object.stream().getReader();
  for (;;) {
    const { done, value } = await bucket.withStallTimeout(reader.read());
    if (done) return;
    yield value;
  }
}

function uploadArchive(bucket: Bucket, objectKey: string, encrypted: ReadableStream<Uint8Array>) {
  return bucket.withClient(async (s3) => {
    const type = "application/octet-stream";
    const writer = s3
      .file(objectKey)
      .writer({ partSize: PART_BYTES, queueSize: 2, retry: 3, type });
    const hash = createHash("sha256");
    let size = 0;
    for await (const bytes of encrypted) {
      hash.update(bytes);
      size += bytes.length;
      writer.write(bytes);
      await bucket.withStallTimeout(writer.flush());
    }
    // Completes the upload. Without this call, the bucket has no object.
    await bucket.withStallTimeout(writer.end());
    return { size, sha256: hash.digest("hex") };
  });
}

/** Downloads the uploaded object again. If it differs from what was uploaded, removes it and throws `cannot_store`. */
async function verifyUpload(
  bucket: Bucket,
  objectKey: string,
  digest: Awaited<ReturnType<typeof uploadArchive>>,
): Promise<void> {
  const isSame = await bucket.withClient(async (s3) => {
    const hash = createHash("sha256");
    const { size } = await bucket.withStallTimeout(s3.stat(objectKey));
    for await (const bytes of readObject(s3.file(objectKey), bucket)) hash.update(bytes);
    return size === digest.size && hash.digest("hex") === digest.sha256;
  }, READ_ONLY);
  if (isSame) return;
  await bucket.remove(objectKey).catch(() => {});
  throw cannotStore(
    "The backup in the bucket differs from what was uploaded. It will be uploaded again.",
  );
}
