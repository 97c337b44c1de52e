/** The command line: finds the command, reads the settings, and explains what went wrong. */
import { present } from "../../schema/present.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { readConfig } from "../shared/config.ts";
import { Refusal, wrongUsage } from "../shared/errors.ts";
import { isJournal, withLevel } from "../shared/log.ts";
import { SETTINGS } from "../shared/settings.ts";
import { columns, type Command, say } from "./command.ts";

/** By name, in the order of the help. Each is loaded when it runs, so that none waits for the others. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ["serve", async () => (await import("./serve.ts")).serve],
  ["admin", async () => (await import("./admin.ts")).admin],
  ["backup", async () => (await import("./backup.ts")).backup],
  ["restore", async () => (await import("./restore.ts")).restore],
  ["move", async () => (await import("./move.ts")).move],
  ["install", async () => (await import("./install.ts")).install],
  ["upgrade", async () => (await import("./upgrade.ts")).upgrade],
  ["settings", async () => (await import("./settings.ts")).settings],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
  ["demo", async () => (await import("./demo.ts")).demo],
  ["licences", async () => (await import("./licences.ts")).licences],
]);

/** What was a command in earlier releases, which an upgrade from one of them still calls. */
const FORMER = new Map([["rehearse", ["backup", "--rehearse"]]]);

/** Runs the command that the arguments name; returns the exit code, or nothing while serving. */
export async function run(given: readonly string[]): Promise<number | undefined> {
  const argv = [...(FORMER.get(given[0] ?? "") ?? given.slice(0, 1)), ...given.slice(1)];
  const [first = "serve"] = argv;
  if (["help", "--help", "-h"].includes(first)) return print(await help());
  if (["version", "--version", "-v"].includes(first))
    return print(`limelight ${packageJson.version}`);
  const named = COMMANDS.get(first);
  try {
    if (!named && !first.startsWith("--")) throw wrongUsage(`There is no command "${first}".`);
    const command = await present(named ?? COMMANDS.get("serve"), "command")();
    const args = named ? argv.slice(1) : argv;
    const { config, rest, flags } = readConfig(args, process.env, command.flags);
    if (rest.length > 0 && !command.takesArguments) throw wrongUsage(FLAGS_ONLY(command.name));
    return await command.run(config, rest, flags);
  } catch (error) {
    return explain(error, named === undefined || first === "serve");
  }
}

/** Dropped, they would have something else done than what was meant. */
const FLAGS_ONLY = (name: string) =>
  `limelight ${name} takes only flags, such as --data-dir ./data. Nothing was done.`;

function print(text: string): number {
  say(text);
  return 0;
}

/** Kinds that are the person's to mend: the message says how. */
const EXPECTED = new Set(["cannot_open", "cannot_store", "wrong_setting", "usage"]);

/** EX_CONFIG of sysexits(3): the unit doesn't start it again with settings that can't be used. */
const WRONG_CONFIGURATION = 78;

function explain(error: unknown, isServing: boolean): number {
  const expected = error instanceof Refusal && EXPECTED.has(error.code);
  const said = expected ? error.message : ((error as Error).stack ?? String(error));
  console.error(isJournal(2) ? withLevel(said, "error") : said);
  if (!expected) return 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error("See: limelight help");
  return isServing && error.code === "wrong_setting" ? WRONG_CONFIGURATION : 2;
}

/** Every command and every setting, from their declarations. */
async function help(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  return [
    "Limelight: a performer's website and its dashboard in one program.",
    "",
    "Commands",
    ...columns([
      ...commands.map(usageOf),
      ["limelight version", "shows the version"],
      ["limelight help", "shows this help"],
    ]),
    "",
    "Settings, as a flag or as an environment variable",
    ...columns(
      Object.values(SETTINGS).map(({ flag, env, default: fallback, meaning }) => [
        `${flag}, ${env}`,
        fallback === undefined ? meaning : `${meaning} (default ${fallback})`,
      ]),
    ),
  ].join("\n");
}

type Row = readonly [left: string, right: string];

function usageOf({ name, usage = "", summary }: Command): Row {
  return [`limelight ${name} ${usage}`.trim(), summary];
}
