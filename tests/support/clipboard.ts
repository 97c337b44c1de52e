/** The system clipboard, filled as by another program. */
import type { Page } from "playwright-core";

/** Copies these formats of one text, and pastes them at the cursor. */
export async function pasteInto(page: Page, kinds: Readonly<Record<string, string>>) {
  await page.evaluate((each) => {
    const copied = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      for (const [type, text] of Object.entries(each)) event.clipboardData?.setData(type, text);
    };
    window.addEventListener("copy", copied, { capture: true, once: true });
  }, kinds);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
}
