/** The log of a serving site. Request lines are batched; all other lines are written at once. */
import { fstatSync, writeSync } from "node:fs";
import { getErrorCode } from "./errorDetails.ts";

/** The longest delay of a line in a batch, in milliseconds. A killed process loses the lines of this time. */
const BATCH_DELAY_MS = 100;
/** The size of a batch, in characters. A full batch is written immediately. */
const BATCH_SIZE_CHARACTERS = 64 * 1024;
/** The delay before another attempt to write to a full non-blocking pipe, in milliseconds. */
const RETRY_DELAY_MS = 5;

/** A line's severity: "warning" needs attention, "error" is a bug or an exit. */
type LogLevel = "error" | "warning" | "info";

/** Logs a line for the operator. The default level is "warning", as most logged lines are warnings. */
export type Log = (line: string, level?: LogLevel) => void;

/** A log on standard output (1) or standard error (2), flushed when the process exits. */
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
    /** Adds a routine line, such as a request's, to the batch, which is written within 100 ms. */
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
      // After a closed pipe or a full disk, losing lines is better than stopping the site.
      if (getErrorCode(error) !== "EAGAIN") return;
      Bun.sleepSync(RETRY_DELAY_MS);
    }
}

const PRIORITY_BY_LEVEL: Readonly<Record<LogLevel, number>> = { error: 3, warning: 4, info: 6 };

/** The prefix that systemd's journal expects on each line (sd-daemon(3)). */
export const addLevelPrefix = (text: string, level: LogLevel) =>
  text.replaceAll(/^/gm, `<${PRIORITY_BY_LEVEL[level]}>`);

/** Whether the output is systemd's journal, which announces its socket in JOURNAL_STREAM (systemd.exec(5)). */
export function isJournal(
  descriptor: 1 | 2,
  journalSocket = process.env["JOURNAL_STREAM"],
): boolean {
  if (journalSocket === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor);
    return journalSocket === `${dev}:${ino}`;
  } catch {
    // The descriptor was closed before the process started.
    return false;
  }
}
