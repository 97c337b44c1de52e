/** Opens a site's store and pictures, for the server and for commands on a stopped site. */
import { allEntities, entities } from "../../schema/index.ts";
import { finishRestore } from "../backup/restore.ts";
import type { Config } from "../shared/config.ts";
import { translateStoreDefaults } from "../content/translatedDefaults.ts";
import { createDataKey } from "../shared/dataKey.ts";
import { cannotOpen, isRefusal, wrongUsage } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Engine } from "../storage/engine.ts";
import { Bin } from "../bin/bin.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { lockFolder } from "../storage/disk/folderLock.ts";
import { createPostgresEngine } from "../storage/postgres/postgresEngine.ts";
import { createTrustedClock, type TrustedClock } from "../upkeep/trustedClock.ts";
import { markUploads, assertUnmarked, assertPicturesOfSite } from "../storage/pictures/siteMark.ts";
import type { Store } from "../storage/store.ts";
import { createBucketStorage } from "../storage/pictures/bucketStorage.ts";
import { createFolderStorage } from "../storage/pictures/folderStorage.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { type ScanFile, createScanner } from "../uploads/scanner.ts";
import {
  countForeignPictures,
  readListedOriginals,
  openUploadFiles,
} from "../uploads/uploadFiles.ts";
import { UploadLibrary } from "../uploads/uploadLibrary.ts";

/** The storage engine for these settings. Its store shows what nobody has typed in the site's language. */
export function createEngine({ dataDir, databaseUrl }: Config): Engine {
  const engine = databaseUrl
    ? createPostgresEngine(databaseUrl, dataDir)
    : createFolderEngine(dataDir);
  return { ...engine, open: async (options) => translateStoreDefaults(await engine.open(options)) };
}

/** For commands that need a site. Throws `usage` without one, and `cannot_open` during a restore. */
export async function assertSiteExists(data: Engine): Promise<void> {
  if (await data.isInstalled()) return;
  if (await data.replacement.readPendingNote())
    throw cannotOpen(
      `A backup is being restored to ${data.location}. Try again in a moment. If the restore was interrupted, start the site to finish it.`,
    );
  // A restore may have just ended.
  if (await data.isInstalled()) return;
  throw wrongUsage(
    `There is no site in ${data.location}. Set its folder with --data-dir, or use the service's settings.`,
  );
}

/** The maximum size, in bytes, of local copies of a bucket's pictures. */
const PICTURE_CACHE_BYTES = 1024 * 1024 * 1024;

export function createPictureStorage(config: Config): PictureStorage {
  const { uploadsDir: folder, uploadsS3 } = config;
  return uploadsS3
    ? createBucketStorage(uploadsS3, { ...config, folder, maxCacheBytes: PICTURE_CACHE_BYTES })
    : createFolderStorage(folder);
}

/** An open site, locked against other processes. */
export interface OpenSite {
  readonly store: Store;
  readonly library: UploadLibrary;
  readonly bin: Bin;
  readonly time: TrustedClock;
  /** Finishes pending writes, then releases the locks. */
  close(): Promise<void>;
}

/** Throws `cannot_open`. */
export async function openSite(config: Config, log: Log): Promise<OpenSite> {
  const engine = createEngine(config);
  const pictures = createPictureStorage(config);
  await finishPendingRestore(pictures, engine, log);
  if (await engine.isEmpty()) await assertUnmarked(pictures).catch(rethrowAsCannotOpen);
  const store = await engine.open({
    entities: allEntities,
    log,
    dataKey: createDataKey(config.dataKey),
  });
  let release: (() => void) | undefined;
  const close = async () => {
    await store.close();
    release?.();
  };
  try {
    const listed = store.of(entities.uploads).read().value;
    await assertPicturesOfSite(pictures, store.siteId, listed);
    await markUploads(pictures, store.siteId);
    // With a database or a bucket, instances share the folder.
    if (!config.databaseUrl && !config.uploadsS3)
      release = lockFolder(config.uploadsDir, "UPLOADS_DIR");
    const time = createTrustedClock(store);
    const bin = new Bin(store, Date.now, time.now);
    return {
      store,
      bin,
      time,
      library: await openLibrary(pictures, {
        store,
        bin,
        log,
        isShared: !!config.databaseUrl,
        scan: config.clamd && createScanner(config.clamd, log),
      }),
      close,
    };
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

/** Finishes a restore from the dashboard, which caused this restart or was interrupted. */
async function finishPendingRestore(
  uploads: PictureStorage,
  data: Engine,
  log: Log,
): Promise<void> {
  if ((await data.replacement.readPendingNote())?.staging === undefined) return;
  const release = await data.lock();
  try {
    if (await finishRestore({ data, uploads })) log("restore: done", "info");
  } finally {
    await release();
  }
}

interface LibraryOptions {
  readonly store: Store;
  readonly bin: Bin;
  readonly log: (line: string) => void;
  readonly isShared: boolean;
  readonly scan: ScanFile | undefined;
}

async function openLibrary(
  pictures: PictureStorage,
  { store, bin, log, isShared, scan }: LibraryOptions,
) {
  const document = store.of(entities.uploads);
  const listed = document.read().value;
  const files = await openUploadFiles(pictures, {
    ...(await readListedOriginals(store)),
    isShared,
  });
  if ((await countForeignPictures(pictures, listed)) > 0) log(foreignFilesMessage(pictures));
  const library = new UploadLibrary({ files, document, bin, scanFile: scan });
  store.onChange((name) => {
    if (name === entities.uploads.name) library.invalidate();
  });
  return library;
}

const foreignFilesMessage = ({ label: called, setting }: PictureStorage) =>
  `${called} contains pictures that aren't in this site's list. They were left unchanged. Check that DATA_DIR and ${setting} belong to the same site and that the data isn't an older copy.`;

/** Errors of a bucket already have a message. */
function rethrowAsCannotOpen(error: unknown): never {
  throw isRefusal(error, "cannot_store") ? cannotOpen(error.message, error) : error;
}
