/** Hands the arguments to the command line. */
import { run } from "./server/cli/run.ts";

const code = await run(process.argv.slice(2));
// While serving there is none, and the process stays alive.
if (code !== undefined) process.exit(code);
