/**
 * A clock for the built program that a test sets, by libfaketime (a Debian package; `LIBFAKETIME` names another).
 */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LIBRARY =
  process.env["LIBFAKETIME"] ??
  `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

/** Whether clocks can be set on this machine; tests that need it are skipped otherwise. */
export const canJump = existsSync(LIBRARY);
if (!canJump)
  console.warn(
    `Tests that set a clock are skipped: ${LIBRARY} is missing (LIBFAKETIME names another).`,
  );

/** Variables of a program whose clock `jump` sets in this folder. */
export const clockIn = (folder: string) => ({
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: join(folder, "clock"),
  FAKETIME_NO_CACHE: "1",
  // Timers and timeouts use the real time that passes.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

/**
 * From now on the clock is ahead of ours, or behind, such as `+400d` or, in seconds, `-3.5`. The file is replaced as
 * a whole, since a program reads it at every request for the time.
 */
export async function jump(folder: string, by: string): Promise<void> {
  const next = join(folder, "clock.next");
  await writeFile(next, by);
  await rename(next, join(folder, "clock"));
}
