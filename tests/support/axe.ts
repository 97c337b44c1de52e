/** Looks for barriers in a page with axe-core. */
import type { Page } from "playwright-core";
import { waitUntilStable } from "./waits.ts";

const AXE = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/** The barriers on the page as it is once it is still, one line each: rule, element, what is wrong. */
export async function axe(page: Page): Promise<string[]> {
  // What fades in is pale for a moment.
  await waitUntilStable(page);
  // Evaluated rather than added as a script element: the page's policy would refuse that.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    // Previews are public pages, which have their own tests; axe would wait half a second for an answer of each.
    const { violations } = await axe.run({ resultTypes: ["violations"], iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${String(node.target)}: ${node.failureSummary ?? ""}`),
    );
  });
}
