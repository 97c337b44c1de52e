/** The state of any page: its toast, its focus, its width. */
import type { Locator, Page } from "playwright-core";

/** The visible toast. */
export const toastOf = (page: Page): Locator => page.locator(".ui-toast");

/** True when focus is on an element. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => each === document.activeElement);

/** The name of the focused element: its label or its text. */
export const focusedName = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

/** How much wider the page is than its window, in CSS pixels. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** What a property of the first such element is, or of what is drawn before or after it. */
export const styleOf = (
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
