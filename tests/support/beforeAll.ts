/** Runs before every file of tests (bunfig.toml). */
import { writeIntoMemory } from "./temporary.ts";

writeIntoMemory();
