/** Time from start to first answer, against a bare Bun server started in turns; and idle memory. */
import { freePort, median, memoryOf, startServer, startSite } from "./site.ts";

const ROUNDS = 15;
const BARE = `Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", fetch: () => new Response("hello") })`;

const ours: number[] = [];
const bare: number[] = [];
const site = await startSite({ demo: true });
await Bun.sleep(3000);
const idle = await memoryOf(site.pid);
await site.stop();

for (let round = 0; round < ROUNDS; round++) {
  const limelight = await startSite();
  ours.push(limelight.firstAnswer);
  await limelight.stop();
  const port = freePort();
  const server = await startServer(["bun", "-e", BARE], port);
  bare.push(server.firstAnswer);
  server.kill();
  await server.exited;
}

const ratio = median(ours) / median(bare);
console.log(
  `start to first answer   ${median(ours).toFixed(0)} ms (new site), ${ratio.toFixed(1)} times a bare Bun server (${median(bare).toFixed(0)} ms)`,
);
console.log(
  `idle memory             ${idle.resident.toFixed(0)} MB resident, ${idle.anonymous.toFixed(0)} MB of it not backed by a file`,
);
