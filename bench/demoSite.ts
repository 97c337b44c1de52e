/** A sample site that an executable creates and serves. */
import { serveProgram, toSiteFolder } from "../tests/support/program.ts";
import { OWNER_ENV, createCallers } from "../tests/support/site.ts";
import { createTemporaryFolder } from "./measure.ts";

/** Starts the site. `build` is the path of an executable; `removeSiteFolder` removes the site's folder. */
export async function startDemoSite(build: string, env: Record<string, string> = OWNER_ENV) {
  const site = toSiteFolder(await createTemporaryFolder());
  const demoEnv = {
    ...OWNER_ENV,
    PATH: process.env["PATH"] ?? "",
    DATA_DIR: site.dataDir,
    UPLOADS_DIR: site.uploadsDir,
  };
  await Bun.spawn([build, "demo", "--fill"], { cwd: site.folder, env: demoEnv, stdout: "ignore" })
    .exited;
  const serving = await serveProgram(site, env, { command: [build], readyPath: "/" });
  return { ...site, build, serving, ...createCallers(serving.url) };
}
