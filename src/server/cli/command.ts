/** What a command of the command line is. */
import type { Config, OwnFlags } from "../config.ts";

/** One command. `run` answers the exit code, or nothing when it goes on running. */
export interface Command {
  readonly name: string;
  /** What comes behind the name, as shown in the help. */
  readonly usage?: string;
  readonly summary: string;
  /** Flags beside the settings. */
  readonly flags?: OwnFlags;
  readonly run: (
    config: Config,
    args: readonly string[],
    flags: ReadonlyMap<string, string>,
  ) => Promise<number | undefined>;
}

/** Prints a line for people. */
export function say(line: string): void {
  console.log(line);
}
