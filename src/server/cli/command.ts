/** The shape of a command, and what commands share. */
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { withServiceCommands } from "./serviceCommands.ts";
import type { CommandFlags } from "../shared/setting.ts";

/** One command. `run` returns the exit code, or undefined if it continues running. */
export interface Command {
  readonly name: string;
  /** The arguments, as shown in the help. */
  readonly usage?: string;
  /** Accepts arguments other than flags, and checks them itself. Other commands refuse them. */
  readonly acceptsArguments?: true;
  /** What it does, then each of its flags, separated by semicolons. */
  readonly summary: string;
  /** Its flags in addition to the settings. */
  readonly flags?: CommandFlags;
  readonly run: (
    config: Config,
    args: readonly string[],
    flags: ReadonlyMap<string, string>,
  ) => Promise<number | undefined>;
}

export const noCommand = (name: string) => wrongUsage(`Unknown command "${name}".`);

/** Formats rows as lines, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd((widths[at] ?? 0) + 2)).join("")}`.trimEnd(),
  );
}

/** Prints a line, with commands that work where the program is installed. */
export function printLine(line: string): void {
  console.log(withServiceCommands(line));
}

/**
 * From now on uncaught errors are reported and the program continues: an aborted download must not end the site for
 * everyone else. Code that must end the program (when a disk loses a write) does so itself.
 */
export function reportUncaughtErrors(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}
