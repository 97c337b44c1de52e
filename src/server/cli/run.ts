/** The command line: finds the command, reads the settings, says in words what went wrong. */
import { ArchiveRefused } from "../backup/unpackArchive.ts";
import { readConfig, WrongSetting } from "../config.ts";
import { StorageRefusal } from "../storage/storageErrors.ts";
import { admin } from "./admin.ts";
import { backup } from "./backup.ts";
import { type Command, say, UsageError } from "./command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { helpText } from "./help.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { VERSION } from "./version.ts";

const COMMANDS: readonly Command[] = [serve, admin, backup, restore, doctor, demo];

/** Runs the command that the arguments name; answers the exit code, or nothing while serving. */
export async function run(argv: readonly string[]): Promise<number | undefined> {
  const [first = "serve"] = argv;
  if (["help", "--help", "-h"].includes(first)) return print(helpText(COMMANDS));
  if (["version", "--version", "-v"].includes(first)) return print(`limelight ${VERSION}`);
  const named = COMMANDS.find((command) => command.name === first);
  try {
    if (!named && !first.startsWith("--")) throw new UsageError(`There is no command "${first}".`);
    const { config, rest } = readConfig(named ? argv.slice(1) : argv, process.env);
    return await (named ?? serve).run(config, rest);
  } catch (error) {
    return explain(error);
  }
}

function print(text: string): number {
  say(text);
  return 0;
}

function explain(error: unknown): number {
  const expected =
    error instanceof UsageError ||
    error instanceof WrongSetting ||
    error instanceof StorageRefusal ||
    error instanceof ArchiveRefused;
  console.error(expected ? (error as Error).message : (error as Error).stack);
  if (!expected) return 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error instanceof UsageError) console.error("See: limelight help");
  return 2;
}
