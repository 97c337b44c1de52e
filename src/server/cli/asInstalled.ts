/**
 * Messages name commands as `limelight doctor`. Where `limelight install` has put the program, that would look for
 * another site: there it is `limelightctl doctor`, which brings the service's settings along.
 */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Config } from "../shared/config.ts";
import { CONTROL, placeOf } from "./install/places.ts";

/** How the site of an installed program is commanded. */
interface Service {
  /** Such as `limelight@anna`. */
  readonly name: string;
  /** Such as `limelightctl @anna`. */
  readonly control: string;
  /** Its own. */
  readonly folder: string;
}

/** Also of the programs that an upgrade puts beside it. */
const INSTALLED = /^\/usr\/local\/(?:bin|lib\/limelight\/([a-z][a-z0-9-]*))\/limelight(?:\.\w+)?$/;

/** Of the program at this path; undefined where it was not installed. */
export function serviceOf(program: string): Service | undefined {
  const installed = INSTALLED.exec(program);
  if (!installed) return undefined;
  const [, name] = installed;
  const { service: unit, folder } = placeOf(name);
  const control = name === undefined ? "limelightctl" : `limelightctl @${name}`;
  return { name: unit, control, folder };
}

/** Of this process. */
const service = existsSync(CONTROL) ? serviceOf(process.execPath) : undefined;

/** Those that are about a site; `serve` and `upgrade` say by themselves what they use. */
const OF_A_SITE = new Set(["admin", "backup", "demo", "doctor", "move", "restore", "settings"]);

/** What to say to whoever runs a command of an installed program without `limelightctl`; mostly nothing. */
export function otherSite(
  command: string,
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  where: Service | undefined = service,
  folder = process.cwd(),
): string | undefined {
  if (!where || !OF_A_SITE.has(command)) return undefined;
  if (folder === where.folder || isAbsolute(dataDir) || databaseUrl) return undefined;
  return `This is about a site in ${folder}. For the one of the service: ${where.control} ${command}`;
}

const COMMAND =
  /(?<![\w/.-])limelight (?=(?:admin|backup|demo|doctor|help|licences|move|restore|settings|upgrade|version)\b)/g;

/** A message with the commands that work where the program is. */
export function asInstalled(message: string, where: Service | undefined = service): string {
  if (!where) return message;
  const { name, control } = where;
  return message
    .replace(/(?<![\w/.-])limelight serve\b/g, `systemctl start ${name}`)
    .replace(COMMAND, `${control} `)
    .replace(/\b(stop (?:it first|the site)\b)/gi, `$1 (systemctl stop ${name})`)
    .replace(/\b(journalctl -u|systemctl restart) limelight\b(?!@)/g, `$1 ${name}`);
}
