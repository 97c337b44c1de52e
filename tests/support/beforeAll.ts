/** Runs before every file of tests (bunfig.toml). */
import { setDefaultTimeout } from "bun:test";
import { writeIntoMemory } from "./temporary.ts";

writeIntoMemory();
// For a machine full of other work, with a browser or a process of the program to start. In milliseconds.
setDefaultTimeout(120_000);
