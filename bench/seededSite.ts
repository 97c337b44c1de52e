/** A site with many submissions and subscriptions, and functions that call it. */
import { mkdir } from "node:fs/promises";
import type { Answer } from "../tests/support/client.ts";
import { enquiry } from "../tests/support/enquirySite.ts";
import { siteIn, startProgram } from "../tests/support/program.ts";
import { memoryOf } from "./measure.ts";
import { seedEnquiries } from "./seedEnquiries.ts";

/** Starts a site below `folder` with `count` of each, and logs the owner in. */
export async function startSeededSite(folder: string, count: number) {
  await mkdir(folder, { recursive: true });
  await seedEnquiries(siteIn(folder).dataDir, count);
  // The first start marks the folders, so a restart is measured.
  await (await startProgram({ folder, env: { RATE_LIMIT: "off" } })).stop();
  const site = await startProgram({ folder, env: { RATE_LIMIT: "off" } });
  const started = performance.now() - site.firstAnswer;
  const resident = async () => Math.round((await memoryOf(site.pid)).resident);
  const rssAtStart = await resident();
  const loggingIn = performance.now();
  const owner = await site.owner();
  const loggedIn = performance.now() - loggingIn;
  await expectStatus(200, owner.get("/api/form-submissions/form?limit=20"));
  // Checking a password takes a while, which an owner with a session doesn't wait for.
  const firstListMs = performance.now() - started - loggedIn;
  return {
    url: site.url,
    startMs: site.firstAnswer,
    firstListMs,
    rssAtStart,
    list: (path: string) => expectStatus(200, owner.get(path)),
    search: (path: string) => expectStatus(200, owner.post(`${path}/search`, { search: "needle" })),
    put: (path: string, body: object) => expectStatus(200, owner.put(path, body)),
    submit: () => expectStatus(201, owner.post("/api/form-submissions", enquiry())),
    rss: resident,
    stop: () => site.stop(),
  };
}

async function expectStatus(status: number, call: Promise<Answer>): Promise<any> {
  const answer = await call;
  if (answer.status !== status) throw new Error(`Returned ${answer.status}: ${answer.text}`);
  return answer.body;
}
