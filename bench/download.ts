/**
 * Measures what a browser downloads: for a visitor who only reads / and /coaching, and for an owner who logs in and
 * opens the dashboard. Prints bytes as transferred (brotli), by kind.
 */
import { DOWNLOAD_LIMITS_BYTES } from "../src/build/budget.ts";
import { closeBrowser } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import {
  measureInlineScripts,
  createDashboardVisit,
  measureDownloads,
  type DownloadSizes,
} from "../tests/support/downloadSizes.ts";
import { printRow } from "./measure.ts";

const { page, scripts } = DOWNLOAD_LIMITS_BYTES;
const site = await startProgram({ hasSample: true });
try {
  for (const [path, limitBytes] of Object.entries(scripts)) {
    const html = await (await fetch(site.url + path)).text();
    const sizes = await measureDownloads((tab) => tab.goto(site.url + path), { width: 390 });
    const script = measureInlineScripts(html) + sizes.script;
    printRow({
      what: `${path}: script before intent`,
      median: formatKilobytes(script),
      goal: formatLimit(limitBytes),
    });
    printCode(path, sizes, page.code);
    printRow({
      what: `${path}: fonts`,
      median: formatKilobytes(sizes.font),
      goal: formatLimit(page.font),
    });
  }
  printCode(
    "log in, dashboard",
    await measureDownloads(createDashboardVisit(site)),
    DOWNLOAD_LIMITS_BYTES.dashboard.code,
  );
} finally {
  await closeBrowser();
  await site.stop();
}

function printCode(label: string, sizes: DownloadSizes, goal: number): void {
  const parts = (["document", "script", "stylesheet"] as const).map(
    (kind) => `${kind} ${formatKilobytes(sizes[kind])}`,
  );
  printRow({
    what: `${label}: HTML, style and script`,
    median: formatKilobytes(sizes.code),
    ratio: parts.join(", "),
    goal: formatLimit(goal),
  });
}

function formatLimit(bytes: number): string {
  return `< ${bytes / 1000} KB`;
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
