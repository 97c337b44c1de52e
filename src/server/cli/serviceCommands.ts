/**
 * Messages name commands as `limelight doctor`. For a program installed by `limelight install` that would be about
 * another site: then it is `limelightctl doctor`, which passes on the service's settings.
 */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Config } from "../shared/config.ts";
import { CONTROL, installedPaths } from "./install/installedPaths.ts";

/** The commands that control an installed site. */
interface Service {
  /** Such as `limelight@anna`. */
  readonly name: string;
  /** Such as `limelightctl @anna`. */
  readonly control: string;
  readonly folder: string;
}

/** Includes the programs that an upgrade puts beside it. */
const INSTALLED = /^\/usr\/local\/(?:bin|lib\/limelight\/([a-z][a-z0-9-]*))\/limelight(?:\.\w+)?$/;

/** For the program at this path; undefined if it wasn't installed. */
export function serviceOf(program: string): Service | undefined {
  const installed = INSTALLED.exec(program);
  if (!installed) return undefined;
  const [, name] = installed;
  const { service: unit, folder } = installedPaths(name);
  const control = name === undefined ? "limelightctl" : `limelightctl @${name}`;
  return { name: unit, control, folder };
}

/** This process's own. */
const service = existsSync(CONTROL) ? serviceOf(process.execPath) : undefined;

/** Commands about a site; `serve` and `upgrade` report their site themselves. */
const SITE_COMMANDS = new Set(["admin", "backup", "demo", "doctor", "restore", "settings"]);

/** A warning for whoever runs an installed program's command without `limelightctl`; usually undefined. */
export function otherSiteWarning(
  command: string,
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  where: Service | undefined = service,
  folder = process.cwd(),
): string | undefined {
  if (!where || !SITE_COMMANDS.has(command)) return undefined;
  if (folder === where.folder || isAbsolute(dataDir) || databaseUrl) return undefined;
  return `This command uses the site in ${folder}. For the service's site, run: ${where.control} ${command}`;
}

const COMMAND =
  /(?<![\w/.-])limelight (?=(?:admin|backup|demo|doctor|help|restore|settings|upgrade|version)\b)/g;

/** The message with commands that work where the program is installed. */
export function withServiceCommands(message: string, where: Service | undefined = service): string {
  if (!where) return message;
  const { name, control } = where;
  return message
    .replace(/(?<![\w/.-])limelight serve\b/g, `systemctl start ${name}`)
    .replace(COMMAND, `${control} `)
    .replace(/\b(stop (?:it first|the site)\b)/gi, `$1 (systemctl stop ${name})`)
    .replace(/\b(journalctl -u|systemctl restart) limelight\b(?!@)/g, `$1 ${name}`);
}
