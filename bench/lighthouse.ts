/**
 * Runs Lighthouse (mobile preset, simulated throttling) on the executable with the sample content. Lighthouse's version
 * is fixed here. It is fetched from npm, with the Node that it needs.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../src/schema/index.ts";
import { COLORED_SETTINGS_KEYS, type Look, LOOKS } from "../src/schema/looks/looks.ts";
import { CHROMIUM_FLAGS, findChromium } from "../tests/support/chromium.ts";
import { startProgram } from "../tests/support/program.ts";
import { median, summarizeFigures, printRow } from "./measure.ts";

const LIGHTHOUSE = ["npx", "--yes", "-p", "node@22", "-p", "lighthouse@13.5.0", "lighthouse"];
const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const PATHS = process.env["PATHS"]?.split(",") ?? [
  "/",
  "/coaching",
  "/privacy-policy",
  "/admin/login",
];

interface Report {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number; score: number | null; title: string }>;
}

/** LOOKS=spotlight,daylight measures these looks, one after the other. */
const LOOK_NAMES = process.env["LOOKS"]?.split(",") ?? [undefined];

const folder = await mkdtemp(join(tmpdir(), "limelight-lighthouse-"));
const site = await startProgram({ hasSample: true });
try {
  for (const name of LOOK_NAMES) {
    const look = LOOKS.find((each) => each.name === name);
    if (look) await applyLook(look);
    if (look) console.log(look.label);
    for (const path of PATHS) {
      const reports: Report[] = [];
      for (let round = 0; round < ROUNDS; round++)
        reports.push(await runLighthouse(site.url + path));
      printReports(path, reports);
    }
  }
} finally {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}

async function applyLook({ styles, sections }: Look): Promise<void> {
  await site.asOwner("POST", "/api/styles", styles);
  for (const key of COLORED_SETTINGS_KEYS)
    await site.asOwner("POST", `/api/${entities[key].name}`, sections[key]);
}

async function runLighthouse(url: string): Promise<Report> {
  const reportPath = join(folder, "report.json");
  const flags = [...CHROMIUM_FLAGS, "--headless=new"].join(" ");
  const run = Bun.spawn(
    [
      ...LIGHTHOUSE,
      url,
      "--quiet",
      "--output=json",
      `--output-path=${reportPath}`,
      `--chrome-flags=${flags}`,
    ],
    {
      // npm warns about the Node that runs it, although it uses the fetched one.
      env: { ...process.env, CHROME_PATH: await findChromium(), NPM_CONFIG_LOGLEVEL: "error" },
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  if ((await run.exited) !== 0) throw new Error("Lighthouse failed.");
  return (await Bun.file(reportPath).json()) as Report;
}

function printReports(path: string, reports: Report[]): void {
  const computeScore = (name: string) =>
    Math.round(median(reports.map((report) => report.categories[name]!.score)) * 100);
  const listValues = (name: string) =>
    reports.map((report) => report.audits[name]!.numericValue ?? 0);
  const scores = ["performance", "accessibility", "best-practices", "seo"].map(computeScore);
  const label = `Lighthouse ${path}`;
  printRow({ what: `${label}: scores`, median: scores.join(", "), goal: "100 each" });
  const paint = summarizeFigures(listValues("largest-contentful-paint"), "ms");
  printRow({ what: `${label}: largest paint`, ...paint, goal: "1,000 ms" });
  const blocking = summarizeFigures(listValues("total-blocking-time"), "ms");
  printRow({ what: `${label}: blocking`, ...blocking, goal: "0 ms" });
  const shift = summarizeFigures(listValues("cumulative-layout-shift"), "", 3);
  printRow({ what: `${label}: layout shift`, ...shift, goal: "0" });
  const failed = Object.values(reports[0]!.audits).filter((audit) => audit.score === 0);
  for (const audit of failed) console.log(`${label} fails: ${audit.title}`);
}
