/** The state of any page: its toast, its focus, its width. */
import type { Locator, Page } from "playwright-core";

/** The visible toast. */
export const toastOf = (page: Page): Locator => page.locator(".ui-toast");

/** True when focus is on an element. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => each === document.activeElement);

/** The name of the focused element: its label or its text. */
export const readFocusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

/** How much wider the page is than its window, in CSS pixels. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** The computed value of a property of the first such element, or of its pseudo-element. */
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

/** The boxes of all these elements, in CSS pixels of the window. */
export const measureBoxes = (elements: Locator): Promise<DOMRect[]> =>
  elements.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));

/** The box around the text in an element. */
export const measureTextBox = (element: Locator): Promise<DOMRect> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().toJSON();
  });

/** The number of lines of the text in an element. */
export const countLines = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
