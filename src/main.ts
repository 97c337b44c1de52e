/** Hands the arguments to the command line. */
import { runCommand } from "./server/cli/run.ts";

const exitCode = await runCommand(process.argv.slice(2));
// `exitCode` is undefined while the command serves the site.
if (exitCode !== undefined) process.exit(exitCode);
