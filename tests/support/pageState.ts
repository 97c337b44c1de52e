/** Reads the state of any page: its toast, its focus, its width. */
import type { Locator, Page } from "playwright-core";

/** Finds the visible toast. */
export const toastOf = (page: Page): Locator => page.locator(".ui-toast");

/** Whether an element has the focus. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => each === document.activeElement);

/** Returns the name of the focused element: its label or its text. */
export const readFocusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

/** Returns by how much the page is wider than its window, in CSS pixels. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Returns the computed value of a property of the first matching element, or of its pseudo-element. */
export const readStyle = (
  page: Page,
  selector: string,
  name: string,
  pseudo?: string,
): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((each, [name, pseudo]) => getComputedStyle(each, pseudo).getPropertyValue(name), [
      name,
      pseudo,
    ] as const);

/** Returns the boxes of all these elements, in CSS pixels of the window. */
export const measureBoxes = (elements: Locator): Promise<DOMRect[]> =>
  elements.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));

/** Returns the box around the text in an element. */
export const measureTextBox = (element: Locator): Promise<DOMRect> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().toJSON();
  });

/** Returns the number of lines of the text in an element. */
export const countLines = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
