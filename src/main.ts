/** Hands the arguments to the command line. */
import { runCommand } from "./server/cli/run.ts";

const exitCode = await runCommand(process.argv.slice(2));
// `exitCode` is undefined for a command that serves the site: its process continues.
if (exitCode !== undefined) process.exit(exitCode);
