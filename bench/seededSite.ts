/** A site with many submissions and subscriptions, and functions that make calls to it. */
import { mkdir } from "node:fs/promises";
import type { TestResponse } from "../tests/support/client.ts";
import { createEnquiry } from "../tests/support/enquirySite.ts";
import { toSiteFolder, startProgram } from "../tests/support/program.ts";
import { readMemory } from "./measure.ts";
import { seedEnquiries } from "./seedEnquiries.ts";

/** Starts a site below `folder` with `count` submissions and as many subscriptions, and logs the owner in. */
export async function startSeededSite(folder: string, count: number) {
  await mkdir(folder, { recursive: true });
  await seedEnquiries(toSiteFolder(folder).dataDir, count);
  // The first start marks the folders, so the second start is measured.
  await (await startProgram({ folder, env: { RATE_LIMIT: "off" } })).stop();
  const site = await startProgram({ folder, env: { RATE_LIMIT: "off" } });
  const startedAt = performance.now() - site.firstResponseMs;
  const readResidentMemory = async () => Math.round((await readMemory(site.pid)).resident);
  const rssAtStart = await readResidentMemory();
  const loginStartedAt = performance.now();
  const owner = await site.owner();
  const loginMs = performance.now() - loginStartedAt;
  await expectStatus(200, owner.get("/api/form-submissions/form?limit=20"));
  // The login doesn't count: an owner with a session doesn't wait for the check of a password.
  const firstListMs = performance.now() - startedAt - loginMs;
  return {
    url: site.url,
    startMs: site.firstResponseMs,
    firstListMs,
    rssAtStart,
    list: (path: string) => expectStatus(200, owner.get(path)),
    search: (path: string) => expectStatus(200, owner.post(`${path}/search`, { search: "needle" })),
    put: (path: string, body: object) => expectStatus(200, owner.put(path, body)),
    submit: () => expectStatus(201, owner.post("/api/form-submissions", createEnquiry())),
    readMemory: readResidentMemory,
    stop: () => site.stop(),
  };
}

async function expectStatus(status: number, call: Promise<TestResponse>): Promise<any> {
  const response = await call;
  if (response.status !== status) throw new Error(`Returned ${response.status}: ${response.text}`);
  return response.body;
}
