/** Counts the effort of a task in the dashboard: presses, and fields that are filled in. */
import type { Page } from "playwright-core";

/** Starts counting, also across page loads in this tab. Returns a function that returns the count so far. */
export async function countInteractions(page: Page) {
  await page.addInitScript(recordInteractions);
  await page.evaluate(recordInteractions);
  if (page.url().startsWith("http"))
    await page.evaluate(() => ["taps", "fields"].forEach((key) => sessionStorage.removeItem(key)));
  return () =>
    page.evaluate(() => ({
      taps: sessionStorage.getItem("taps")?.length ?? 0,
      fields: sessionStorage.getItem("fields")?.split("||").length ?? 0,
    }));
}

/** Runs in the page. Choosing a picture counts as a tap, not as a field. */
function recordInteractions(): void {
  if ("isFollowed" in window) return;
  Object.assign(window, { isFollowed: true });
  const record = (key: string, add: string) =>
    sessionStorage.setItem(key, `${sessionStorage.getItem(key) ?? ""}${add}`);
  addEventListener("click", (event) => event.isTrusted && record("taps", "."), true);
  addEventListener("input", (event) => {
    const { id, type } = event.target as HTMLInputElement;
    if (type !== "radio" && !sessionStorage.getItem("fields")?.includes(`|${id}|`))
      record("fields", `|${id}|`);
  });
}
