/** `limelight restore <file>`: puts an archive back, only when it is whole. */
import { mkdir } from "node:fs/promises";
import { restoreArchive } from "../backup/restoreArchive.ts";
import type { Config } from "../config.ts";
import { wrongUsage } from "../errors.ts";
import { lockFolder } from "../storage/folderLock.ts";
import { type Command, say } from "./command.ts";

export const restore: Command = {
  name: "restore",
  usage: "<file.tar.gz>",
  summary: "puts a backup back; what was there is kept beside it",
  run: putBack,
};

async function putBack(config: Config, [file, ...more]: readonly string[]): Promise<number> {
  if (!file || more.length > 0)
    throw wrongUsage("Say what to restore: limelight restore site.tar.gz");
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const release = lockFolder(config.dataDir);
  try {
    const { files, createdAt, before } = await restoreArchive(file, {
      data: config.dataDir,
      uploads: config.uploadsDir,
    });
    say(`Restored ${files} files, as they were on ${createdAt}.`);
    say(`What was there before is in ${before}, in both folders. Remove it when all is well.`);
  } finally {
    release();
  }
  return 0;
}
