/**
 * The outbox under load: `bun bench/outbox.ts` queues 10,000 messages while pages are requested, then sends some at
 * the usual pace to a mail server in its own process, and prints the cost of both.
 */
import { entities } from "../src/schema/index.ts";
import type { AppContext } from "../src/server/app.ts";
import { startSite } from "../tests/support/startSite.ts";
import { costOf, startMailProcess, waits } from "./besideMail.ts";
import { say } from "./measure.ts";

const COUNT = 10_000;
/** Messages sent before the measurement and during it; frequently called code is compiled by then. */
const WARM = 500;
const MEASURED = 500;
/** About the size of one write. */
const STORED_AT_ONCE = 25;
/** Messages that are due this much later stay queued meanwhile. */
const LATER_MS = 60 * 60_000;

const mailServer = await startMailProcess();
let context!: AppContext;
const site = await startSite({
  env: { MAIL_URL: mailServer.url, MAIL_FROM: "Vera <site@example.com>", RATE_LIMIT: "off" },
  plugins: (appContext) => {
    context = appContext;
    return [];
  },
});
const { outbox } = context.mail;
const html = `<p>${"words ".repeat(300)}</p>`;
const messages = site.store.of(entities.outbox);
const sent = async () => (await messages.keys({ state: "sent" })).length;
const message = { kind: "enquiry", subject: "News", text: "words", html } as const;
/** Queues this many messages, several in one write, and yields in between. */
async function queue(count: number, more: { sendAt?: number } = {}): Promise<void> {
  for (let at = 0; at < count; at += STORED_AT_ONCE)
    // oxlint-disable-next-line no-await-in-loop -- so that others get their turn
    await Promise.all(
      Array.from({ length: STORED_AT_ONCE }, (_, n) =>
        outbox.add({ ...message, ...more, to: `v${at + n}@example.com` }),
      ),
    );
}

const page = async () => {
  const began = performance.now();
  await (await fetch(site.url)).arrayBuffer();
  return performance.now() - began;
};
const quiet = await delays(page, Bun.sleep(3000));
const began = performance.now();
const waited = waits();
const queued = queue(COUNT, { sendAt: Date.now() + LATER_MS });
const busy = await delays(page, queued);
const seconds = (performance.now() - began) / 1000;
say(`${COUNT} messages queued`, `${seconds.toFixed(1)} s; meanwhile all else waited ${waited()}`);
say("a page meanwhile", `${summary(busy)}; before: ${summary(quiet)}`);

await queue(WARM + MEASURED + STORED_AT_ONCE);
while ((await sent()) < WARM) await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
const [from, since] = [await sent(), { cpu: process.cpuUsage(), at: performance.now() }];
while ((await sent()) < from + MEASURED) await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
say("messages sent", costOf((await sent()) - from, since));
await site.stop();
mailServer.kill();
process.exit(0);

/** Measures each request until the work is done, in milliseconds. Sorted. */
async function delays(request: () => Promise<number>, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const over = work.then(() => (state.isOver = true));
  while (!state.isOver) {
    times.push(await request()); // oxlint-disable-line no-await-in-loop -- one visitor
    await Bun.sleep(5); // oxlint-disable-line no-await-in-loop
  }
  await over;
  return times.toSorted((one, other) => one - other);
}

function summary(times: readonly number[]): string {
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return `median ${at(0.5)} ms, 99 of 100 under ${at(0.99)} ms, longest ${at(1)} ms (${times.length} pages)`;
}
