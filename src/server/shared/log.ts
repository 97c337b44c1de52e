/**
 * The log of a serving site. Lines are gathered and written many at a time, and a reader that stalls (a
 * pager, a full pipe) never stops the site: what it doesn't take waits in memory, up to a bound, and what
 * is left out after that is counted and said.
 */
import { dlopen, ptr } from "bun:ffi";
import { constants, fstatSync, openSync, type Stats, writeSync } from "node:fs";

/** How long a line may wait for others, in milliseconds: what a killed process loses of its log. */
const GATHERED_MS = 100;
/** In bytes; so much is written at once. */
const BATCH = 64 * 1024;
/** In bytes; what waits for a reader that stalls. */
const MOST_WAITING = 1024 * 1024;
/** How long a reader that stalls is waited for at the end, in milliseconds. */
const PATIENCE_MS = 2000;

/** Where lines go. */
export interface LogOutput {
  /**
   * Takes as many of the bytes as it can without waiting; returns how many. Throws where it is known that it never
   * will; a journal that is gone takes none each time.
   */
  write(bytes: Uint8Array): number;
}

/** How much a line matters: "warning" is what somebody should look at, "error" a fault or an end. */
type Level = "error" | "warning" | "info";

/** Takes a line for whoever runs the site; most that is worth one is a warning, so that is the default. */
export type Log = (line: string, level?: Level) => void;

interface GatheredLog {
  /** A line among many others, such as that of a request: written within 100 ms. */
  add(line: string, level?: Level): void;
  /** A line that somebody waits for: written at once. */
  say(line: string, level?: Level): void;
  /** Writes what waits, for at most two seconds; for the end of the process. */
  end(): void;
}

/** A log on standard output (1) or standard error (2), written to its end when the process exits. */
export function openLog(descriptor: 1 | 2): GatheredLog {
  const leads = isJournal(descriptor);
  const log = logTo(outputOf(descriptor), setTimeout, (line, level) =>
    leads ? withLevel(line, level) : line,
  );
  process.on("exit", () => log.end());
  return log;
}

/** `after` is a timer's, so that tests need not wait. */
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

  /** Writes until nothing is left, or nothing more is taken. */
  function write(): void {
    while (waiting.length > 0 || gathered.length > 0) {
      if (waiting.length === 0) waiting = nextBatch();
      try {
        waiting = waiting.subarray(output.write(waiting));
      } catch {
        // A closed pipe, a full disk: the site is worth more than its log.
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
      // A reader that stalls is asked again by the timer alone.
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

/** As the journal of systemd takes it from the beginning of each line (sd-daemon(3)). */
export const withLevel = (text: string, level: Level) =>
  text.replaceAll(/^/gm, `<${PRIORITY[level]}>`);

/** Whether the journal reads it, which names the socket that it has given (systemd.exec(5)). */
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

/** Undefined for a descriptor that was closed before the start. */
function statsOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * A pipe or terminal once more, for which "don't wait" then holds without holding for the other programs
 * that write to it. Undefined for somebody else's, which is waited for.
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
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}

const DONT_WAIT = 0x40;
const NO_SIGNAL = 0x4000;

/** The journal of systemd is a socket. What Node has for one either waits or needs the event loop. */
function socketOutput(descriptor: number): LogOutput {
  try {
    const { symbols } = dlopen("libc.so.6", {
      send: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    });
    const send = (bytes: Uint8Array) =>
      Number(symbols.send(descriptor, ptr(bytes), bytes.length, DONT_WAIT | NO_SIGNAL));
    return { write: (bytes) => Math.max(0, send(bytes)) };
  } catch {
    // Another C library: waited for, as any program does.
    return { write: (bytes) => written(descriptor, bytes) };
  }
}
