/** Opens what every command that works on a stopped site needs: its store and its pictures. */
import type { Content } from "../../schema/index.ts";
import type { Config } from "../config.ts";
import { documentSpecs, recordsSpecs } from "../storage/entitySpecs.ts";
import { openStore } from "../storage/openStore.ts";
import type { Store } from "../storage/store.ts";
import { openUploadFiles } from "../uploads/uploadFiles.ts";
import { sweepUploads } from "../uploads/sweepUploads.ts";
import { type UploadLibrary, uploadLibrary } from "../uploads/uploadLibrary.ts";

/** An opened site; close the store when done. */
export interface OpenSite {
  readonly store: Store;
  readonly library: UploadLibrary;
}

/** Opens the folders of the settings. Raises StorageRefusal in words. */
export async function openSite(config: Config, log: (line: string) => void): Promise<OpenSite> {
  const store = await openStore({
    directory: config.dataDir,
    documents: documentSpecs(),
    records: recordsSpecs(),
    log,
  });
  const files = await openUploadFiles(config.uploadsDir);
  const listed = store.document<Content<"uploads">>("uploads");
  await sweepUploads(config.uploadsDir, files, listed.read().value);
  return { store, library: uploadLibrary(files, listed) };
}
