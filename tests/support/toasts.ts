/**
 * Records the texts of the dashboard's toasts, since a toast closes after five seconds, and a test on a busy machine
 * may miss it.
 */
import type { Page } from "playwright-core";
import { getUnwatchedPage, onPageReturned } from "./pageReuse.ts";

type RecordingWindow = Window & typeof globalThis & { toasts: string[] };

/** Records toasts from the next page load on, so that closed toasts count too. */
export function recordToasts(lentPage: Page): void {
  const page = getUnwatchedPage(lentPage);
  // This isn't an init script, which runs in every document: in previews no script may run, and the browser would
  // complain.
  const startOnLoad = () => void page.evaluate(startRecording).catch(() => undefined);
  page.on("domcontentloaded", startOnLoad);
  onPageReturned(lentPage, () => void page.off("domcontentloaded", startOnLoad));
}

/**
 * Waits for a toast with this text, such as "File deleted successfully", or "Error: ..." with its title. Toasts up to
 * that one are forgotten, so the next call waits for a new toast.
 */
export async function waitForToast(page: Page, text: string): Promise<void> {
  const isShown = (text: string) => {
    const { toasts } = window as RecordingWindow;
    const at = toasts.findIndex((each) => each.includes(text));
    toasts.splice(0, at + 1);
    return at >= 0;
  };
  try {
    await page.evaluate(startRecording);
    await page.waitForFunction(isShown, text);
  } catch (error) {
    const shown = await page.evaluate(() => (window as RecordingWindow).toasts);
    throw new Error(`No toast had the text "${text}", only ${JSON.stringify(shown)}.`, {
      cause: error,
    });
  }
}

/** Runs in the page. Starts recording, unless it has started already. */
function startRecording(): void {
  if ("toasts" in window) return;
  const toasts: string[] = [];
  const record = (node: Node) => {
    if (!(node instanceof Element)) return;
    for (const text of node.querySelectorAll(".ui-toast-text"))
      toasts.push([...text.children].map((each) => each.textContent).join(": "));
  };
  Object.assign(window, { toasts });
  record(document.documentElement);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(record);
  }).observe(document, { childList: true, subtree: true });
}
