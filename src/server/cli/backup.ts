/** `limelight backup <file>`: data and pictures as one checked archive, also while the site is running. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { archiveStream } from "../backup/writeArchive.ts";
import type { Config } from "../config.ts";
import { wrongUsage } from "../errors.ts";
import { disk, syncPath } from "../storage/disk.ts";
import { type Command, say } from "./command.ts";
import { engineOf } from "./openSite.ts";

export const backup: Command = {
  name: "backup",
  usage: "<file.tar.gz>",
  summary: "saves content, submissions and pictures as one archive",
  run: saveBackup,
};

async function saveBackup(config: Config, [file, ...more]: readonly string[]): Promise<number> {
  if (!file || more.length > 0) throw wrongUsage("Say where to save: limelight backup site.tar.gz");
  const data = engineOf(config);
  if (!(await data.isInstalled())) {
    throw wrongUsage(`There is no site in ${data.place}. Give its folder with --data-dir.`);
  }
  // Written under another name and renamed, so that an interrupted backup never looks like a complete one.
  const part = `${file}.part`;
  try {
    const archive = archiveStream({ data, uploads: config.uploadsDir });
    await pipeline(archive, createWriteStream(part, { mode: 0o600, flags: "w" }));
    await syncPath(disk, part);
    await rename(part, file);
    await syncPath(disk, dirname(file));
  } finally {
    await rm(part, { force: true });
  }
  say(`Saved ${file} (${Math.ceil(Bun.file(file).size / 1024)} KB).`);
  return 0;
}
