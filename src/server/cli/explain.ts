/** The message and the exit code of a command that fails. */
import type { Config } from "../shared/config.ts";
import { isDenied } from "../shared/errorDetails.ts";
import { isLoss, Refusal } from "../shared/errors.ts";
import { isJournal, withLevel } from "../shared/log.ts";
import { withServiceCommands } from "./serviceCommands.ts";
import { foreignFiles } from "./foreignFiles.ts";
import { newestBackupAdvice } from "./backupAdvice.ts";

/** Kinds that the person can fix: the message explains how. */
const EXPECTED = new Set(["cannot_open", "cannot_store", "wrong_setting", "usage"]);

/** EX_CONFIG of sysexits(3): the unit doesn't restart a program with invalid settings. */
const WRONG_CONFIGURATION = 78;

/** Prints the error on standard error; returns the exit code. */
export async function explain(
  error: unknown,
  config: Config | undefined,
  isServing: boolean,
): Promise<number> {
  const foreign = config && isDenied(error) ? (await foreignFiles(config)).site : [];
  const expected = error instanceof Refusal && EXPECTED.has(error.code);
  if (foreign.length > 0) complain(foreign);
  else if (expected) complain([error.message, ...(await newestFor(error, config))]);
  else complain([(error as Error).stack ?? String(error)]);
  if (!expected) return foreign.length > 0 ? 2 : 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error(withServiceCommands("See: limelight help"));
  return isServing && error.code === "wrong_setting" ? WRONG_CONFIGURATION : 2;
}

function complain(lines: readonly string[]): void {
  for (const line of lines.map((each) => withServiceCommands(each)))
    console.error(isJournal(2) ? withLevel(line, "error") : line);
}

async function newestFor(error: Refusal, config: Config | undefined): Promise<string[]> {
  const newest = config && isLoss(error) && (await newestBackupAdvice(config));
  return newest ? [newest] : [];
}
