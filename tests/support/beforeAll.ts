/** Runs once, before the first file of tests (bunfig.toml). */
import { setDefaultTimeout } from "bun:test";
import { moveTemporaryFolderIntoMemory } from "./temporary.ts";

// Pages are rendered by the production version of React, as in the built program. The development version takes a sixth
// longer.
process.env["NODE_ENV"] = "production";
moveTemporaryFolderIntoMemory();
// In milliseconds, long enough for a busy machine to start a browser or the program. It applies only to the first file
// of tests; `--timeout` in package.json sets it for the others.
setDefaultTimeout(120_000);
