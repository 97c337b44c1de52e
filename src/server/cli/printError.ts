/** The message and the exit code of a command that fails. */
import type { Config } from "../shared/config.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { isDataLoss, Refusal } from "../shared/errors.ts";
import { isJournal, addLevelPrefix } from "../shared/log.ts";
import { replaceWithServiceCommands } from "./serviceCommands.ts";
import { findForeignFiles } from "./foreignFiles.ts";
import { describeNewestBackup } from "./backupAdvice.ts";

/** Kinds that the person can fix: the message explains how. */
const EXPECTED_ERROR_CODES = new Set(["cannot_open", "cannot_store", "wrong_setting", "usage"]);

/** EX_CONFIG of sysexits(3): the unit doesn't restart a program with invalid settings. */
const CONFIG_ERROR_EXIT_CODE = 78;

/** Prints the error on standard error; returns the exit code. */
export async function printError(
  error: unknown,
  config: Config | undefined,
  isServing: boolean,
): Promise<number> {
  const foreign = config && isPermissionError(error) ? (await findForeignFiles(config)).site : [];
  const expected = error instanceof Refusal && EXPECTED_ERROR_CODES.has(error.code);
  if (foreign.length > 0) printErrorLines(foreign);
  else if (expected) printErrorLines([error.message, ...(await findBackupAdvice(error, config))]);
  else printErrorLines([(error as Error).stack ?? String(error)]);
  if (!expected) return foreign.length > 0 ? 2 : 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error(replaceWithServiceCommands("See: limelight help"));
  return isServing && error.code === "wrong_setting" ? CONFIG_ERROR_EXIT_CODE : 2;
}

function printErrorLines(lines: readonly string[]): void {
  for (const line of lines.map((each) => replaceWithServiceCommands(each)))
    console.error(isJournal(2) ? addLevelPrefix(line, "error") : line);
}

async function findBackupAdvice(error: Refusal, config: Config | undefined): Promise<string[]> {
  const newest = config && isDataLoss(error) && (await describeNewestBackup(config));
  return newest ? [newest] : [];
}
