/**
 * Builds Limelight: the web bundle, its precompressed files, and one executable that carries them.
 *
 *   bun build.ts                          dist/limelight for this machine
 *   bun build.ts --target linux-arm64     dist/limelight-linux-arm64
 *   bun build.ts --web-only               dist/web alone, for running from source
 */
import { parseArgs } from "node:util";
import { buildExecutable } from "./src/build/executable.ts";
import { buildWeb } from "./src/build/web.ts";

const { values } = parseArgs({
  options: { target: { type: "string" }, "web-only": { type: "boolean", default: false } },
});

const started = performance.now();
const web = await buildWeb("dist/web");
console.log(`web      ${web.files.length} files in dist/web`);
if (!values["web-only"]) {
  const path = await buildExecutable({ web: "dist/web", target: values.target });
  console.log(`program  ${path} (${Math.round(Bun.file(path).size / 1e6)} MB)`);
}
console.log(`built in ${Math.round(performance.now() - started)} ms`);
