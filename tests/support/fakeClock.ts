/**
 * A clock for the built program that a test can set, by libfaketime (a Debian package; `LIBFAKETIME` names another
 * path).
 */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LIBRARY_PATH =
  process.env["LIBFAKETIME"] ??
  `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

/** Whether clocks can be set on this machine. If not, tests that need it are skipped. */
export const canSetClock = existsSync(LIBRARY_PATH);
if (!canSetClock)
  console.warn(
    `Tests that set a clock are skipped: ${LIBRARY_PATH} is missing (LIBFAKETIME names another).`,
  );

/** Returns variables for a program whose clock `setClockOffset` sets in this folder. */
export const createClockEnv = (folder: string) => ({
  LD_PRELOAD: LIBRARY_PATH,
  FAKETIME_TIMESTAMP_FILE: join(folder, "clock"),
  FAKETIME_NO_CACHE: "1",
  // Timers and timeouts use the real time that passes.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

/**
 * Sets the clock ahead of ours or behind, by an offset such as `+400d` or, in seconds, `-3.5`. The file is replaced as
 * a whole, since a program reads it whenever it asks for the time.
 */
export async function setClockOffset(folder: string, offset: string): Promise<void> {
  const next = join(folder, "clock.next");
  await writeFile(next, offset);
  await rename(next, join(folder, "clock"));
}
