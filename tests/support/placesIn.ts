/** A site's folders, as the engine and the storage that backups, restores and the doctor use. */
import { join } from "node:path";
import { folderEngine } from "../../src/server/storage/files/folderEngine.ts";
import { folderStorage } from "../../src/server/storage/pictures/folderStorage.ts";

export const openSiteStorage = (folder: string) => ({
  data: folderEngine(join(folder, "data")),
  uploads: folderStorage(join(folder, "uploads")),
});
