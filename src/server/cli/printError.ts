/** Prints why a command failed, and chooses its exit code. */
import type { Config } from "../shared/config.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { isDataLoss, Refusal } from "../shared/errors.ts";
import { isJournal, addLevelPrefix } from "../shared/log.ts";
import { replaceWithServiceCommands } from "./serviceCommands.ts";
import { findForeignFiles } from "./foreignFiles.ts";
import { describeNewestBackup } from "./backupAdvice.ts";

/** Errors whose message says what to do. Others are printed with their stack. */
const EXPECTED_ERROR_CODES = new Set(["cannot_open", "cannot_store", "wrong_setting", "usage"]);

/** EX_CONFIG of sysexits(3): the unit doesn't restart a program with invalid settings. */
const CONFIG_ERROR_EXIT_CODE = 78;

/** Returns the exit code. `config` is undefined if the settings couldn't be read. */
export async function printError(error: unknown, config: Config | undefined, isServing: boolean) {
  const foreign = config && isPermissionError(error) ? (await findForeignFiles(config)).site : [];
  const expected = error instanceof Refusal && EXPECTED_ERROR_CODES.has(error.code);
  if (foreign.length > 0) printErrorLines(foreign);
  else if (expected) {
    const newest = config && isDataLoss(error) && (await describeNewestBackup(config));
    printErrorLines(newest ? [error.message, newest] : [error.message]);
  } else printErrorLines([(error as Error).stack ?? String(error)]);
  if (!expected) return foreign.length > 0 ? 2 : 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error(replaceWithServiceCommands("See: limelight help"));
  return isServing && error.code === "wrong_setting" ? CONFIG_ERROR_EXIT_CODE : 2;
}

function printErrorLines(lines: readonly string[]): void {
  for (const line of lines.map((each) => replaceWithServiceCommands(each)))
    console.error(isJournal(2) ? addLevelPrefix(line, "error") : line);
}
