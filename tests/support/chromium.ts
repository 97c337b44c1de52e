/** Finds a Chromium to test with: the path in CHROMIUM_PATH, or else Chromium from npm. */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DISK_FOLDER } from "./temporary.ts";

/**
 * Flags for a container: no sandbox, no GPU, no background requests. Web security stays on. Names ending in .example
 * (RFC 2606) lead to this machine, to test public addresses.
 */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--host-resolver-rules=MAP *.example 127.0.0.1",
];

/** Returns the path of a browser that can be started directly. */
export async function findChromium(): Promise<string> {
  return process.env["CHROMIUM_PATH"] ?? (await unpackChromium());
}

/** Unpacks the packaged browser. Returns a script that starts it with its libraries and fonts. */
async function unpackChromium(): Promise<string> {
  // The package unpacks its libraries only on this platform.
  process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const binary = await withDiskFolder(() => chromium.executablePath());
  const [libraries, fonts] = [join(DISK_FOLDER, "al2023/lib"), join(DISK_FOLDER, "fonts")];
  return cacheScript(
    `#!/bin/sh\nexport LD_LIBRARY_PATH="${libraries}" FONTCONFIG_PATH="${fonts}"\nexec "${binary}" "$@"\n`,
  );
}

/**
 * Stores a script beside the unpacked files, once for all runs. Returns its path. The file is never incomplete, since
 * several processes may start at the same time.
 */
async function cacheScript(text: string): Promise<string> {
  const path = join(DISK_FOLDER, `limelight-chromium-${Bun.hash(text).toString(36)}`);
  if (existsSync(path)) return path;
  const temporary = `${path}-${process.pid}`;
  await writeFile(temporary, text, { mode: 0o755 });
  await rename(temporary, path);
  return path;
}

/** Runs `unpack` with a folder on disk as temporary folder, so that it unpacks once for all runs. */
async function withDiskFolder<T>(unpack: () => Promise<T>): Promise<T> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = DISK_FOLDER;
  try {
    return await unpack();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}
