/** Time from start to first answer of a filled site, against a bare Bun server started in turns; and idle memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort, median, memoryOf, startServer } from "./measuredSite.ts";

const ROUNDS = 15;
const BARE = `Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1", fetch: () => new Response("hello") })`;

const root = await mkdtemp(join(tmpdir(), "limelight-start-"));
const env = { DATA_DIR: join(root, "data"), UPLOADS_DIR: join(root, "uploads") };
const program = resolve("dist/limelight");
await Bun.spawn([program, "demo"], { env: { ...process.env, ...env }, stdout: "ignore" }).exited;

const first = await startServer([program, "serve"], freePort(), env);
await Bun.sleep(3000);
const idle = await memoryOf(first.pid);
first.kill();
await first.exited;

const ours: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await timed([program, "serve"], env));
  bare.push(await timed(["bun", "-e", BARE], {}));
}
await rm(root, { recursive: true, force: true });

const ratio = median(ours) / median(bare);
console.log(
  `start to first answer   ${median(ours).toFixed(0)} ms (the sample site's home page), ` +
    `${ratio.toFixed(1)} times a bare Bun server (${median(bare).toFixed(0)} ms)`,
);
console.log(
  `idle memory             ${idle.resident.toFixed(0)} MB resident, ` +
    `${idle.anonymous.toFixed(0)} MB of it not backed by a file`,
);

async function timed(command: string[], settings: Record<string, string>): Promise<number> {
  const server = await startServer(command, freePort(), settings);
  server.kill();
  await server.exited;
  return server.firstAnswer;
}
