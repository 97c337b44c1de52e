/** The built program over the sample site of `limelight demo`, for looking at finished pages. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AS_OWNER, type Executable, ownerCalls } from "./executable.ts";
import { runProgram, serveProgram, siteIn } from "./program.ts";

/** A running site; `asOwner` makes the dashboard's calls. */
export type DemoSite = Pick<Executable, "url" | "asOwner" | "stop">;

/** Fills an empty site with the sample content and serves it on a free port. */
export async function startDemoSite(env: Record<string, string> = {}): Promise<DemoSite> {
  const site = siteIn(await mkdtemp(join(tmpdir(), "limelight-demo-")));
  const settings = { ...AS_OWNER, ...env };
  const filled = await runProgram(site, ["demo"], "", settings);
  if (filled.code !== 0) throw new Error(`The demo could not be made: ${filled.error}`);
  const serving = await serveProgram(site, settings);
  return {
    url: serving.url,
    asOwner: ownerCalls(serving.url),
    stop: () => serving.stop().then(() => rm(site.folder, { recursive: true, force: true })),
  };
}
