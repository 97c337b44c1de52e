/**
 * The outbox under load: `bun bench/outbox.ts` queues 10,000 messages while pages are requested, then sends some of
 * them at the usual pace to a mail server in its own process, and prints what queueing and sending cost.
 */
import { entities } from "../src/schema/index.ts";
import type { AppContext } from "../src/server/app.ts";
import { startSite } from "../tests/support/startSite.ts";
import { formatCost, startMailProcess, measureWaits } from "./mailLoad.ts";
import { measureDuring, measureTime, printFigure } from "./measure.ts";

const COUNT = 10_000;
/** The numbers of messages sent before the measurement, so that frequent code is compiled, and during it. */
const WARM_UP_MESSAGES = 500;
const MEASURED_MESSAGES = 500;
/** The number of messages queued at once, about as many as one write stores. */
const BATCH_SIZE = 25;
/** Messages that are due this much later, in milliseconds, stay queued during the measurement. */
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
const countSent = async () => (await messages.readKeys({ state: "sent" })).length;
const message = { kind: "enquiry", subject: "News", text: "words", html } as const;
/** Queues this many messages, several in one write, and lets other work run in between. */
async function queueMessages(count: number, options: { sendAt?: number } = {}): Promise<void> {
  for (let first = 0; first < count; first += BATCH_SIZE)
    // oxlint-disable-next-line no-await-in-loop -- so that others get their turn
    await Promise.all(
      Array.from({ length: BATCH_SIZE }, (_, offset) =>
        outbox.add({ ...message, ...options, to: `v${first + offset}@example.com` }),
      ),
    );
}

const measurePage = () => measureTime(async () => (await fetch(site.url)).arrayBuffer());
const quietTimes = await measureDuring(measurePage, Bun.sleep(3000));
const startedAt = performance.now();
const formatWaits = measureWaits();
const queued = queueMessages(COUNT, { sendAt: Date.now() + LATER_MS });
const busyTimes = await measureDuring(measurePage, queued);
const seconds = (performance.now() - startedAt) / 1000;
printFigure(
  `${COUNT} messages queued`,
  `${seconds.toFixed(1)} s; meanwhile all else waited ${formatWaits()}`,
);
printFigure(
  "a page meanwhile",
  `${formatSummary(busyTimes)}; before: ${formatSummary(quietTimes)}`,
);

await queueMessages(WARM_UP_MESSAGES + MEASURED_MESSAGES + BATCH_SIZE);
while ((await countSent()) < WARM_UP_MESSAGES) await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
const [sentBefore, since] = [await countSent(), { cpu: process.cpuUsage(), at: performance.now() }];
while ((await countSent()) < sentBefore + MEASURED_MESSAGES) await Bun.sleep(100); // oxlint-disable-line no-await-in-loop
printFigure("messages sent", formatCost((await countSent()) - sentBefore, since));
await site.stop();
mailServer.kill();
process.exit(0);

function formatSummary(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const formatPercentile = (share: number) =>
    sorted[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return `median ${formatPercentile(0.5)} ms, 99 of 100 under ${formatPercentile(0.99)} ms, longest ${formatPercentile(1)} ms (${times.length} pages)`;
}
