/**
 * The log of a serving site. Lines are buffered and written in batches, and a stalled reader (a pager, a full pipe)
 * never stops the site: unwritten lines wait in memory, up to a limit. Lines dropped beyond it are counted and
 * reported.
 */
import { dlopen, ptr } from "bun:ffi";
import { constants, fstatSync, openSync, type Stats, writeSync } from "node:fs";
import { codeOf } from "./caught.ts";

/** How long a line may be buffered, in milliseconds: a killed process loses this much of its log. */
const GATHERED_MS = 100;
/** In bytes; a full batch is written at once. */
const BATCH = 64 * 1024;
/** In bytes; the limit of what waits for a stalled reader. */
const MOST_WAITING = 1024 * 1024;
/** How long to wait for a stalled reader on exit, in milliseconds. */
const PATIENCE_MS = 2000;

/** Where lines are written. */
export interface LogOutput {
  /**
   * Writes as many bytes as it can without blocking; returns how many. Throws if it never will; a journal that is
   * gone returns 0 each time.
   */
  write(bytes: Uint8Array): number;
}

/** How much a line matters: "warning" needs attention, "error" is a bug or an exit. */
type Level = "error" | "warning" | "info";

/** Logs a line for whoever runs the site. Most lines worth logging are warnings, so that is the default. */
export type Log = (line: string, level?: Level) => void;

interface GatheredLog {
  /** One of many lines, such as a request's: written within 100 ms. */
  add(line: string, level?: Level): void;
  /** A line that somebody waits for: written immediately. */
  say(line: string, level?: Level): void;
  /** Flushes the buffer when the process ends, for at most two seconds. */
  end(): void;
}

/** A log on standard output (1) or standard error (2), flushed when the process exits. */
export function openLog(descriptor: 1 | 2): GatheredLog {
  const leads = isJournal(descriptor);
  const log = logTo(outputOf(descriptor), setTimeout, (line, level) =>
    leads ? withLevel(line, level) : line,
  );
  process.on("exit", () => log.end());
  return log;
}

/** `after` is injected so that tests don't have to wait. */
export function logTo(
  output: LogOutput,
  after: typeof setTimeout = setTimeout,
  inForm: (line: string, level: Level) => string = (line) => line,
): GatheredLog {
  let gathered: string[] = [];
  let size = 0;
  let leftOut = 0;
  let waiting: Uint8Array = new Uint8Array();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = () => (timer ??= after(flush, GATHERED_MS));

  function flush(): void {
    timer = undefined;
    write();
    if (waiting.length > 0 || gathered.length > 0) later();
  }

  /** Writes until the buffer is empty or the output accepts no more. */
  function write(): void {
    while (waiting.length > 0 || gathered.length > 0) {
      if (waiting.length === 0) waiting = nextBatch();
      try {
        waiting = waiting.subarray(output.write(waiting));
      } catch {
        // A closed pipe, a full disk: losing lines is better than stopping the site.
        leftOut += linesIn(waiting);
        waiting = NOTHING;
        return;
      }
      if (waiting.length > 0) return;
    }
  }

  function nextBatch(): Uint8Array {
    if (leftOut > 0) gathered.push(`log: ${leftOut} lines couldn't be written and are left out\n`);
    leftOut = 0;
    const text = gathered.join("");
    gathered = [];
    size = 0;
    return new TextEncoder().encode(text);
  }

  function gather(line: string): void {
    if (size + waiting.length + line.length >= MOST_WAITING) {
      leftOut++;
      return;
    }
    gathered.push(line, "\n");
    size += line.length + 1;
  }

  return {
    add(line, level = "info") {
      gather(inForm(line, level));
      // Only the timer retries a stalled reader.
      if (size >= BATCH && waiting.length === 0) write();
      else later();
    },
    say(line, level = "info") {
      gather(inForm(line, level));
      write();
      if (waiting.length > 0) later();
    },
    end() {
      const patience = performance.now() + PATIENCE_MS;
      write();
      while (waiting.length > 0 && performance.now() < patience) {
        Bun.sleepSync(5);
        write();
      }
    },
  };
}

const PRIORITY: Readonly<Record<Level, number>> = { error: 3, warning: 4, info: 6 };

/** The prefix that systemd's journal expects on each line (sd-daemon(3)). */
export const withLevel = (text: string, level: Level) =>
  text.replaceAll(/^/gm, `<${PRIORITY[level]}>`);

/** Whether the output is systemd's journal, which announces its socket (systemd.exec(5)). */
export function isJournal(descriptor: 1 | 2, named = process.env["JOURNAL_STREAM"]): boolean {
  const stats = named === undefined ? undefined : statsOf(descriptor);
  return stats !== undefined && named === `${stats.dev}:${stats.ino}`;
}

const NOTHING = new Uint8Array();

const linesIn = (bytes: Uint8Array) =>
  bytes.reduce((count, byte) => count + Number(byte === 10), 0);

function outputOf(descriptor: 1 | 2): LogOutput {
  const stats = statsOf(descriptor);
  if (!stats) return { write: (bytes) => bytes.length };
  if (stats.isSocket()) return socketOutput(descriptor);
  const own = stats.isFile() ? descriptor : (reopened(descriptor) ?? descriptor);
  return { write: (bytes) => written(own, bytes) };
}

/** Undefined for a descriptor that was closed before startup. */
function statsOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * Reopens a pipe or terminal, so that O_NONBLOCK doesn't affect other programs that write to it. Undefined for one
 * that belongs to another user; writes to it block.
 */
function reopened(descriptor: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return undefined;
  }
}

function written(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return 0;
    throw error;
  }
}

const DONT_WAIT = 0x40;
const NO_SIGNAL = 0x4000;

/** systemd's journal is a socket. Node's ways to write to one either block or need the event loop. */
function socketOutput(descriptor: number): LogOutput {
  try {
    const { symbols } = dlopen("libc.so.6", {
      send: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    });
    const send = (bytes: Uint8Array) =>
      Number(symbols.send(descriptor, ptr(bytes), bytes.length, DONT_WAIT | NO_SIGNAL));
    return { write: (bytes) => Math.max(0, send(bytes)) };
  } catch {
    // Another C library: writes block, as in any program.
    return { write: (bytes) => written(descriptor, bytes) };
  }
}
