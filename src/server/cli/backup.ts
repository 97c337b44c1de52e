/** `limelight backup <file>`: data and pictures as one checked archive, also while the site is running. */
import { saveArchive } from "../backup/saveArchive.ts";
import type { Config } from "../shared/config.ts";
import { isRefusal, wrongUsage } from "../shared/errors.ts";
import { type Command, say } from "./command.ts";
import { engineOf } from "./openSite.ts";

export const backup: Command = {
  name: "backup",
  usage: "<file.tar.gz>",
  summary: "saves content, submissions and pictures as one archive",
  run: saveBackup,
};

/** Returns 1 when nothing could be saved. */
async function saveBackup(config: Config, [file, ...more]: readonly string[]): Promise<number> {
  if (!file || more.length > 0) throw wrongUsage("Say where to save: limelight backup site.tar.gz");
  const data = engineOf(config);
  if (!(await data.isInstalled())) {
    throw wrongUsage(`There is no site in ${data.place}. Give its folder with --data-dir.`);
  }
  try {
    const { size, leftOut, problems } = await saveArchive(file, {
      data,
      uploads: config.uploadsDir,
    });
    for (const each of leftOut) console.error(`Left out ${each.path}: ${each.why}.`);
    for (const { message } of problems) console.error(`Saved as it is: ${message}`);
    say(`Saved ${file} (${Math.ceil(size / 1024)} KB).`);
    return 0;
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    console.error(error.message);
    return 1;
  }
}
