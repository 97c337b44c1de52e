/** Finds accessibility barriers with axe-core. */
import type { Page } from "playwright-core";
import { waitUntilStable } from "./waits.ts";

const AXE = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/** Returns the barriers of a page that has settled, or of parts of it, as one line each: rule, element, reason. */
export async function findBarriers(page: Page, within = "html"): Promise<string[]> {
  // Elements that fade in are pale for a moment.
  await waitUntilStable(page);
  // The code is evaluated, since the page's policy would refuse a script element.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (within) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    // Previews are left out: public pages have their own tests, and axe would wait half a second for each preview.
    const { violations } = await axe.run(within, {
      resultTypes: ["violations"],
      iframes: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${String(node.target)}: ${node.failureSummary ?? ""}`),
    );
  }, within);
}
