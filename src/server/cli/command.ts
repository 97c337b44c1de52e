/** The parts of a command, and functions that commands share. */
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { replaceWithServiceCommands } from "./serviceCommands.ts";
import type { CommandFlags } from "../shared/settingTypes.ts";

export interface Command {
  readonly name: string;
  /** The arguments as the help shows them, such as "[--all]". */
  readonly usage?: string;
  /** True if the command accepts arguments that aren't flags, and checks them itself. */
  readonly acceptsArguments?: true;
  /** A description of the command and one of each flag, separated by semicolons. */
  readonly summary: string;
  /** The command's own flags. All commands also accept the flags of the settings. */
  readonly flags?: CommandFlags;
  /** Returns the exit code, or undefined if the program keeps running. */
  readonly run: (
    config: Config,
    args: readonly string[],
    flags: ReadonlyMap<string, string>,
  ) => Promise<number | undefined>;
}

export const createUnknownCommandRefusal = (name: string) =>
  wrongUsage(`Unknown command "${name}".`);

export function formatColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, index) => cell.padEnd((widths[index] ?? 0) + 2)).join("")}`.trimEnd(),
  );
}

/** Prints a line. If the program was installed, the commands in the line are rewritten first (serviceCommands.ts). */
export function printLine(line: string): void {
  console.log(replaceWithServiceCommands(line));
}

/**
 * Reports uncaught errors instead of ending the program, since an aborted download must not stop the whole site. Where
 * the program must end, as after a failed fsync, the code calls `process.exit` itself.
 */
export function reportUncaughtErrors(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}
