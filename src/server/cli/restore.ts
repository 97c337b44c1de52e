/** `limelight restore <file>`: puts an archive back, only when it is whole. */
import { identitiesIn } from "../backup/encryption.ts";
import { restoreArchive } from "../backup/restore.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { type Command, say } from "./command.ts";
import { engineOf, picturesOf } from "./openSite.ts";

export const restore: Command = {
  name: "restore",
  usage: "<file.tar.gz>|<file.tar.gz.age> --key <file>",
  takesArguments: true,
  summary: "restores a backup; what was there before is kept beside it",
  flags: { "--key": "value" },
  run: putBack,
};

async function putBack(
  config: Config,
  [file, ...more]: readonly string[],
  flags: ReadonlyMap<string, string>,
): Promise<number> {
  if (!file || more.length > 0)
    throw wrongUsage("Say what to restore: limelight restore site.tar.gz");
  const key = flags.get("--key");
  const identities = key === undefined ? [] : await identitiesIn(key);
  const data = engineOf(config);
  const release = await data.lock();
  try {
    const site = { data, uploads: picturesOf(config) };
    const restored = await restoreArchive(file, site, { identities });
    const { files, createdAt, before, staysErased, keepsSecret } = restored;
    say(`Restored ${files} files, as they were on ${createdAt}.`);
    say(staysErased ? ERASED_AGAIN : ERASE_AGAIN);
    if (!keepsSecret) say(SET_ANEW);
    if (before)
      say(
        `What was there before is in ${before}, beside data and pictures. When all is well, remove it: limelight doctor --remove-copies`,
      );
  } finally {
    await release();
  }
  return 0;
}

const ERASED_AGAIN =
  "People you erased since then are erased again by the next start, and who left the mailing list stays off it.";
const ERASE_AGAIN =
  "Nothing here tells whom you erased since then, or who left the mailing list: erase those people again in the dashboard.";
const SET_ANEW =
  "The key of this backup's site isn't here, since no archive holds it. So everyone logs in again; type the password of the mail account again, make the webhook a new secret, and add the devices that are told of enquiries again.";
