/**
 * Pictures in a bucket, for sites on several machines. Each machine downloads a requested file once, whole, and then
 * serves it from its own disk; visitors never access the bucket.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotStore, isRefusal } from "../../shared/errors.ts";
import { forEachConcurrently } from "../../shared/forEachConcurrently.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { type Bucket, type BucketKeys, openBucket } from "./bucket.ts";
import { ensureFolder } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import { isArchivableName, LARGEST_FILE } from "../archive/entries.ts";
import { leftoverCopies, removeCopies } from "../files/folderContents.ts";
import { bucketContents, leftoverBucketCopies, removeBucketCopies } from "./bucketContents.ts";
import { FileCache } from "./fileCache.ts";
import type { LocalFile, PictureStorage } from "./pictureStorage.ts";
import { errorCode, errorMessage } from "../../shared/errorDetails.ts";

interface BucketStorageOptions extends BucketKeys {
  /** On this machine, for copies and for staged files. */
  readonly folder: string;
  /** The maximum size of the copies, in bytes. */
  readonly cache: number;
  /** In milliseconds; default: as long as a visitor waits. */
  readonly patience?: number;
}

const STALL_TIMEOUT_MS = 8000;

export function bucketStorage(location: S3Location, options: BucketStorageOptions): PictureStorage {
  const { folder, cache: most, patience = STALL_TIMEOUT_MS } = options;
  const bucket = openBucket(location, options, {
    label: "The picture bucket",
    setting: "UPLOADS_S3",
    patience,
  });
  const key = (name: string) => location.prefix + name;
  const read = (name: string, end?: number) => bucket.read(key(name), end);
  const cache = new FileCache(join(folder, CACHE), most);
  const put = async (name: string, bytes: Uint8Array) => {
    await bucket.write(key(name), bytes, typeOf(name));
    await cache.drop((cached) => cached === name);
  };
  const remove = async (name: string) => {
    await bucket.remove(key(name));
    await cache.drop((cached) => cached === name);
  };
  const list = () => bucket.list(location.prefix, true);
  const local = cachingFetcher(cache, read);
  return {
    // With the folder: another folder is another place.
    label: `The picture bucket ${location.prefix}${location.prefix && " in "}${bucket.at}`,
    setting: "UPLOADS_S3",
    folder,
    prepare: () => ensureFolder(disk, folder),
    names: async () => (await list()).map(({ name }) => name),
    files: list,
    read,
    localFile: local,
    // A machine's copies of removed pictures go too.
    limitCacheTo: (isWanted) => void cache.drop((name) => !isWanted(name)).catch(() => {}),
    add: (files) => forEachConcurrently(files, ({ path, bytes }) => put(path, bytes)),
    put,
    async rename(from, to) {
      const bytes = await read(from);
      if (!bytes) return;
      await put(to, bytes);
      await remove(from);
    },
    async remove(names) {
      for (const name of names) await remove(name);
    },
    health: nowAndThen(trial(bucket, location.prefix)),
    examine: () => examineBucket(bucket, location.prefix),
    otherFiles: (isPassedOver, leftOut) => otherFiles({ list, read }, isPassedOver, leftOut),
    contents: () => bucketContents(bucket, location.prefix),
    copies: async () => [
      ...(await leftoverBucketCopies(bucket, location.prefix)),
      ...(await leftoverCopies(folder)).filter(({ by }) => by === "an interrupted restore"),
    ],
    async removeCopies(copies) {
      await removeBucketCopies(bucket, location.prefix, copies);
      await removeCopies(
        folder,
        copies.filter(({ by }) => by === "an interrupted restore"),
      );
    },
  };
}

async function examineBucket(bucket: Bucket, prefix: string) {
  try {
    await trial(bucket, prefix)();
    return { ok: true, message: `${bucket.at} can store and return pictures` };
  } catch (error) {
    return { ok: false, message: errorMessage(error) };
  }
}

interface ListedBucket {
  list(): ReturnType<Bucket["list"]>;
  read(name: string): Promise<Uint8Array | undefined>;
}

async function* otherFiles(
  { list, read }: ListedBucket,
  ...[isPassedOver, leftOut]: Parameters<PictureStorage["otherFiles"]>
): ReturnType<PictureStorage["otherFiles"]> {
  for (const { name, size } of (await list()).toSorted(byName)) {
    if (isPassedOver(name) || name.startsWith(".")) continue;
    if (!isArchivableName(name)) leftOut(name, "it isn't one of Limelight's files");
    else if (size > LARGEST_FILE) leftOut(name, "it is larger than 64 MB");
    else {
      const bytes = await read(name);
      if (bytes) yield { path: name, bytes };
    }
  }
}

/** Hidden, so that no archive includes it if the folder has the pictures again. */
const CACHE = ".fetched";

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name < other.name ? -1 : 1;

const typeOf = (name: string) => {
  const ending = /\.(jpg|png|webp|gif)$/.exec(name)?.[1];
  return ending && `image/${ending === "jpg" ? "jpeg" : ending}`;
};

/** Downloads each once, however many ask. */
function cachingFetcher(
  cache: FileCache,
  read: PictureStorage["read"],
): (name: string) => Promise<LocalFile | undefined> {
  const pending = new Map<string, Promise<LocalFile | undefined>>();
  const fetchOne = async (name: string) => {
    const bytes = await read(name);
    return bytes && (await cache.put(name, bytes).catch(throwNotStored));
  };
  return async (name) => {
    const cached = await cache.get(name);
    if (cached) return cached;
    const fetching = pending.get(name) ?? fetchOne(name).finally(() => void pending.delete(name));
    pending.set(name, fetching);
    return fetching;
  };
}

function throwNotStored(error: unknown): never {
  throw cannotStore(
    `The image couldn't be cached on this server (${errorCode(error) ?? "unknown reason"}). Check that the disk of UPLOADS_DIR has free space.`,
    error,
  );
}

/** Writes a small object, reads it back and removes it, like storing a picture. */
function trial(bucket: Bucket, prefix: string): () => Promise<void> {
  return async () => {
    // Named like unfinished files, so that one left by a kill is removed with them.
    const key = `${prefix}.health.${randomUUID()}.tmp`;
    const bytes = new TextEncoder().encode(key);
    try {
      await bucket.write(key, bytes);
      const back = await bucket.read(key);
      if (!back || !Buffer.from(back).equals(bytes))
        throw cannotStore(
          `The picture bucket (${bucket.at}) returned different data than was stored.`,
        );
    } catch (error) {
      if (!isRefusal(error, "cannot_store")) throw error;
      throw cannotStore(`${error.message} ${UNREACHED}`, error);
    } finally {
      await bucket.remove(key).catch(() => {});
    }
  };
}

/** Stores charge for requests, and load balancers ask every second: success is trusted for a while. */
const HEALTH_CACHE_MS = 30_000;

function nowAndThen(work: () => Promise<void>): () => Promise<void> {
  let trustedUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < trustedUntil) return;
    await work();
    trustedUntil = performance.now() + HEALTH_CACHE_MS;
  };
}

const UNREACHED = "Images can't be added, and only those cached on this server can be shown.";
