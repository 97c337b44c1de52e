/** The application in a process of its own, as the bench calls it. */
import { createApp } from "../src/server/app.ts";
import { openSite } from "../src/server/cli/openSite.ts";
import { readConfig } from "../src/server/config.ts";
import { LISTENING } from "../src/server/http/frontDoor.ts";
import { loadWebBuild } from "../src/server/pages/webBuild.ts";
import { keepForgetting } from "../src/server/visitors/retention.ts";
import { Client } from "../tests/support/client.ts";
import { enquiry } from "../tests/support/enquirySite.ts";
import { OWNER } from "../tests/support/site.ts";

/** Starts a site over a seeded data folder, waits for its first answer and logs the owner in. */
export async function startSeededSite(directory: string) {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, import.meta.path, directory], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const client = new Client(await firstLine(child.stdout));
  await expectStatus(200, client.get("/api/health"));
  const startMs = performance.now() - started;
  const rssAtStart = await residentMegabytes(child.pid);
  const { username, password } = OWNER;
  await expectStatus(200, client.post("/api/auth/login", { username, password }));

  return {
    startMs,
    rssAtStart,
    list: (path: string) => expectStatus(200, client.get(path)),
    submit: () => expectStatus(201, client.post("/api/form-submissions", enquiry())),
    rss: () => residentMegabytes(child.pid),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function expectStatus(status: number, call: Promise<{ status: number; text: string }>) {
  const answer = await call;
  if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${answer.text}`);
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.trim();
}

/** The resident set, as Linux counts it. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** With its limits off and its sweeps on. */
async function serve(directory: string): Promise<string> {
  const { config } = readConfig(
    ["--data-dir", directory, "--uploads-dir", `${directory}-uploads`, "--rate-limit", "off"],
    {},
  );
  const { store, library } = await openSite(config, console.error);
  const app = await createApp({ store, config, library, build: await loadWebBuild() });
  app.listen({ ...LISTENING, hostname: "127.0.0.1", port: 0 });
  keepForgetting(store, config.retentionDays, console.error);
  return `http://127.0.0.1:${app.server!.port}`;
}

if (import.meta.main) console.log(await serve(process.argv[2]!));
