/**
 * The home page beside what others send, each as it is installed (bench/peers): the CPU time of all processes
 * of a server for each page with 8 connections, in turns, what they hold in memory, what a browser downloads, and
 * the largest paint on a slow phone (processor slowed four times, 4G). The others show the content they come
 * with, a page of words; ours is the sample site with its pictures.
 *
 *   bun bench/peers.ts [seconds a round, default 3]
 */
import { closeBrowser } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { weigh } from "../tests/support/weigh.ts";
import { cpuOf, median, memoryOf, middleOf, say, tell } from "./measure.ts";
import { FOUR_G, paintOf } from "./onPhone.ts";
import { startGhost } from "./peers/ghost.ts";
import { startWordPress } from "./peers/wordpress.ts";

/** A running site, and the processes that it began with. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

const seconds = Number(process.argv[2] ?? 3);
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const CONNECTIONS = 8;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

const site = await startProgram({ sample: true, env: { RATE_LIMIT: "off" } });
const sites: Peer[] = [{ name: "Limelight", url: site.url, pids: [site.pid], stop: site.stop }];
try {
  for (const [name, start] of [
    ["WordPress", startWordPress],
    ["Ghost", startGhost],
  ] as const) {
    const peer = await start();
    if (typeof peer === "string") say(`${name}: home page`, `not measured: ${peer}`);
    else sites.push(peer);
  }
  const costs: number[][] = sites.map(() => []);
  for (let round = -1; round < ROUNDS; round++)
    for (const [at, peer] of sites.entries()) {
      const cost = await costOf(peer);
      // The first round warms up.
      if (round >= 0) costs[at]!.push(cost);
    }
  for (const [at, peer] of sites.entries()) await sayOf(peer, costs[at]!, costs[0]!);
} finally {
  await closeBrowser();
  for (const { stop } of sites) await stop();
}

async function sayOf({ name, url, pids }: Peer, costs: number[], ours: number[]): Promise<void> {
  const times = median(costs) / median(ours);
  const ratio = times === 1 ? {} : { ratio: `${times.toFixed(0)} times Limelight's` };
  tell({ what: `${name}: CPU for a home page`, ...middleOf(costs, "µs"), ...ratio });
  const all = await Promise.all((await withChildren(pids)).map(memoryOf));
  const anonymous = all.reduce((sum, each) => sum + each.anonymous, 0);
  say(`${name}: memory that no file backs`, `${anonymous.toFixed(0)} MB`);
  const { code, font, image } = await weigh((page) => page.goto(url));
  say(
    `${name}: download of /`,
    `${kilobytes(code)} HTML, styles and scripts, ${kilobytes(font)} fonts, ${kilobytes(image)} pictures`,
  );
  const paints: number[] = [];
  for (let round = 0; round < ROUNDS; round++) paints.push((await paintOf(url, FOUR_G)).paint);
  tell({ what: `${name}: largest paint, slow phone`, ...middleOf(paints, "ms") });
}

/** Microseconds of all processes of a site for each page that it sends. */
async function costOf({ url, pids }: Peer): Promise<number> {
  const all = await withChildren(pids);
  const spent = async () =>
    (await Promise.all(all.map(cpuOf))).reduce((sum, each) => sum + each, 0);
  const before = await spent();
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      const page = await fetch(url);
      if (!page.ok) throw new Error(`${url} answers ${page.status}.`);
      await page.bytes();
      sent++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor));
  return ((await spent()) - before) / sent;
}

/** Processes and those that they have started. */
async function withChildren(pids: readonly number[]): Promise<number[]> {
  const below = await Promise.all(
    pids.map(async (pid) => {
      const children = await Bun.file(`/proc/${pid}/task/${pid}/children`).text();
      return withChildren(children.trim().split(" ").filter(Boolean).map(Number));
    }),
  );
  return [...pids, ...below.flat()];
}
