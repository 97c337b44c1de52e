/** Hands the arguments to the command line. */
import { runCommand } from "./server/cli/run.ts";

const exitCode = await runCommand(process.argv.slice(2));
// While serving there is none, and the process stays alive.
if (exitCode !== undefined) process.exit(exitCode);
