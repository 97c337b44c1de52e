/**
 * `limelight serve`. What it takes to open the site is loaded once the pages kept from before are answered,
 * so this file and what it imports stay small.
 */
import type { Command } from "./command.ts";
import { answerFirst } from "./firstAnswers.ts";
import { serveLogs } from "./serveLogs.ts";

export const serve: Command = {
  name: "serve",
  summary: "serves the site (also when no command is given)",
  async run(config) {
    const logs = serveLogs();
    const first = answerFirst(config, logs.noteRequest);
    // Loading takes all of the processor: whoever has waited for the site to listen is answered before it.
    if (first) await Bun.sleep(WAITING_MS);
    return (await import("./serveSite.ts")).serveSite(config, logs, first);
  },
};

const WAITING_MS = 4;
