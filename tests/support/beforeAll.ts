/** Runs once, before the first file of tests (bunfig.toml). */
import { setDefaultTimeout } from "bun:test";
import { writeIntoMemory } from "./temporary.ts";

// Pages are rendered by the React of the built program: that of development takes a sixth longer for each.
process.env["NODE_ENV"] = "production";
writeIntoMemory();
// For a machine full of other work, with a browser or a process of the program to start. In milliseconds. It
// holds in that file: where there are several, `--timeout` says it for the others (package.json).
setDefaultTimeout(120_000);
