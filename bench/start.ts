/** Time from start to first answer of a filled site, against a bare Bun server started in turns; and idle memory. */
import { freePort } from "../tests/support/installedProgram.ts";
import {
  newSiteFolder,
  removeFolder,
  serveProgram,
  type SiteFolder,
  startProgram,
} from "../tests/support/program.ts";
import { median, memoryOf, middleOf, tell } from "./measure.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5) * 3;
const BARE = `Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", fetch: () => new Response("hello") })`;

const site = await startProgram({ sample: true });
await Bun.sleep(3000);
const idle = await memoryOf(site.pid);

const [filled, empty] = [await newSiteFolder({ sample: true }), await newSiteFolder()];
// As after any evening: the pages that visitors have asked for are kept for the next start.
const before = await serveProgram(filled, {});
await fetch(before.url).then((page) => page.bytes());
await Bun.sleep(3000);
await before.stop();
const ours: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await firstAnswer(filled));
  bare.push(await firstAnswer(empty, [process.execPath, "-e", BARE]));
}
await Promise.all([site.stop(), removeFolder(filled), removeFolder(empty)]);

const ratio = median(ours) / median(bare);
tell({
  what: "start to the first finished home page",
  ...middleOf(ours, "ms"),
  ratio: `${ratio.toFixed(1)} of a bare Bun server (${median(bare).toFixed(0)} ms)`,
  goal: "30 ms, 4 times",
});
tell({
  what: "idle memory with the sample site",
  median: `${idle.resident.toFixed(0)} MB`,
  ratio: `${idle.anonymous.toFixed(0)} MB of it not backed by a file`,
});

async function firstAnswer(folder: SiteFolder, command?: string[]): Promise<number> {
  // A port that is known beforehand: the program says which one it has only once the site is open.
  const env = { PORT: String(freePort()) };
  const server = await serveProgram(folder, env, { command, ready: "/" });
  await server.stop();
  return server.firstAnswer;
}
