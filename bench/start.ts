/**
 * Measures the time from start to the first page, of a filled site and of a site with many submissions and
 * subscriptions, compared with a bare Bun server started in turns. Also measures idle memory.
 */
import {
  createSiteFolder,
  removeSiteFolder,
  serveProgram,
  type SiteFolder,
  startProgram,
} from "../tests/support/program.ts";
import { median, readMemory, summarizeFigures, printRow } from "./measure.ts";
import { seedEnquiries } from "./seedEnquiries.ts";
import { findFreePort } from "../tests/support/ports.ts";

const MANY = 100_000;
const ROUNDS = Number(process.env["ROUNDS"] ?? 5) * 3;
const BARE_SERVER_CODE = `Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", fetch: () => new Response("hello") })`;

const site = await startProgram({ hasSample: true });
await Bun.sleep(3000);
const idle = await readMemory(site.pid);

const [filled, full, empty] = [
  await createSiteFolder({ sample: true }),
  await createSiteFolder(),
  await createSiteFolder(),
];
await seedEnquiries(full.dataDir, MANY);
const ourTimes: number[] = [];
const manyTimes: number[] = [];
const bareTimes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ourTimes.push(await measureFirstPage(filled));
  manyTimes.push(await measureFirstPage(full));
  bareTimes.push(await measureFirstPage(empty, [process.execPath, "-e", BARE_SERVER_CODE]));
}
await Promise.all([site.stop(), ...[filled, full, empty].map(removeSiteFolder)]);

const formatRatio = (figures: readonly number[]) =>
  `${(median(figures) / median(bareTimes)).toFixed(1)} of a bare Bun server (${median(bareTimes).toFixed(0)} ms)`;
const manyLabel = `${MANY.toLocaleString("en")} submissions and subscriptions`;
printRow({
  what: "start to the first finished home page",
  ...summarizeFigures(ourTimes, "ms"),
  ratio: formatRatio(ourTimes),
  goal: "200 ms",
});
printRow({
  what: `the same with ${manyLabel}`,
  ...summarizeFigures(manyTimes, "ms"),
  ratio: formatRatio(manyTimes),
  goal: "2 s",
});
printRow({
  what: "idle memory with the sample site",
  median: `${idle.resident.toFixed(0)} MB`,
  ratio: `${idle.anonymous.toFixed(0)} MB of it not backed by a file`,
});

/** Measures the time from a start to the first page, in milliseconds. Without a command, the program is started. */
async function measureFirstPage(folder: SiteFolder, command?: string[]): Promise<number> {
  // A fixed port, since the program prints its port only once the site is open.
  const env = { PORT: String(findFreePort()) };
  const server = await serveProgram(folder, env, { command, readyPath: "/" });
  await server.stop();
  return server.firstResponseMs;
}
