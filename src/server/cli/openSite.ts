/** Opens what every command that works on a stopped site needs: its store and its pictures. */
import { allEntities, entities } from "../../schema/index.ts";
import type { Config } from "../config.ts";
import { cannotOpen } from "../errors.ts";
import type { Engine } from "../storage/engine.ts";
import { folderEngine } from "../storage/folderEngine.ts";
import type { Store } from "../storage/store.ts";
import { foreignPictures, openUploadFiles } from "../uploads/uploadFiles.ts";
import { uploadLibrary, type UploadLibrary } from "../uploads/uploadLibrary.ts";

/** What keeps the data of a site with these settings. */
export const engineOf = ({ dataDir }: Config): Engine => folderEngine(dataDir);

/** An opened site; close the store when done. */
export interface OpenSite {
  readonly store: Store;
  readonly library: UploadLibrary;
}

/** Throws `cannot_open`. */
export async function openSite(config: Config, log: (line: string) => void): Promise<OpenSite> {
  const store = await engineOf(config).open({ entities: allEntities, log });
  try {
    return { store, library: await openLibrary(config, store, log) };
  } catch (error) {
    await store.close();
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
