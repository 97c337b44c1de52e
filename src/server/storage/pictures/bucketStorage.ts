/** Stores pictures in a bucket for several machines, which cache them. Visitors never access the bucket. */
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cannotStore, isRefusal } from "../../shared/errors.ts";
import { forEachConcurrently } from "../../shared/concurrency.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { type Bucket, type S3Credentials, openBucket } from "./bucket.ts";
import { ensureFolder, ignoreMissing } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import { isArchivableName, MAX_FILE_BYTES } from "../archiveEntries.ts";
import { findLeftoverCopies, removeCopies } from "../files/folderContents.ts";
import type { ReplaceableContents, LeftoverCopy } from "../engine.ts";
import { FileCache } from "./fileCache.ts";
import type { LocalFile, PictureStorage } from "./pictureStorage.ts";
import { getErrorCode, getErrorMessage } from "../../shared/errorDetails.ts";

interface BucketStorageOptions extends S3Credentials {
  /** A folder on this machine for cached and staged files. */
  readonly folder: string;
  /** The maximum size of all cached files together, in bytes. */
  readonly maxCacheBytes: number;
  /** Default: eight seconds, about as long as a visitor waits for a picture. */
  readonly stallTimeoutMs?: number;
}

const STALL_TIMEOUT_MS = 8000;

export function createBucketStorage(
  location: S3Location,
  options: BucketStorageOptions,
): PictureStorage {
  const { folder, maxCacheBytes, stallTimeoutMs = STALL_TIMEOUT_MS } = options;
  const bucketOptions = { label: "The picture bucket", setting: "UPLOADS_S3" } as const;
  const bucket = openBucket(location, options, { ...bucketOptions, stallTimeoutMs });
  const getKey = (name: string) => location.prefix + name;
  const read = (name: string, end?: number) => bucket.read(getKey(name), end);
  const cache = new FileCache(join(folder, CACHE_FOLDER), maxCacheBytes);
  const put = async (name: string, bytes: Uint8Array) => {
    await bucket.write(getKey(name), bytes, getMediaType(name));
    await cache.removeWhere((cached) => cached === name);
  };
  const remove = async (name: string) => {
    await bucket.remove(getKey(name));
    await cache.removeWhere((cached) => cached === name);
  };
  const rename = async (from: string, to: string) => {
    const bytes = await read(from);
    if (!bytes) return;
    await put(to, bytes);
    await remove(from);
  };
  const list = () => bucket.list(location.prefix, true);
  return {
    // The label includes the prefix, because one bucket may have the pictures of several sites.
    label: `The picture bucket ${location.prefix}${location.prefix && " in "}${bucket.location}`,
    setting: "UPLOADS_S3",
    folder,
    prepare: () => ensureFolder(disk, folder),
    listNames: async () => (await list()).map(({ name }) => name),
    listFiles: list,
    read,
    fetchLocalFile: createCachingFetcher(cache, read),
    pruneCache: (isWanted) => void cache.removeWhere((name) => !isWanted(name)).catch(() => {}),
    add: (files) => forEachConcurrently(files, ({ path, bytes }) => put(path, bytes)),
    put,
    rename,
    async remove(names) {
      for (const name of names) await remove(name);
    },
    checkHealth: cacheSuccess(() => probeStorage(bucket, location.prefix)),
    examine: () => examineBucket(bucket, location.prefix),
    readArchivableFiles: (isExcluded, reportExcluded) =>
      readArchivableFiles({ listFiles: list, read }, isExcluded, reportExcluded),
    createReplaceableContents: () => createBucketContents({ list, put, rename }),
    findLeftoverCopies: async () => [
      ...(await findLeftoverBucketCopies(bucket, location.prefix)),
      ...(await findLeftoverCopies(folder)).filter(isOfInterruptedRestore),
    ],
    async removeCopies(copies) {
      await removeBucketCopies(bucket, location.prefix, copies);
      await removeCopies(folder, copies.filter(isOfInterruptedRestore));
    },
  };
}

const isOfInterruptedRestore = ({ origin }: { readonly origin: string }) =>
  origin === "an interrupted restore";

const examineBucket = (bucket: Bucket, prefix: string) =>
  probeStorage(bucket, prefix).then(
    () => ({ ok: true, message: `${bucket.location} can store and return pictures` }),
    (error: unknown) => ({ ok: false, message: getErrorMessage(error) }),
  );

async function* readArchivableFiles(
  { listFiles, read }: Pick<PictureStorage, "listFiles" | "read">,
  ...[isExcluded, reportExcluded]: Parameters<PictureStorage["readArchivableFiles"]>
): ReturnType<PictureStorage["readArchivableFiles"]> {
  for (const { name, size } of (await listFiles()).toSorted(compareNames)) {
    if (isExcluded(name) || name.startsWith(".")) continue;
    if (!isArchivableName(name)) reportExcluded(name, "it isn't one of Limelight's files");
    else if (size > MAX_FILE_BYTES) reportExcluded(name, "it is larger than 64 MB");
    else {
      const bytes = await read(name);
      if (bytes) yield { path: name, bytes };
    }
  }
}

/** The name begins with a dot, so that no archive of this folder includes the cache. */
const CACHE_FOLDER = ".fetched";

const compareNames = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name < other.name ? -1 : 1;

const getMediaType = (name: string) => {
  const extension = /\.(jpg|png|webp|gif)$/.exec(name)?.[1];
  return extension && `image/${extension === "jpg" ? "jpeg" : extension}`;
};

/** Returns a function that downloads a file only once, even if it is requested several times at once. */
function createCachingFetcher(
  cache: FileCache,
  read: PictureStorage["read"],
): (name: string) => Promise<LocalFile | undefined> {
  const pendingFetches = new Map<string, Promise<LocalFile | undefined>>();
  const download = async (name: string) => {
    const bytes = await read(name);
    return bytes && (await cache.put(name, bytes).catch(throwNotCached));
  };
  return async (name) => {
    const cached = await cache.get(name);
    if (cached) return cached;
    const pendingFetch =
      pendingFetches.get(name) ?? download(name).finally(() => void pendingFetches.delete(name));
    pendingFetches.set(name, pendingFetch);
    return pendingFetch;
  };
}

function throwNotCached(error: unknown): never {
  throw cannotStore(
    `The image couldn't be cached on this server (${getErrorCode(error) ?? "unknown reason"}). Check that the disk of UPLOADS_DIR has free space.`,
    error,
  );
}

/** Writes, reads and removes a small object, to test whether pictures can be stored. Throws `cannot_store`. */
async function probeStorage(bucket: Bucket, prefix: string): Promise<void> {
  // The name ends like a temporary file's, so that the object is removed later if the process is killed.
  const key = `${prefix}.health.${randomUUID()}.tmp`;
  const bytes = new TextEncoder().encode(key);
  try {
    await bucket.write(key, bytes);
    const storedBytes = await bucket.read(key);
    if (!storedBytes || !Buffer.from(storedBytes).equals(bytes))
      throw cannotStore(
        `The picture bucket (${bucket.location}) returned different data than was stored.`,
      );
  } catch (error) {
    if (!isRefusal(error, "cannot_store")) throw error;
    throw cannotStore(`${error.message} ${BUCKET_UNREACHABLE_MESSAGE}`, error);
  } finally {
    await bucket.remove(key).catch(() => {});
  }
}

/** A successful check is valid for this long: load balancers check every second, and stores charge for requests. */
const HEALTH_CACHE_MS = 30_000;

function cacheSuccess(work: () => Promise<void>): () => Promise<void> {
  let validUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < validUntil) return;
    await work();
    validUntil = performance.now() + HEALTH_CACHE_MS;
  };
}

const BUCKET_UNREACHABLE_MESSAGE =
  "Images can't be added, and only those cached on this server can be shown.";

/**
 * Returns the steps that replace a bucket's pictures. A name always belongs to the same picture, so pictures that are
 * also in the archive stay in place. All others are renamed to `{note.before}/{name}`.
 */
function createBucketContents({
  list,
  put,
  rename,
}: { readonly list: () => ReturnType<Bucket["list"]> } & Pick<
  PictureStorage,
  "put" | "rename"
>): ReplaceableContents {
  return {
    // Does nothing, since only `moveIn` knows which pictures to move away.
    async moveOut() {},
    async moveIn(folder, { before }) {
      // Only a missing folder is ignored. If other errors were ignored, the staged pictures would be lost.
      const names = (await ignoreMissing(readdir(folder))) ?? [];
      const archivedNames = new Set(names);
      const storedPictures = (await list()).filter(({ name }) => !name.startsWith("."));
      const etags = new Map(storedPictures.map(({ name, etag }) => [name, etag]));
      await forEachConcurrently(
        storedPictures.filter(({ name }) => !archivedNames.has(name)),
        ({ name }) => rename(name, `${before}/${name}`),
      );
      await forEachConcurrently(names, async (name) => {
        const bytes = await readFile(join(folder, name));
        if (etags.get(name) === createHash("md5").update(bytes).digest("hex")) return;
        await put(name, bytes);
      });
    },
  };
}

const MOVED_ASIDE_PREFIX = ".before-restore-";

/** Returns the pictures moved away by restores, as one entry for each restore. */
async function findLeftoverBucketCopies(bucket: Bucket, prefix: string): Promise<LeftoverCopy[]> {
  const sizes = new Map<string, number>();
  for (const { name, size } of await bucket.list(prefix + MOVED_ASIDE_PREFIX)) {
    const path = MOVED_ASIDE_PREFIX + name.replace(/\/.*$/s, "");
    sizes.set(path, (sizes.get(path) ?? 0) + size);
  }
  return [...sizes].map(([path, size]) => ({ path, size, origin: "a restore" as const }));
}

/** Removes the pictures moved away by restores. Other paths in `copies` are ignored. */
async function removeBucketCopies(
  bucket: Bucket,
  prefix: string,
  copies: readonly LeftoverCopy[],
): Promise<void> {
  for (const { path } of copies.filter((copy) => copy.path.startsWith(MOVED_ASIDE_PREFIX))) {
    const objects = await bucket.list(`${prefix}${path}/`);
    await forEachConcurrently(objects, ({ name }) => bucket.remove(`${prefix}${path}/${name}`));
  }
}
