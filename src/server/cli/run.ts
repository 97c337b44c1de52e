/** The command line: finds the command, reads the settings, says in words what went wrong. */
import packageJson from "../../../package.json" with { type: "json" };
import { readConfig, SETTINGS } from "../config.ts";
import { Refusal, wrongUsage } from "../errors.ts";
import { type Command, say } from "./command.ts";

// The help: every command and every setting, from their declarations.

/** The text of `limelight help`. */
function helpText(commands: readonly Command[]): string {
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

// The version of the program.

/** As in package.json. */
const VERSION: string = packageJson.version;

/** By name, in the order of the help. Each is loaded when it runs, so that none waits for the others. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ["serve", async () => (await import("./serve.ts")).serve],
  ["admin", async () => (await import("./admin.ts")).admin],
  ["backup", async () => (await import("./backup.ts")).backup],
  ["restore", async () => (await import("./restore.ts")).restore],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
  ["demo", async () => (await import("./demo.ts")).demo],
]);

/** Runs the command that the arguments name; answers the exit code, or nothing while serving. */
export async function run(argv: readonly string[]): Promise<number | undefined> {
  const [first = "serve"] = argv;
  if (["help", "--help", "-h"].includes(first)) return print(await help());
  if (["version", "--version", "-v"].includes(first)) return print(`limelight ${VERSION}`);
  const named = COMMANDS.get(first);
  try {
    if (!named && !first.startsWith("--")) throw wrongUsage(`There is no command "${first}".`);
    const command = await (named ?? COMMANDS.get("serve")!)();
    const args = named ? argv.slice(1) : argv;
    const { config, rest, flags } = readConfig(args, process.env, command.flags);
    return await command.run(config, rest, flags);
  } catch (error) {
    return explain(error);
  }
}

async function help(): Promise<string> {
  return helpText(await Promise.all([...COMMANDS.values()].map((load) => load())));
}

function print(text: string): number {
  say(text);
  return 0;
}

/** Kinds that are the person's to mend: the message says how. */
const EXPECTED = new Set(["cannot_open", "wrong_setting", "usage"]);

function explain(error: unknown): number {
  const expected = error instanceof Refusal && EXPECTED.has(error.code);
  console.error(expected ? error.message : (error as Error).stack);
  if (!expected) return 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error("See: limelight help");
  return 2;
}
