/**
 * Compares the largest paint of the home page without extras and with every extra, in turns, on a slow phone over 4G:
 * `bun bench/extrasPaint.ts [OTHER...]`, where each OTHER is the path of another executable to measure. ROUNDS is the
 * number of rounds (default 12).
 */
import { addAllExtras } from "../tests/support/allExtras.ts";
import { closeBrowser } from "../tests/support/browser.ts";
import { getProgramPath, removeSiteFolder } from "../tests/support/program.ts";
import { OWNER_ENV } from "../tests/support/site.ts";
import { startDemoSite } from "./demoSite.ts";
import { measureInTurns, summarizeFigures, printRow } from "./measure.ts";
import { FOUR_G, measurePaint } from "./slowPhone.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 12);
const GOAL = "60 ms later than without";

const sites = [];
for (const build of [getProgramPath(), ...process.argv.slice(2)])
  for (const added of ["nothing", "every extra"]) sites.push(await startSiteWith(build, added));
try {
  const paints = await measureInTurns(
    sites,
    ROUNDS,
    async ({ serving }) => (await measurePaint(`${serving.url}/`, FOUR_G)).paint,
  );
  for (const [index, { build, added }] of sites.entries())
    printRow({
      what: `${build}, ${added}: largest paint`,
      ...summarizeFigures(paints[index]!, "ms"),
      goal: GOAL,
    });
} finally {
  await closeBrowser();
  await Promise.all(sites.map(({ serving }) => serving.stop()));
  await Promise.all(sites.map(removeSiteFolder));
}

async function startSiteWith(build: string, added: string) {
  const site = await startDemoSite(build, { ...OWNER_ENV, RATE_LIMIT: "off" });
  if (added !== "nothing") await addAllExtras(site);
  return { ...site, added };
}
