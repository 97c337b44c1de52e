/**
 * The texts of the dashboard's toasts so far, since one closes after five seconds, which a busy machine may miss.
 */
import type { Page } from "playwright-core";
import { unwatched, whenLeft } from "./passedOn.ts";

type Noting = Window & typeof globalThis & { toasts: string[] };

/** From the next page load on, toasts are recorded, so that closed ones count too. */
export function noteToasts(watched: Page): void {
  const page = unwatched(watched);
  // Not as a script of every document: the browser would complain about it in previews, where no script may run.
  const start = () => void page.evaluate(startNoting).catch(() => undefined);
  page.on("domcontentloaded", start);
  whenLeft(watched, () => void page.off("domcontentloaded", start));
}

/**
 * Waits for a toast with this text, such as "File deleted successfully", or "Error: ..." with its title. Earlier
 * ones are forgotten, so the next call waits for a new one.
 */
export async function waitForToast(page: Page, words: string): Promise<void> {
  const isShown = (words: string) => {
    const { toasts } = window as Noting;
    const at = toasts.findIndex((each) => each.includes(words));
    toasts.splice(0, at + 1);
    return at >= 0;
  };
  try {
    await page.evaluate(startNoting);
    await page.waitForFunction(isShown, words);
  } catch (error) {
    const shown = await page.evaluate(() => (window as Noting).toasts);
    throw new Error(`No toast said "${words}", only ${JSON.stringify(shown)}.`, { cause: error });
  }
}

/** Runs in the page, once. */
function startNoting(): void {
  if ("toasts" in window) return;
  const toasts: string[] = [];
  const note = (node: Node) => {
    if (!(node instanceof Element)) return;
    for (const words of node.querySelectorAll(".ui-toast-text"))
      toasts.push([...words.children].map((each) => each.textContent).join(": "));
  };
  Object.assign(window, { toasts });
  note(document.documentElement);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(note);
  }).observe(document, { childList: true, subtree: true });
}
