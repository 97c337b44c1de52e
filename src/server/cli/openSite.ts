/** Opens a site's data and pictures, for the server and for commands that need a stopped site. */
import { allEntities, entities } from "../../schema/index.ts";
import { finishRestore } from "../backup/restore.ts";
import type { Config } from "../shared/config.ts";
import { translateStoreDefaults } from "../content/translatedDefaults.ts";
import { createDataKey } from "../shared/secrets.ts";
import { cannotOpen, isRefusal, wrongUsage } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Engine } from "../storage/engine.ts";
import { Bin } from "../bin/bin.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { lockFolder } from "../storage/disk/folderLock.ts";
import { createPostgresEngine } from "../storage/postgres/postgresEngine.ts";
import { createTrustedClock, type TrustedClock } from "../upkeep/trustedClock.ts";
import { markStorage, assertUnmarked, assertPicturesOfSite } from "../storage/pictures/siteMark.ts";
import type { Store } from "../storage/store.ts";
import { createBucketStorage } from "../storage/pictures/bucketStorage.ts";
import { createFolderStorage } from "../storage/pictures/folderStorage.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { createScanner } from "../uploads/scanner.ts";
import {
  countUnlistedPictures,
  readListedOriginals,
  openUploadFiles,
} from "../uploads/uploadFiles.ts";
import { UploadLibrary } from "../uploads/uploadLibrary.ts";

/** Creates the storage engine for these settings. Its store translates default texts into the site's language. */
export function createEngine({ dataDir, databaseUrl }: Config): Engine {
  const engine = databaseUrl
    ? createPostgresEngine(databaseUrl, dataDir)
    : createFolderEngine(dataDir);
  return { ...engine, open: async (options) => translateStoreDefaults(await engine.open(options)) };
}

/** Throws `usage` if there is no site, and `cannot_open` while one is being restored. */
export async function assertSiteExists(data: Engine): Promise<void> {
  if (await data.isInstalled()) return;
  if (await data.replacement.readPendingNote())
    throw cannotOpen(
      `A backup is being restored to ${data.location}. Try again in a moment. If the restore was interrupted, start the site to finish it.`,
    );
  // A restore may have ended after the first check, so the site may exist now.
  if (await data.isInstalled()) return;
  throw wrongUsage(
    `There is no site in ${data.location}. Specify the site's folder with --data-dir, or use the service's settings.`,
  );
}

/** The maximum disk space for local copies of a bucket's pictures. */
const PICTURE_CACHE_BYTES = 1024 * 1024 * 1024;

export function createPictureStorage(config: Config): PictureStorage {
  const { uploadsDir: folder, uploadsS3 } = config;
  return uploadsS3
    ? createBucketStorage(uploadsS3, { ...config, folder, maxCacheBytes: PICTURE_CACHE_BYTES })
    : createFolderStorage(folder);
}

/** An open site. Its folders are locked against other processes, unless the data is in a database. */
export interface OpenSite {
  readonly store: Store;
  readonly library: UploadLibrary;
  readonly bin: Bin;
  readonly trustedClock: TrustedClock;
  /** Finishes pending writes, then unlocks the folders. */
  close(): Promise<void>;
}

/** Opens the site, after finishing a pending restore. Throws `cannot_open`. */
export async function openSite(config: Config, log: Log): Promise<OpenSite> {
  const engine = createEngine(config);
  const pictures = createPictureStorage(config);
  await finishPendingRestore(pictures, engine, log);
  if (await engine.isEmpty()) await assertUnmarked(pictures).catch(rethrowAsCannotOpen);
  const dataKey = createDataKey(config.dataKey);
  const store = await engine.open({ entities: allEntities, log, dataKey });
  let release: (() => void) | undefined;
  const close = async () => {
    await store.close();
    release?.();
  };
  try {
    const listedUploads = store.of(entities.uploads).read().value;
    await assertPicturesOfSite(pictures, store.siteId, listedUploads);
    await markStorage(pictures, store.siteId);
    // With a database or a bucket, several instances may share the folder, so it isn't locked.
    if (!config.databaseUrl && !config.uploadsS3)
      release = lockFolder(config.uploadsDir, "UPLOADS_DIR");
    const clock = createTrustedClock(store);
    const bin = new Bin(store, Date.now, clock.now);
    const library = await openLibrary(config, pictures, { store, bin, log });
    return { store, bin, trustedClock: clock, library, close };
  } catch (error) {
    await close();
    if (isRefusal(error, "cannot_open")) throw error;
    if (isRefusal(error, "cannot_store")) throw cannotOpen(error.message, error);
    throw cannotOpen(
      `The uploads folder ${config.uploadsDir} couldn't be opened. Check that it belongs to the user who runs Limelight and that its disk has free space, then start again.`,
      error,
    );
  }
}

/** Continues a restore that was prepared in the dashboard, or was interrupted. */
async function finishPendingRestore(uploads: PictureStorage, data: Engine, log: Log) {
  if (!(await data.replacement.readPendingNote())) return;
  const isDone = await withSiteLock(data, () => finishRestore({ data, uploads }));
  if (isDone) log("restore: done", "info");
}

/** Locks the data during `work`. Throws `cannot_open` while the site runs. */
export async function withSiteLock<T>(data: Engine, work: () => Promise<T>): Promise<T> {
  const release = await data.lock();
  try {
    return await work();
  } finally {
    await release();
  }
}

async function openLibrary(
  { databaseUrl, clamd }: Config,
  pictures: PictureStorage,
  { store, bin, log }: Pick<OpenSite, "store" | "bin"> & { readonly log: Log },
) {
  const document = store.of(entities.uploads);
  const listedUploads = document.read().value;
  const originals = await readListedOriginals(store);
  const hasSharedStorage = databaseUrl !== undefined;
  const files = await openUploadFiles(pictures, { ...originals, isShared: hasSharedStorage });
  if ((await countUnlistedPictures(pictures, listedUploads)) > 0)
    log(createForeignPicturesMessage(pictures));
  const scanFile = clamd && createScanner(clamd, log);
  const library = new UploadLibrary({ files, document, bin, scanFile });
  store.onChange((name) => {
    if (name === entities.uploads.name) library.pruneCache();
  });
  return library;
}

const createForeignPicturesMessage = ({ label, setting }: PictureStorage) =>
  `${label} contains pictures that aren't in this site's list. They were left unchanged. Check that DATA_DIR and ${setting} belong to the same site and that the data isn't an older copy.`;

/** Throws `cannot_open` in place of `cannot_store`, with the same message. Throws other errors unchanged. */
function rethrowAsCannotOpen(error: unknown): never {
  throw isRefusal(error, "cannot_store") ? cannotOpen(error.message, error) : error;
}
