/** Opens a site's store and pictures, for the server and for commands on a stopped site. */
import { allEntities, entities } from "../../schema/index.ts";
import { finishRestore } from "../backup/restore.ts";
import type { Config } from "../shared/config.ts";
import { withShownDefaults } from "../content/shownDefaults.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import { cannotOpen, isRefusal, wrongUsage } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Engine } from "../storage/engine.ts";
import { Bin } from "../bin/bin.ts";
import { folderEngine } from "../storage/files/folderEngine.ts";
import { lockFolder } from "../storage/disk/folderLock.ts";
import { postgresEngine } from "../storage/postgres/postgresEngine.ts";
import { siteTime, type TrustedClock } from "../upkeep/trustedClock.ts";
import { markUploads, assertUnmarked, assertPicturesOfSite } from "../storage/pictures/siteMark.ts";
import type { Store } from "../storage/store.ts";
import { bucketStorage } from "../storage/pictures/bucketStorage.ts";
import { folderStorage } from "../storage/pictures/folderStorage.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { type Scan, scanner } from "../uploads/scanner.ts";
import { foreignPictures, listedOriginals, openUploadFiles } from "../uploads/uploadFiles.ts";
import { UploadLibrary } from "../uploads/uploadLibrary.ts";

/** The storage engine for these settings. Its store shows what nobody has typed in the site's language. */
export function engineOf({ dataDir, databaseUrl }: Config): Engine {
  const engine = databaseUrl ? postgresEngine(databaseUrl, dataDir) : folderEngine(dataDir);
  return { ...engine, open: async (options) => withShownDefaults(await engine.open(options)) };
}

/** For commands that need a site. Throws `usage` without one, and `cannot_open` during a restore. */
export async function requireSite(data: Engine): Promise<void> {
  if (await data.isInstalled()) return;
  if (await data.replacement.pendingNote())
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
const PICTURE_CACHE = 1024 * 1024 * 1024;

export function pictureStorageFor(config: Config): PictureStorage {
  const { uploadsDir: folder, uploadsS3 } = config;
  return uploadsS3
    ? bucketStorage(uploadsS3, { ...config, folder, cache: PICTURE_CACHE })
    : folderStorage(folder);
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
  const engine = engineOf(config);
  const pictures = pictureStorageFor(config);
  await finishRestoreOf(pictures, engine, log);
  if (await engine.isEmpty()) await assertUnmarked(pictures).catch(rethrowAsCannotOpen);
  const store = await engine.open({
    entities: allEntities,
    log,
    dataKey: dataKeyOf(config.dataKey),
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
    const time = siteTime(store);
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
        scan: config.clamd && scanner(config.clamd, log),
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
async function finishRestoreOf(uploads: PictureStorage, data: Engine, log: Log): Promise<void> {
  if ((await data.replacement.pendingNote())?.staging === undefined) return;
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
  readonly scan: Scan | undefined;
}

async function openLibrary(
  pictures: PictureStorage,
  { store, bin, log, isShared, scan }: LibraryOptions,
) {
  const document = store.of(entities.uploads);
  const listed = document.read().value;
  const files = await openUploadFiles(pictures, {
    ...(await listedOriginals(store)),
    isShared,
  });
  if ((await foreignPictures(pictures, listed)) > 0) log(foreignIn(pictures));
  const library = new UploadLibrary({ files, document, bin, scan });
  store.onChange((name) => {
    if (name === entities.uploads.name) library.changed();
  });
  return library;
}

const foreignIn = ({ label: called, setting }: PictureStorage) =>
  `${called} contains pictures that aren't in this site's list. They were left unchanged. Check that DATA_DIR and ${setting} belong to the same site and that the data isn't an older copy.`;

/** Errors of a bucket already have a message. */
function rethrowAsCannotOpen(error: unknown): never {
  throw isRefusal(error, "cannot_store") ? cannotOpen(error.message, error) : error;
}
