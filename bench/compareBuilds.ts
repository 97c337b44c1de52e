/**
 * Compares this build with others in turns: `bun bench/compareBuilds.ts OTHER...`, where each OTHER is the path of an
 * executable. Each build creates and serves its own sample site. A ratio above 1 means that this build's figure is
 * higher: good for requests a second, bad for all other figures.
 */
import {
  getProgramPath,
  removeSiteFolder,
  serveProgram,
  toSiteFolder,
} from "../tests/support/program.ts";
import { OWNER_ENV } from "../tests/support/site.ts";
import { startDemoSite } from "./demoSite.ts";
import type { Item } from "../src/schema/index.ts";
import {
  readCpuTime,
  median,
  readMemory,
  printFigure,
  createTemporaryFolder,
  measureInTurns,
  measureTime,
  measureTimes,
} from "./measure.ts";
import { runWrk } from "./wrk.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 10);
const WRK_SECONDS = 2;
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

const builds = [getProgramPath(), ...process.argv.slice(2)];
const sites = await Promise.all(
  // All enquiries come from one address.
  builds.map((build) => startDemoSite(build, { ...OWNER_ENV, RATE_LIMIT: "off" })),
);
try {
  printReport(await measureInTurns(sites, ROUNDS, measureSite));
} finally {
  await Promise.all(sites.map(({ serving }) => serving.stop()));
  await Promise.all(sites.map(removeSiteFolder));
}

type Site = (typeof sites)[number];

async function measureSite(site: Site): Promise<Figures> {
  const { serving, asOwner } = site;
  const firstResponse = await fetch(serving.url, { headers: { "accept-encoding": "br" } });
  const pageRun = await runWrk(serving, "/", WRK_SECONDS, ["accept-encoding: br"]);
  const unchangedRun = await runWrk(serving, "/", WRK_SECONDS, [
    "accept-encoding: br",
    `if-none-match: ${firstResponse.headers.get("etag")}`,
  ]);
  const saveTimes: number[] = [];
  const pageTimes: number[] = [];
  for (let count = 0; count < SAVES; count++) {
    const tagline = `Saved ${Math.random()}`;
    const saveTime = await measureTime(() => asOwner("POST", "/api/hero", { tagline }));
    const loadTime = await measureTime(async () => {
      const text = await (await fetch(serving.url)).text();
      if (!text.includes(tagline)) throw new Error("The page doesn't contain the saved text.");
    });
    saveTimes.push(saveTime);
    pageTimes.push(saveTime + loadTime);
  }
  const enquiries = await measureEnquiries(site);
  const { resident } = await readMemory(serving.pid);
  return {
    "page/s": pageRun.perSecond,
    "µs of CPU": pageRun.cpu,
    "304/s": unchangedRun.perSecond,
    "save ms": median(saveTimes),
    "to page ms": median(pageTimes),
    ...enquiries,
    "start ms": await measureStart(site),
    MB: resident,
  };
}

/** Measures a visitor's waiting time and the processor time of an enquiry. */
async function measureEnquiries({ serving, asOwner, visitor }: Site) {
  const [form]: Item<"forms">[] = await asOwner("GET", "/api/forms");
  const data: Record<string, string | string[]> = {};
  for (const step of await asOwner("GET", `/api/form-steps/${form!.id}`))
    for (const field of (await asOwner("GET", `/api/form-fields/${step.id}`)) as Question[])
      if (field.isRequired) data[field.id] = chooseAnswer(field);
  const body = { formId: form!.id, data };
  const before = await readCpuTime(serving.pid);
  const times = await measureTimes(async () => {
    const { status, text } = await visitor().post("/api/form-submissions", body);
    if (status !== 201) throw new Error(`Returned ${status}: ${text}`);
  }, ENQUIRIES);
  const cpu = (await readCpuTime(serving.pid)) - before;
  return { "enquiry ms": median(times), "enquiry µs of CPU": cpu / ENQUIRIES };
}

type Question = Item<"formFields">;

function chooseAnswer({ fieldType, options }: Question): string | string[] {
  const [firstOption = "I want to sing."] = options.split(/,\s*|\n/).filter(Boolean);
  const answersByType: Partial<Record<Question["fieldType"], string | string[]>> = {
    email: "ann@example.com",
    country: "United Kingdom",
    number: "3",
    checkbox: [firstOption],
  };
  return answersByType[fieldType] ?? firstOption;
}

/** Measures the time to the first complete page of a site that was stopped cleanly, in milliseconds. */
async function measureStart({ build, folder }: Site): Promise<number> {
  const copy = toSiteFolder(await createTemporaryFolder());
  await Bun.$`cp -a ${folder}/data ${folder}/uploads ${copy.folder}`.quiet();
  const times: number[] = [];
  for (let count = 0; count <= STARTS; count++) {
    const serving = await serveProgram(copy, OWNER_ENV, { command: [build], readyPath: "/" });
    // The first start repairs the copy, since the site was running when it was copied.
    if (count > 0) times.push(serving.firstResponseMs);
    await serving.stop();
  }
  await removeSiteFolder(copy);
  return median(times);
}

/** Prints the figures. `rounds` has an entry for each round, with the figures of each site. */
function printReport(rounds: readonly Figures[][]): void {
  for (const name of FIGURES) {
    const figures = rounds.map((each) => each.map((round) => round[name]));
    printFigure(name, figures.map((each) => median(each).toFixed(1)).join(" "));
    const [ourFigures, ...otherFigures] = figures;
    for (const [index, others] of otherFigures.entries()) {
      const ratios = ourFigures!
        .map((each, round) => each / others[round]!)
        .toSorted((a, b) => a - b);
      printFigure(
        `  against ${builds[index + 1]}`,
        `${median(ratios).toFixed(3)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`,
      );
    }
  }
}
