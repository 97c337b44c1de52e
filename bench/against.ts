/**
 * This build beside others, in turns: `bun bench/against.ts OTHER...`, each the path of an executable. Each serves
 * the sample site that it makes itself. Ratios above 1 are more than the other's: good for requests a second, else
 * not.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, removeFolder, serveProgram, siteIn } from "../tests/support/program.ts";
import { AS_OWNER } from "../tests/support/site.ts";
import { demoSite } from "./demoSite.ts";
import { median, memoryOf, say, timeOf } from "./measure.ts";
import { runOf } from "./wrk.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 10);
/** That wrk asks for, each round. */
const SECONDS = 2;
const SAVES = 20;
const STARTS = 3;

const FIGURES = [
  "page/s",
  "µs of CPU",
  "304/s",
  "save ms",
  "to page ms",
  "start ms",
  "MB",
] as const;
type Figures = Record<(typeof FIGURES)[number], number>;

const builds = [program(), ...process.argv.slice(2)];
const sites = await Promise.all(
  builds.map(async (build) => ({ ...(await demoSite(build)), rounds: [] as Figures[] })),
);
try {
  for (let round = -1; round < ROUNDS; round++)
    for (const site of round % 2 === 0 ? sites : sites.toReversed()) {
      const figures = await measure(site);
      // The first warms all of them up.
      if (round >= 0) site.rounds.push(figures);
    }
  report();
} finally {
  await Promise.all(sites.map(({ serving }) => serving.stop()));
  await Promise.all(sites.map(removeFolder));
}

type Site = (typeof sites)[number];

async function measure(site: Site): Promise<Figures> {
  const { serving, asOwner } = site;
  const head = await fetch(serving.url, { headers: { "accept-encoding": "br" } });
  const page = await runOf(serving, "/", SECONDS, ["accept-encoding: br"]);
  const same = await runOf(serving, "/", SECONDS, [
    "accept-encoding: br",
    `if-none-match: ${head.headers.get("etag")}`,
  ]);
  const saves: number[] = [];
  const pages: number[] = [];
  for (let count = 0; count < SAVES; count++) {
    const tagline = `Saved ${Math.random()}`;
    const save = await timeOf(() => asOwner("POST", "/api/hero", { tagline }));
    const look = await timeOf(async () => {
      const text = await (await fetch(serving.url)).text();
      if (!text.includes(tagline)) throw new Error("The page lacks what was saved.");
    });
    saves.push(save);
    pages.push(save + look);
  }
  const { resident } = await memoryOf(serving.pid);
  return {
    "page/s": page.perSecond,
    "µs of CPU": page.cpu,
    "304/s": same.perSecond,
    "save ms": median(saves),
    "to page ms": median(pages),
    "start ms": await startOf(site),
    MB: resident,
  };
}

/** To the first whole page of a site that was stopped cleanly. */
async function startOf({ build, folder }: Site): Promise<number> {
  const copy = siteIn(await mkdtemp(join(tmpdir(), "limelight-bench-")));
  await Bun.$`cp -a ${folder}/data ${folder}/uploads ${copy.folder}`.quiet();
  const times: number[] = [];
  for (let count = 0; count <= STARTS; count++) {
    const serving = await serveProgram(copy, AS_OWNER, { command: [build], ready: "/" });
    // The first mends what the copy of a served site lacks.
    if (count > 0) times.push(serving.firstAnswer);
    await serving.stop();
  }
  await removeFolder(copy);
  return median(times);
}

function report(): void {
  const [ours, ...others] = sites;
  for (const figure of FIGURES) {
    const of = ({ rounds }: Site) => rounds.map((each) => each[figure]);
    say(figure, sites.map((site) => median(of(site)).toFixed(1)).join(" "));
    for (const other of others) {
      const ratios = of(ours!)
        .map((each, round) => each / of(other)[round]!)
        .toSorted((a, b) => a - b);
      say(
        `  against ${other.build}`,
        `${median(ratios).toFixed(3)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`,
      );
    }
  }
}
