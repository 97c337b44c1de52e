/** What a command of the command line is, and what commands share. */
import type { Config } from "../shared/config.ts";
import { asInstalled } from "./asInstalled.ts";
import type { OwnFlags } from "../shared/setting.ts";

/** One command. `run` returns the exit code, or nothing when it goes on running. */
export interface Command {
  readonly name: string;
  /** The arguments, as shown in the help. */
  readonly usage?: string;
  /** It takes arguments that are no flags, and checks them. To others they are refused. */
  readonly takesArguments?: true;
  readonly summary: string;
  /** Flags beside the settings. */
  readonly flags?: OwnFlags;
  readonly run: (
    config: Config,
    args: readonly string[],
    flags: ReadonlyMap<string, string>,
  ) => Promise<number | undefined>;
}

/** Rows as lines, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd((widths[at] ?? 0) + 2)).join("")}`.trimEnd(),
  );
}

/** With the commands that work where the program is. */
export function say(line: string): void {
  console.log(asInstalled(line));
}

/**
 * From now on an error that nothing caught is reported, and the program goes on: a download that broke
 * off must not take the site from everyone else. What must end the program (a disk that did not keep
 * what it was given) ends it itself.
 */
export function keepServing(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}
