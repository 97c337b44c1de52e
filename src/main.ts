/** Hands the arguments to the command line. */
import { run } from "./server/cli/run.ts";

const code = await run(process.argv.slice(2));
// A running server answers undefined and keeps the process alive.
if (code !== undefined) process.exit(code);
