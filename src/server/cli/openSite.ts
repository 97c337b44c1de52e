/** Opens what every command that works on a stopped site needs: its store and its pictures. */
import { allEntities, entities } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import { cannotOpen, isRefusal } from "../shared/errors.ts";
import type { Engine } from "../storage/engine.ts";
import { folderEngine } from "../storage/folderEngine.ts";
import { lockFolder } from "../storage/folderLock.ts";
import { markUploads, requireNoSite, requireOwnUploads } from "../storage/siteMark.ts";
import type { Store } from "../storage/store.ts";
import { foreignPictures, openUploadFiles } from "../uploads/uploadFiles.ts";
import { uploadLibrary, type UploadLibrary } from "../uploads/uploadLibrary.ts";

/** What keeps the data of a site with these settings. */
export const engineOf = ({ dataDir }: Config): Engine => folderEngine(dataDir);

/** An opened site, kept from every other process. */
export interface OpenSite {
  readonly store: Store;
  readonly library: UploadLibrary;
  /** Finishes the writes under way, then lets others in. */
  close(): Promise<void>;
}

/** Throws `cannot_open`. */
export async function openSite(config: Config, log: (line: string) => void): Promise<OpenSite> {
  const engine = engineOf(config);
  if (await engine.isEmpty()) await requireNoSite(config.uploadsDir);
  const store = await engine.open({ entities: allEntities, log });
  let release: (() => void) | undefined;
  const close = async () => {
    await store.close();
    release?.();
  };
  try {
    const listed = store.of(entities.uploads).read().value;
    await requireOwnUploads(config.uploadsDir, store.siteId, listed);
    await markUploads(config.uploadsDir, store.siteId);
    release = lockFolder(config.uploadsDir, "UPLOADS_DIR");
    return { store, library: await openLibrary(config, store, log), close };
  } catch (error) {
    await close();
    if (isRefusal(error, "cannot_open")) throw error;
    throw cannotOpen(
      `The uploads folder ${config.uploadsDir} couldn't be opened. Check that it belongs to the user who starts Limelight and that its disk has room, then start again.`,
      error,
    );
  }
}

async function openLibrary(config: Config, store: Store, log: (line: string) => void) {
  const listed = store.of(entities.uploads);
  const names = new Set(listed.read().value.map(({ filename }) => filename));
  const files = await openUploadFiles(config.uploadsDir, names);
  const foreign = await foreignPictures(config.uploadsDir, listed.read().value);
  if (foreign > 0) log(FOREIGN);
  return uploadLibrary(files, listed);
}

const FOREIGN =
  "The uploads folder holds pictures that this site does not list. They were left alone: check that DATA_DIR and UPLOADS_DIR belong together, and that the data is not an older copy.";
