/** Runs once, before the first file of tests (bunfig.toml). */
import { setDefaultTimeout } from "bun:test";
import { moveTemporaryFolderIntoMemory } from "./temporary.ts";

// Pages are rendered by the production React of the built program; the development one takes a sixth longer.
process.env["NODE_ENV"] = "production";
moveTemporaryFolderIntoMemory();
// In milliseconds, for a busy machine that has to start a browser or the program. It counts for that file;
// `--timeout` in package.json sets it for the others.
setDefaultTimeout(120_000);
