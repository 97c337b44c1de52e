/**
 * Builds Limelight: the web bundle, its precompressed files, and one executable that carries them.
 *
 *   bun build.ts                          dist/limelight for this machine
 *   bun build.ts --target linux-arm64     dist/limelight-linux-arm64
 *   bun build.ts --web-only               dist/web alone, for running from source
 *   bun build.ts --release                dist/release: all programs, checksums, signatures, materials, licenses
 *   bun build.ts --release --unaudited    the same, even if packages have known vulnerabilities
 *
 * RELEASE_PUBLIC_KEY (minisign's line) is the key with which the executable verifies upgrades.
 */
import { auditPackages } from "./src/build/auditPackages.ts";
import { checkProgramSize, checkWebSize } from "./src/build/budget.ts";
import { buildExecutable } from "./src/build/executable.ts";
import { parseBuildOptions } from "./src/build/options.ts";
import { readReleaseKey, writeRelease } from "./src/build/release.ts";
import { type Target, TARGETS } from "./src/build/runtimes.ts";
import { buildWeb } from "./src/build/web.ts";

const options = parseBuildOptions(process.argv.slice(2));

const startTime = performance.now();
// First, so that a missing key is reported immediately.
const signingKey = options.release ? await readReleaseKey(process.env) : undefined;
if (signingKey && !options.unaudited) await auditPackages(process.env);
const webManifest = await buildWeb("dist/web");
await checkWebSize("dist/web");
console.log(`web      ${webManifest.files.length} files in dist/web`);
if (signingKey) {
  const programPaths: Record<string, string> = {};
  for (const target of TARGETS)
    programPaths[target] = await buildProgram(target, signingKey.publicKey);
  const files = await writeRelease({ folder: "dist/release", programPaths, key: signingKey });
  for (const name of files) console.log(`release  dist/release/${name}`);
} else if (!options.webOnly) {
  await buildProgram(options.target, process.env["RELEASE_PUBLIC_KEY"]);
}
console.log(`built in ${Math.round(performance.now() - startTime)} ms`);

async function buildProgram(target: Target | undefined, releaseKey: string | undefined) {
  const path = await buildExecutable({ web: "dist/web", target, releaseKey });
  checkProgramSize(path);
  console.log(`program  ${path} (${Math.round(Bun.file(path).size / 1e6)} MB)`);
  return path;
}
