/** The system clipboard, filled as by another program. */
import type { Locator, Page } from "playwright-core";
import { waitForValue } from "./waits.ts";

/** Copies these formats of one text, and pastes them at the cursor. */
export async function pasteInto(page: Page, formats: Readonly<Record<string, string>>) {
  await page.evaluate((each) => {
    const onCopy = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      for (const [type, text] of Object.entries(each)) event.clipboardData?.setData(type, text);
    };
    window.addEventListener("copy", onCopy, { capture: true, once: true });
  }, formats);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
}

/** Replaces a field's content by a pasted text of this length, and returns it. */
export async function pasteLongText(input: Locator, length: number): Promise<string> {
  const text = `${"x".repeat(length - 8)} THE END`;
  await input.fill("");
  await input.click();
  await pasteInto(input.page(), { "text/plain": text });
  await waitForValue(() => input.inputValue(), text);
  return text;
}
