/** Finds a Chromium to test with: the one CHROMIUM_PATH names, else the one from npm. */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ON_DISK } from "./temporary.ts";

/**
 * Flags for a container: no sandbox, no GPU, no calls home. Web security stays on. Names that end in
 * .example (RFC 2606), which nobody has, are found on this machine, to try what a public address gets.
 */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--host-resolver-rules=MAP *.example 127.0.0.1",
];

/** The path of a browser that can be started as it is. */
export async function chromiumPath(): Promise<string> {
  return process.env["CHROMIUM_PATH"] ?? (await packagedChromium());
}

/** Unpacks the packaged browser; a script around it names the libraries and fonts it came with. */
async function packagedChromium(): Promise<string> {
  // The package unpacks its libraries only where it believes to run on this platform.
  process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const binary = await onDisk(() => chromium.executablePath());
  const [libraries, fonts] = [join(ON_DISK, "al2023/lib"), join(ON_DISK, "fonts")];
  return cacheScript(
    `#!/bin/sh\nexport LD_LIBRARY_PATH="${libraries}" FONTCONFIG_PATH="${fonts}"\nexec "${binary}" "$@"\n`,
  );
}

/** Kept beside what was unpacked, once for all runs; whole at every moment, as several may begin at once. */
async function cacheScript(text: string): Promise<string> {
  const path = join(ON_DISK, `limelight-chromium-${Bun.hash(text).toString(36)}`);
  if (existsSync(path)) return path;
  const temporary = `${path}-${process.pid}`;
  await writeFile(temporary, text, { mode: 0o755 });
  await rename(temporary, path);
  return path;
}

/** The package unpacks into the temporary folder, once for all runs. */
async function onDisk<T>(unpack: () => Promise<T>): Promise<T> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = ON_DISK;
  try {
    return await unpack();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}
