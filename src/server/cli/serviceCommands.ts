/**
 * Rewrites the commands in an installed program's messages: `limelight doctor` to `limelightctl doctor`, which checks
 * the service's site instead of another one.
 */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Config } from "../shared/config.ts";
import { CONTROL_PROGRAM_PATH, getInstalledPaths } from "./installedService.ts";

interface InstalledService {
  /** The unit's name, such as `limelight@anna`. */
  readonly name: string;
  /** The command with the site's name, such as `limelightctl @anna`. */
  readonly controlCommand: string;
  readonly folder: string;
}

/** Also matches the files that an upgrade puts beside the program, such as `limelight.previous`. */
const INSTALLED_PROGRAM_PATTERN =
  /^\/usr\/local\/(?:bin|lib\/limelight\/([a-z][a-z0-9-]*))\/limelight(?:\.\w+)?$/;

/** Returns the service of the program at this path; undefined if the program wasn't installed. */
export function findService(program: string): InstalledService | undefined {
  const match = INSTALLED_PROGRAM_PATTERN.exec(program);
  if (!match) return undefined;
  const [, name] = match;
  const { service: unit, folder } = getInstalledPaths(name);
  const controlCommand = name === undefined ? "limelightctl" : `limelightctl @${name}`;
  return { name: unit, controlCommand, folder };
}

const currentService = existsSync(CONTROL_PROGRAM_PATH) ? findService(process.execPath) : undefined;

/** The commands that warn if they use another site than the service's. */
const COMMANDS_WITH_SITE_WARNING = new Set([
  "admin",
  "backup",
  "demo",
  "doctor",
  "restore",
  "settings",
]);

/** Returns a warning if an installed program would use another site than the service's; else undefined. */
export function createOtherSiteWarning(
  command: string,
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  service: InstalledService | undefined = currentService,
  folder = process.cwd(),
): string | undefined {
  if (!service || !COMMANDS_WITH_SITE_WARNING.has(command)) return undefined;
  if (folder === service.folder || isAbsolute(dataDir) || databaseUrl) return undefined;
  return `This command uses the site in ${folder}. For the service's site, run: ${service.controlCommand} ${command}`;
}

const COMMAND_PATTERN =
  /(?<![\w/.-])limelight (?=(?:admin|backup|demo|doctor|help|restore|settings|upgrade|version)\b)/g;

/** Rewrites the commands in a message; returns it unchanged if the program wasn't installed. */
export function replaceWithServiceCommands(
  message: string,
  service: InstalledService | undefined = currentService,
): string {
  if (!service) return message;
  const { name, controlCommand } = service;
  return message
    .replace(/(?<![\w/.-])limelight serve\b/g, `systemctl start ${name}`)
    .replace(COMMAND_PATTERN, `${controlCommand} `)
    .replace(/\b(stop (?:it first|the site)\b)/gi, `$1 (systemctl stop ${name})`)
    .replace(/\b(journalctl -u|systemctl restart) limelight\b(?!@)/g, `$1 ${name}`);
}
