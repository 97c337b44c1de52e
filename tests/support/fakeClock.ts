/** A clock for the built program that a test sets, by libfaketime (a Debian package; `LIBFAKETIME` names another). */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LIBRARY =
  process.env["LIBFAKETIME"] ??
  `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

/** Whether clocks can be set on this machine; tests that need it are skipped where they can't. */
export const canJump = existsSync(LIBRARY);
if (!canJump)
  console.warn(`Clocks don't jump here: there is no ${LIBRARY} (LIBFAKETIME names another).`);

/** Variables of a program whose clock is the one that `jump` sets in this folder. */
export const clockIn = (folder: string) => ({
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: join(folder, "clock"),
  FAKETIME_NO_CACHE: "1",
  // Timers and timeouts go by the time that passes.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

/**
 * From now on the clock is ahead of ours, or behind, by this, such as `+400d` or, in seconds, `-3.5`. A program reads
 * the file whenever it asks for the time, so it finds a whole one there.
 */
export async function jump(folder: string, by: string): Promise<void> {
  const next = join(folder, "clock.next");
  await writeFile(next, by);
  await rename(next, join(folder, "clock"));
}
