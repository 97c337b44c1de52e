/** The log of a running site. Request lines are written in batches, all other lines immediately. */
import { fstatSync, writeSync } from "node:fs";
import { getErrorCode } from "./errorDetails.ts";

/** The longest time that a line waits in a batch. A killed process loses the waiting lines. */
const BATCH_DELAY_MS = 100;
const BATCH_SIZE_CHARACTERS = 64 * 1024;
/** The delay before the next attempt to write to a full non-blocking pipe. */
const RETRY_DELAY_MS = 5;

/** A line's severity. "warning" is for what needs attention, "error" for a bug or an exit of the program. */
type LogLevel = "error" | "warning" | "info";

/** Logs a line for the operator. The default level is "warning", because most lines are warnings. */
export type Log = (line: string, level?: LogLevel) => void;

/** Opens a log on standard output (1) or standard error (2). The log is flushed when the process exits. */
export function openLog(descriptor: 1 | 2) {
  const hasLevels = isJournal(descriptor);
  let batch = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.from(batch);
    batch = "";
    writeAll(descriptor, bytes);
  };
  const addToBatch = (line: string, level: LogLevel) =>
    (batch += `${hasLevels ? addLevelPrefix(line, level) : line}\n`);
  process.on("exit", flush);
  return {
    /** Adds a routine line, such as a request line, to the batch. The batch is written within 100 ms. */
    add(line: string, level: LogLevel = "info") {
      addToBatch(line, level);
      if (batch.length >= BATCH_SIZE_CHARACTERS) flush();
      else timer ??= setTimeout(flush, BATCH_DELAY_MS);
    },
    /** Writes an urgent line immediately, after the lines that are still in the batch. */
    writeNow(line: string, level: LogLevel = "info") {
      addToBatch(line, level);
      flush();
    },
  };
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let writtenBytes = 0; writtenBytes < bytes.length;)
    try {
      writtenBytes += writeSync(descriptor, bytes, writtenBytes);
    } catch (error) {
      // Gives up on other errors, such as a closed pipe or a full disk: losing lines is better than stopping the site.
      if (getErrorCode(error) !== "EAGAIN") return;
      Bun.sleepSync(RETRY_DELAY_MS);
    }
}

const PRIORITY_BY_LEVEL: Readonly<Record<LogLevel, number>> = { error: 3, warning: 4, info: 6 };

/** Adds to each line the prefix with which systemd's journal recognizes the level (sd-daemon(3)). */
export const addLevelPrefix = (text: string, level: LogLevel) =>
  text.replaceAll(/^/gm, `<${PRIORITY_BY_LEVEL[level]}>`);

/** Whether the output goes to systemd's journal, whose socket is in the variable JOURNAL_STREAM (systemd.exec(5)). */
export function isJournal(
  descriptor: 1 | 2,
  journalSocket = process.env["JOURNAL_STREAM"],
): boolean {
  if (journalSocket === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor);
    return journalSocket === `${dev}:${ino}`;
  } catch {
    // `fstatSync` throws if the descriptor was closed before the process started.
    return false;
  }
}
