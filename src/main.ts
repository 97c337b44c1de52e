/** Hands the arguments to the command line. */
import { runCommand } from "./server/cli/run.ts";

const exitCode = await runCommand(process.argv.slice(2));
// A command that serves the site has no exit code, and its process stays alive.
if (exitCode !== undefined) process.exit(exitCode);
