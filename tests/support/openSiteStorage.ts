/** Opens a site's folders as the engine and the storage that backups, restores and the doctor use. */
import { join } from "node:path";
import { createFolderEngine } from "../../src/server/storage/files/folderEngine.ts";
import { createFolderStorage } from "../../src/server/storage/pictures/folderStorage.ts";

export const openSiteStorage = (folder: string) => ({
  data: createFolderEngine(join(folder, "data")),
  uploads: createFolderStorage(join(folder, "uploads")),
});
