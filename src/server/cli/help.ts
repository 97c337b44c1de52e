/** The help: every command and every setting, from their declarations. */
import { SETTINGS } from "../config.ts";
import type { Command } from "./command.ts";

/** The text of `limelight help`. */
export function helpText(commands: readonly Command[]): string {
  const lines: [string, string][] = [
    ...commands.map(usageOf),
    ["limelight version", "says which version this is"],
    ["limelight help", "shows this"],
  ];
  const settings = Object.values(SETTINGS).map(
    ({ flag, env, default: fallback, meaning }) =>
      [
        `${flag}, ${env}`,
        `${meaning}${fallback === undefined ? "" : ` (default ${fallback})`}`,
      ] as const,
  );
  return [
    "Limelight: a performer's website and its dashboard in one program.",
    "",
    "Commands",
    ...columns(lines),
    "",
    "Settings, as a flag or as an environment variable",
    ...columns(settings),
  ].join("\n");
}

function usageOf({ name, usage = "", summary }: Command): [string, string] {
  return [`limelight ${name} ${usage}`.trim(), summary];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
