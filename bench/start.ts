/** Time from start to first answer of a filled site, against a bare Bun server started in turns; and idle memory. */
import {
  newSiteFolder,
  removeFolder,
  serveProgram,
  type SiteFolder,
  startProgram,
} from "../tests/support/program.ts";
import { median, memoryOf } from "./measure.ts";

const ROUNDS = 15;
const BARE = `Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", fetch: () => new Response("hello") })`;

const site = await startProgram({ sample: true });
await Bun.sleep(3000);
const idle = await memoryOf(site.pid);

const [filled, empty] = [await newSiteFolder({ sample: true }), await newSiteFolder()];
const ours: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await firstAnswer(filled));
  bare.push(await firstAnswer(empty, [process.execPath, "-e", BARE]));
}
await Promise.all([site.stop(), removeFolder(filled), removeFolder(empty)]);

const ratio = median(ours) / median(bare);
console.log(
  `start to first answer   ${median(ours).toFixed(0)} ms (the sample site's home page), ` +
    `${ratio.toFixed(1)} times a bare Bun server (${median(bare).toFixed(0)} ms)`,
);
console.log(
  `idle memory             ${idle.resident.toFixed(0)} MB resident, ` +
    `${idle.anonymous.toFixed(0)} MB of it not backed by a file`,
);

async function firstAnswer(folder: SiteFolder, command?: string[]): Promise<number> {
  const server = await serveProgram(folder, {}, { command, ready: "/" });
  await server.stop();
  return server.firstAnswer;
}
