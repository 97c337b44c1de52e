/**
 * Compares this build with others, in turns: `bun bench/compareBuilds.ts OTHER...`, each the path of an executable.
 * Each creates its own sample site and serves it. Ratios above 1 mean more than the other's: good for requests a second,
 * bad otherwise.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, removeFolder, serveProgram, siteIn } from "../tests/support/program.ts";
import { AS_OWNER } from "../tests/support/site.ts";
import { demoSite } from "./demoSite.ts";
import type { Item } from "../src/schema/index.ts";
import { cpuOf, median, memoryOf, say, timeOf, timesOf } from "./measure.ts";
import { runOf } from "./wrk.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 10);
/** The duration of wrk in each round. */
const SECONDS = 2;
const SAVES = 20;
const ENQUIRIES = 40;
const STARTS = 3;

const FIGURES = [
  "page/s",
  "µs of CPU",
  "304/s",
  "save ms",
  "to page ms",
  "enquiry ms",
  "enquiry µs of CPU",
  "start ms",
  "MB",
] as const;
type Figures = Record<(typeof FIGURES)[number], number>;

const builds = [program(), ...process.argv.slice(2)];
const sites = await Promise.all(
  builds.map(async (build) => ({
    // All enquiries come from one address.
    ...(await demoSite(build, { ...AS_OWNER, RATE_LIMIT: "off" })),
    rounds: [] as Figures[],
  })),
);
try {
  for (let round = -1; round < ROUNDS; round++)
    for (const site of round % 2 === 0 ? sites : sites.toReversed()) {
      const figures = await measure(site);
      // The first round is a warm-up.
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
    const load = await timeOf(async () => {
      const text = await (await fetch(serving.url)).text();
      if (!text.includes(tagline)) throw new Error("The page doesn't contain the saved text.");
    });
    saves.push(save);
    pages.push(save + load);
  }
  const enquiries = await enquiriesOf(site);
  const { resident } = await memoryOf(serving.pid);
  return {
    "page/s": page.perSecond,
    "µs of CPU": page.cpu,
    "304/s": same.perSecond,
    "save ms": median(saves),
    "to page ms": median(pages),
    ...enquiries,
    "start ms": await startOf(site),
    MB: resident,
  };
}

/** Measures a visitor's waiting time and the processor time of an enquiry. */
async function enquiriesOf({ serving, asOwner, visitor }: Site) {
  const [form]: Item<"forms">[] = await asOwner("GET", "/api/forms");
  const data: Record<string, string | string[]> = {};
  for (const step of await asOwner("GET", `/api/form-steps/${form!.id}`))
    for (const field of (await asOwner("GET", `/api/form-fields/${step.id}`)) as Question[])
      if (field.isRequired) data[field.id] = answerTo(field);
  const body = { formId: form!.id, data };
  const before = await cpuOf(serving.pid);
  const times = await timesOf(async () => {
    const { status, text } = await visitor().post("/api/form-submissions", body);
    if (status !== 201) throw new Error(`Returned ${status}: ${text}`);
  }, ENQUIRIES);
  const cpu = (await cpuOf(serving.pid)) - before;
  return { "enquiry ms": median(times), "enquiry µs of CPU": cpu / ENQUIRIES };
}

type Question = Item<"formFields">;

function answerTo({ fieldType, options }: Question): string | string[] {
  const [first = "I want to sing."] = options.split(/,\s*|\n/).filter(Boolean);
  const typed: Partial<Record<Question["fieldType"], string | string[]>> = {
    email: "ann@example.com",
    country: "United Kingdom",
    number: "3",
    checkbox: [first],
  };
  return typed[fieldType] ?? first;
}

/** Measures the time to the first complete page of a site that was stopped cleanly, in milliseconds. */
async function startOf({ build, folder }: Site): Promise<number> {
  const copy = siteIn(await mkdtemp(join(tmpdir(), "limelight-bench-")));
  await Bun.$`cp -a ${folder}/data ${folder}/uploads ${copy.folder}`.quiet();
  const times: number[] = [];
  for (let count = 0; count <= STARTS; count++) {
    const serving = await serveProgram(copy, AS_OWNER, { command: [build], ready: "/" });
    // The first start repairs the copy, since the site was running when it was copied.
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
