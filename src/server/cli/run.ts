/** The command line: finds the command, reads the settings, runs it, and prints its errors. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { type Config, readConfig } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { createOtherSiteWarning } from "./serviceCommands.ts";
import { type Command, createUnknownCommandRefusal, printLine } from "./command.ts";

/** The commands by name, in the order of the help. Only the command that runs is loaded, which saves time. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ["serve", async () => (await import("./serve.ts")).serveCommand],
  ["admin", async () => (await import("./admin.ts")).adminCommand],
  ["backup", async () => (await import("./backup.ts")).backupCommand],
  ["restore", async () => (await import("./restore.ts")).restoreCommand],
  ["install", async () => (await import("./install.ts")).installCommand],
  ["upgrade", async () => (await import("./upgrade.ts")).upgradeCommand],
  ["settings", async () => (await import("./settings.ts")).settingsCommand],
  ["doctor", async () => (await import("./doctor.ts")).doctorCommand],
  ["demo", async () => (await import("./demo.ts")).demoCommand],
]);

const HELP_FLAGS = new Set(["--help", "-h"]);

/** Runs a command. Returns its exit code, or undefined while the site is served. */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  const [firstArgument = "serve"] = argv;
  if (["version", "--version", "-v"].includes(firstArgument))
    return printText(`limelight ${packageJson.version}`);
  const namedCommand = COMMANDS.get(firstArgument);
  let config: Config | undefined;
  try {
    const isHelp = argv.some((each) => HELP_FLAGS.has(each)) || firstArgument === "help";
    if (isHelp) {
      const { createHelpText } = await import("./help.ts");
      const topic = argv.find((each) => !HELP_FLAGS.has(each) && each !== "help");
      return printText(await createHelpText(COMMANDS, topic));
    }
    if (!namedCommand && !firstArgument.startsWith("--"))
      throw createUnknownCommandRefusal(firstArgument);
    const command = await assertDefined(namedCommand ?? COMMANDS.get("serve"), "command")();
    enforceCertificateChecks();
    const result = readConfig(namedCommand ? argv.slice(1) : argv, process.env, command.flags);
    const { positionals, flags } = result;
    config = result.config;
    if (positionals.length > 0 && !command.acceptsArguments)
      throw wrongUsage(createFlagsOnlyMessage(command.name));
    const isSiteIndependent =
      flags.has("--new-key") || (command.name === "demo" && !flags.has("--fill"));
    const otherSiteWarning = isSiteIndependent
      ? undefined
      : createOtherSiteWarning(command.name, config);
    if (otherSiteWarning) console.error(otherSiteWarning);
    return await command.run(config, positionals, flags);
  } catch (error) {
    const { printError } = await import("./printError.ts");
    return printError(error, config, namedCommand === undefined || firstArgument === "serve");
  }
}

/** Sets NODE_TLS_REJECT_UNAUTHORIZED to 1. With 0, often left from another program, Bun accepts any certificate. */
function enforceCertificateChecks(): void {
  if (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return;
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "1";
  console.error(
    "NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: certificates are always verified. For your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate file.",
  );
}

/** Unexpected arguments are refused: without them, the command might do something that nobody intended. */
const createFlagsOnlyMessage = (name: string) =>
  `limelight ${name} accepts only flags, such as --data-dir ./data. Nothing was done.`;

function printText(text: string): number {
  printLine(text);
  return 0;
}
