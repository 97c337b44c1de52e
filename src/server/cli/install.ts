/**
 * `limelight install`, run as root: installs the program as a systemd service. With a name, the site is one of several
 * on the machine. Existing units and `limelightctl` are replaced, so operators change a unit in a drop-in (`systemctl
 * edit`); other existing files are left unchanged. An upgrade runs this command with `--renew`, which only replaces
 * units and `limelightctl`.
 */
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import limelightctl from "../../../docs/deploy/limelightctl" with { type: "text" };
import type { Config } from "../shared/config.ts";
import { cannotOpen, describeError, wrongUsage } from "../shared/errors.ts";
import { ignoreMissing, writeDurably } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import { type Command, printLine } from "./command.ts";
import {
  CONTROL_PROGRAM_PATH,
  getInstalledPaths,
  SITE_SETTINGS_DIR,
  SYSTEMD_UNITS,
} from "./installedService.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

export const installCommand: Command = {
  name: "install",
  usage: "[<name>]",
  acceptsArguments: true,
  summary:
    "installs this program as a systemd service (run as root); with a name, as one of several sites",
  flags: { "--renew": "switch" },
  run: runInstall,
};

/** At most 21 characters, since the system user is called `limelight-<name>` and Linux allows 32 characters. */
const SITE_NAME_PATTERN = /^[a-z][a-z0-9-]{0,20}$/;

/** systemd's folder for units of locally installed software. Units in /etc/systemd/system take precedence. */
const UNITS_FOLDER = "/usr/local/lib/systemd/system";

async function runInstall(
  _: Config,
  [name, ...extraArguments]: readonly string[],
  flags: ReadonlyMap<string, string>,
): Promise<number> {
  if (extraArguments.length > 0 || (name !== undefined && !SITE_NAME_PATTERN.test(name)))
    throw wrongUsage(
      "Use one name of at most 21 lowercase letters, digits and hyphens, starting with a letter. Example: limelight install anna",
    );
  if (process.getuid?.() !== 0)
    throw cannotOpen(
      "Only root can install a service. Nothing was changed. Run this command as root.",
    );
  try {
    if (!flags.has("--renew")) await installProgram(name);
    else if (await writeInstalledFiles(true)) printLine(RENEWED_MESSAGE);
  } catch (error) {
    if (getErrorCode(error) === undefined) throw error;
    throw cannotOpen(
      `The installation failed: ${describeDiskError(error)}. Fix this, then run the command again.`,
      error,
    );
  }
  return 0;
}

const RENEWED_MESSAGE =
  "The unit and limelightctl were updated. The service uses them from its next start.";

/** Returns an error's message and path, such as "EACCES at /usr/local/bin/limelight". */
function describeDiskError(error: unknown): string {
  const { path } = Object(error) as { path?: unknown };
  return [describeError(error), ...(typeof path === "string" ? [path] : [])].join(" at ");
}

async function installProgram(name: string | undefined): Promise<void> {
  const { service, user, program, settings, folder } = getInstalledPaths(name);
  await copyProgram(program);
  if (!(await tryCommand("id", "-u", user)))
    await runCommand("useradd", "--system", "-M", "-d", folder, "-s", "/usr/sbin/nologin", user);
  await runCommand("install", "-d", "-o", user, "-g", user, "-m", "700", folder);
  const isNew = !existsSync(settings);
  if (isNew) {
    await mkdir(dirname(settings), { recursive: true });
    await writeFile(settings, await createInitialSettings(name), { mode: 0o600 });
  }
  await writeInstalledFiles();
  printLine(`Installed. User: ${user}. Folder: ${folder}.`);
  printLine(`1. ${isNew ? "Add your settings to" : "Check the settings in"} ${settings}.`);
  printLine(`2. systemctl enable --now ${service}`);
  printLine(`3. journalctl -u ${service} shows the setup link.`);
}

/** Path, text and mode of the files that each release replaces. */
const RELEASE_FILES = [
  ...Object.entries(SYSTEMD_UNITS).map(
    ([unit, text]) => [join(UNITS_FOLDER, unit), text, 0o644] as const,
  ),
  [CONTROL_PROGRAM_PATH, limelightctl, 0o755] as const,
];

/** Writes `RELEASE_FILES`; with `isRenewal`, only those that already exist. Returns whether any file has changed. */
async function writeInstalledFiles(isRenewal = false): Promise<boolean> {
  let hasChanged = false;
  for (const [path, text, mode] of RELEASE_FILES) {
    const currentText = await ignoreMissing(readFile(path, "utf8"));
    if (currentText === text || (isRenewal && currentText === undefined)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeDurably(disk, path, new TextEncoder().encode(text));
    await chmod(path, mode);
    hasChanged = true;
  }
  if (hasChanged && existsSync("/run/systemd/system"))
    await runCommand("systemctl", "daemon-reload");
  return hasChanged;
}

/** Copies this program to `path` if there is none. Only an upgrade replaces a program. */
async function copyProgram(path: string): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeDurably(disk, path, await Bun.file(process.execPath).bytes());
  await chmod(path, 0o755);
  await chown(path, 0, 0);
}

/** Returns the initial settings. Of several sites, each gets an unused port, starting from `FIRST_PORT`. */
async function createInitialSettings(siteName: string | undefined): Promise<string> {
  const header = "# Settings, one per line, such as SITE_URL=https://www.example.com\n";
  if (siteName === undefined) return header;
  const usedPorts = new Set<number>();
  for (const file of (await ignoreMissing(readdir(SITE_SETTINGS_DIR))) ?? []) {
    const text = await readFile(join(SITE_SETTINGS_DIR, file), "utf8"); // oxlint-disable-line no-await-in-loop
    for (const [, port] of text.matchAll(/^PORT=(\d+)$/gm)) usedPorts.add(Number(port));
  }
  let port = FIRST_PORT;
  while (usedPorts.has(port)) port++;
  return `${header}PORT=${port}\n`;
}

const FIRST_PORT = 3001;

const tryCommand = async (...command: string[]) =>
  (await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited) === 0;

async function runCommand(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const errorOutput = await new Response(child.stderr).text();
  if ((await child.exited) !== 0)
    throw cannotOpen(
      `${command.join(" ")} failed: ${errorOutput.trim()}. Fix this, then try again.`,
    );
}
