/** Examines a data folder by trying a start, with or without an open store; changes nothing. */
import { access, constants, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entity } from "../../../schema/entity.ts";
import { isRefusal } from "../../shared/errors.ts";
import { isMarked } from "../archive/entries.ts";
import type { Finding } from "../engine.ts";
import { Edited } from "../envelope.ts";
import { RESTORING } from "./installation.ts";
import { inMoment, passingDisk, takesNothing } from "./moment.ts";
import { asRefusal, openStore } from "./openStore.ts";

/** The folder's permissions, and every entity as a start finds it. */
export async function examineFolder(
  directory: string,
  entities: readonly Entity[],
): Promise<Finding[]> {
  const names: string[] = await readdir(directory).catch(() => []);
  if (names.includes(RESTORING)) {
    if (await canGoOn(directory))
      return [bad("A restore was cut short. The next start finishes it by itself.")];
    return [refused('A restore was cut short. Run "limelight restore" with the archive again.')];
  }
  const tried = names.length > 0 ? await tryStart(directory, entities) : [];
  if (isMarked(names)) return [await examineRights(directory), ...tried];
  const refusals = tried.filter(({ refuses }) => refuses);
  if (refusals.length > 0) return refusals;
  return [
    bad(
      `There is no site in ${directory}: its installation.json is missing. Restore a backup, or start once with an empty folder.`,
    ),
  ];
}

/** Whether a restore's note names its staging folder. */
async function canGoOn(directory: string): Promise<boolean> {
  const note = await readFile(join(directory, RESTORING), "utf8").catch(() => "");
  return note.includes('"staging"');
}

const ok = (message: string): Finding => ({ ok: true, message });
const refused = (message: string): Finding => ({ ok: false, message, refuses: true });
const bad = (message: string): Finding => ({ ok: false, message });

/** Whether a folder exists and is private to its owner. */
export async function examineRights(folder: string): Promise<Finding> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return bad(`The folder ${folder} is missing.`);
  if (
    !(await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    ))
  )
    return bad(
      `The folder ${folder} can't be written to. Give it to the user who starts Limelight, and see that its disk takes writes.`,
    );
  const open = (found.mode & 0o077) !== 0;
  return open
    ? bad(`Other users can read ${folder}. Run: chmod 700 ${folder}`)
    : ok(`${folder} is private`);
}

/** On the folder at one moment. What a start repairs from copies is a fault; what it refuses outweighs all else. */
function tryStart(directory: string, entities: readonly Entity[]): Promise<Finding[]> {
  const found = inMoment(directory, async (moment) => {
    const damages = new Map<string, Finding>();
    const onDamage = (path: string, damage: unknown) => {
      const file = path.slice(moment.length + 1);
      damages.set(file, bad(damageOf(file, damage)));
    };
    // Errors there are the site's: show the site's paths.
    const inWords = (error: unknown) =>
      asRefusal(directory, error).message.replaceAll(moment, directory);
    const refusals: string[] = [];
    const onRefusal = (error: unknown) => refusals.push(inWords(error));
    try {
      const options = { directory: moment, entities, disk: passingDisk, log: () => {} };
      const store = await openStore({ ...options, onDamage, onRefusal });
      const counts = entities.map(async (entity) =>
        entity.shape === "records"
          ? ok(`${entity.name}: ${await store.of(entity).count()} records`)
          : ok(entity.name),
      );
      const found = await Promise.all(counts).finally(() => store.close());
      return [...damages.values(), ...found];
    } catch (error) {
      if (!isRefusal(error, "cannot_open") || takesNothing(error)) throw error;
      const all = [inWords(error), ...refusals];
      const others = [...damages].filter(
        ([file]) => !all.some((each) => each.includes(`/${file}`)),
      );
      return [...all.map(refused), ...others.map(([, finding]) => finding)];
    }
  });
  return found.catch((error: unknown) => [refused(asRefusal(directory, error).message)]);
}

function damageOf(file: string, damage: unknown): string {
  if (file.endsWith(".bak")) {
    const main = file.slice(0, -".bak".length);
    return `${main}.bak is missing or can't be read, so ${main} has no second copy. Stop the site and copy ${main} over it.`;
  }
  const copy = `It has a copy, ${file}.bak, that the next start falls back to; else restore a backup.`;
  if (damage instanceof Edited)
    return `${file} ${damage.message}: it is damaged, or it was changed by hand. ${copy} To take it as it is, stop the site and run "limelight doctor --accept".`;
  return isRefusal(damage, "invalid_value")
    ? `${file} holds values that don't fit. ${copy}`
    : `${file} is missing or can't be read. ${copy}`;
}
