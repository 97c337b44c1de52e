/**
 * The outbox under a crowd: `bun bench/outbox.ts` queues 10,000 messages while pages are asked for, then sends at
 * the usual pace for ten seconds to a mail server in a process of its own, and says what both cost.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../src/schema/index.ts";
import type { AppContext } from "../src/server/app.ts";
import { startSite } from "../tests/support/startSite.ts";
import { startMailServer } from "../tests/support/mailServer.ts";

const COUNT = 10_000;

if (process.argv[2] === "server") {
  const server = await startMailServer({ login: false, plain: true });
  process.stdout.write(`${server.port}\n`);
} else await measure();

async function measure(): Promise<void> {
  const mailServer = Bun.spawn([process.execPath, import.meta.path, "server"], { stdout: "pipe" });
  const { value } = await mailServer.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  const folder = await mkdtemp(join(tmpdir(), "limelight-bench-"));
  let context!: AppContext;
  const MAIL_URL = `smtp://127.0.0.1:${port}`;
  const site = await startSite({
    env: { MAIL_URL, MAIL_FROM: "Vera <site@example.com>", RATE_LIMIT: "off" },
    plugins: (given) => {
      context = given;
      return [];
    },
  });
  const { outbox } = context.mail;
  let mayGo = false;
  const html = `<p>${"words ".repeat(300)}</p>`;
  // As what is sent in bulk does it: the words are written when a message is due.
  const write = () => ({ subject: "News", text: "words", html });
  outbox.handle("digest", { isBulk: true, mayGo: () => mayGo, write });
  const empty = { kind: "digest", subject: "News", text: "", html: "" } as const;
  const message = (at: number) => ({ ...empty, to: `v${at}@example.com` });

  const page = async () => {
    const began = performance.now();
    await (await fetch(site.url)).arrayBuffer();
    return performance.now() - began;
  };
  const quiet = await delays(page, Bun.sleep(3000));
  const began = performance.now();
  const queued = outbox.addAll(Array.from({ length: COUNT }, (_, at) => message(at)));
  const busy = await delays(page, queued);
  const took = performance.now() - began;
  say(`${COUNT} messages queued in ${(took / 1000).toFixed(1)} s`);
  say(`a page meanwhile: ${told(busy)}; before: ${told(quiet)}`);

  mayGo = true;
  const cpu = process.cpuUsage();
  const start = performance.now();
  outbox.wake();
  await Bun.sleep(10_000);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  const sent = (await site.store.of(entities.outbox).keys({ state: "sent" })).length;
  const share = (user + system) / 10_000 / seconds;
  say(`${(sent / seconds).toFixed(0)} a second sent, ${share.toFixed(1)} % of a core`);
  mailServer.kill();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

/** How long each page took until the work was done, in milliseconds. */
async function delays(page: () => Promise<number>, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const over = work.then(() => (state.isOver = true));
  while (!state.isOver) {
    times.push(await page()); // oxlint-disable-line no-await-in-loop -- one visitor
    await Bun.sleep(5); // oxlint-disable-line no-await-in-loop
  }
  await over;
  return times.toSorted((one, other) => one - other);
}

function told(times: readonly number[]): string {
  return ["median", 0.5, "99 of 100 under", 0.99, "longest", 1]
    .reduce<string[]>((words, each) => {
      if (typeof each === "string") return [...words, each];
      const at = Math.min(times.length - 1, Math.floor(times.length * each));
      return [...words, `${times[at]!.toFixed(1)} ms,`];
    }, [])
    .join(" ")
    .replace(/,$/, ` (${times.length} pages)`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
