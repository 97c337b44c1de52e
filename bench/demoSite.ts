/** A sample site that an executable creates and serves. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveProgram, siteIn } from "../tests/support/program.ts";
import { AS_OWNER, callersOf } from "../tests/support/site.ts";

/** Starts the site. `build` is the path of an executable; `removeFolder` removes the site's folder. */
export async function startDemoSite(build: string, env: Record<string, string> = AS_OWNER) {
  const site = siteIn(await mkdtemp(join(tmpdir(), "limelight-bench-")));
  const demoEnv = {
    ...AS_OWNER,
    PATH: process.env["PATH"] ?? "",
    DATA_DIR: site.dataDir,
    UPLOADS_DIR: site.uploadsDir,
  };
  await Bun.spawn([build, "demo", "--fill"], { cwd: site.folder, env: demoEnv, stdout: "ignore" })
    .exited;
  const serving = await serveProgram(site, env, { command: [build], ready: "/" });
  return { ...site, build, serving, ...callersOf(serving.url) };
}
