/** Dialogs and screens by keyboard alone, at a phone's width (specification, section 2.21). */
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { setUpDashboard, followLink } from "../../../support/dashboard.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site, { width: 390 });
const { button } = dashboard;
const findButton = (name: RegExp) => button(name).first();

const IS_COMPLETE = process.env["COMBINATIONS"] === "all";

/** By tab and subtab: the buttons that open a dialog, each kind of dialog once. */
const OPENERS: Readonly<Record<string, readonly (() => Locator)[]>> = {
  hero: [() => button("History"), () => button("Crop image")],
  connect: [() => findButton(/^Edit /)],
  forms: [() => findButton(/^Delete /)],
  "forms builder": [() => button("Edit Your name")],
  ...(IS_COMPLETE && {
    highlights: [() => button("Add Highlight")],
    files: [() => findButton(/^Edit /)],
  }),
};

/** Buttons to press before, since on a phone a step's other buttons are in its form. */
const PREPARING_CLICKS: Readonly<Record<string, () => Locator>> = {
  "forms builder": () => button("Edit About you"),
};

test("a dialog takes, shows and traps the focus, and returns it when Escape closes the dialog", async () => {
  for (const [screen, openers] of Object.entries(OPENERS)) {
    const [tab, sub] = screen.split(" ") as [string, string?];
    await dashboard.goTo(tab, { sub });
    await PREPARING_CLICKS[screen]?.().click();
    for (const opener of openers) {
      await opener().focus();
      await dashboard.page.keyboard.press("Enter");
      await dashboard.page.locator(":modal h2").last().waitFor();
      await waitUntilStable(dashboard.page);
      const [first, ...others] = await listTabStops(":modal");
      expect([screen, first]).not.toEqual([screen, "body"]);
      // The browser's own toolbar is a stop too, between the last element and the first.
      const wrong = others.filter((each) => each.includes(": ") && each !== "body: elsewhere");
      expect([screen, others.length > 1, wrong]).toEqual([screen, true, []]);
      await dashboard.page.keyboard.press("Escape");
      await dashboard.page.waitForFunction(() => !document.querySelector(":modal"));
      await waitForValue(() => isFocused(opener()), true);
    }
  }
});

/** The screens with the most kinds of fields. */
const SCREENS = ["forms&sub=submissions", "connect&sub=settings", "hero&account=mail"];

/** Screens with the same kinds of fields, and the account's other screens. */
const SIMILAR_SCREENS = [
  "styles&sub=colors",
  ...["password", "security", "backups", "bin", "people", "happened", "site"].map(
    (screen) => `hero&account=${screen}`,
  ),
];

test("each focusable element of a screen shows its focus, and isn't covered by docked bars", async () => {
  await dashboard.goTo("hero");
  for (const screen of IS_COMPLETE ? [...SCREENS, ...SIMILAR_SCREENS] : SCREENS) {
    await followLink(dashboard.page, `tab=${screen}`);
    await dashboard.page.waitUntilSettled();
    const all = await listTabStops("body");
    expect([screen, all.length > 3, all.filter((each) => each.includes(": "))]).toEqual([
      screen,
      true,
      [],
    ]);
  }
});

/** A phone, and a laptop zoomed to 400 %, where docked bars leave the least room. */
test.each([
  [342, 740, ["hero"]],
  [342, 192, IS_COMPLETE ? ["hero", "about", "coaching", "files"] : ["about", "files"]],
])("nothing covers a focused element in any tab at %d × %d px", async (width, height, tabs) => {
  const { page } = dashboard;
  await page.setViewportSize({ width, height });
  for (const tab of tabs) {
    await dashboard.goTo(tab);
    await page.waitUntilSettled();
    const all = await listTabStops("body");
    expect([tab, all.length > 3, all.filter((each) => each.includes("covered"))]).toEqual([
      tab,
      true,
      [],
    ]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
});

test("the account menu follows its button in the tab order, and closes when it loses the focus", async () => {
  await dashboard.open("hero");
  const { page } = dashboard;
  const menu = page.locator("#account-menu");
  await button("Account").focus();
  await page.keyboard.press("Enter");
  await menu.getByText("Profile and password").waitFor();
  await page.keyboard.press("Tab");
  const link = menu.getByRole("link", { name: "Profile and password" });
  await waitForValue(() => isFocused(link), true);
  await menu.getByRole("button", { name: "Export all data" }).focus();
  await page.keyboard.press("Tab");
  await menu.waitFor({ state: "hidden" });
  await page.keyboard.press("Shift+Tab");
  await waitForValue(() => isFocused(button("Account")), true);
  await page.keyboard.press("Enter");
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
});

test("a button keeps the focus during its request, and gets it back when a dialog opened meanwhile closes", async () => {
  await dashboard.open("hero");
  const { page } = dashboard;
  await dashboard.field("Main Title").fill("Mine");
  await site.asOwner("POST", "/api/hero", { mainTitle: "Theirs" });
  const button = page.locator(".save-bar [data-variant=primary]");
  await button.focus();
  await page.keyboard.press("Enter");
  await dashboard.dialog("Changed in another window").waitFor();
  await page.keyboard.press("Escape");
  await waitForValue(() => isFocused(button), true);
  await page.locator(".save-bar").getByRole("button", { name: "Discard" }).click();
});

/** Presses Tab until an element has the focus again; returns the name of each stop, with its problem. */
async function listTabStops(within: string): Promise<string[]> {
  const { page } = dashboard;
  const visited: string[] = [];
  await page.evaluate(() => Object.assign(window, { seen: new Set() }));
  for (;;) {
    const stop = await page.evaluate(describeFocus, within);
    if (stop === null) return visited;
    visited.push(stop);
    await page.keyboard.press("Tab");
  }
}

/** Runs in the page: the name of the focused element, with its problem, or null if it had the focus before. */
async function describeFocus(within: string): Promise<string | null> {
  const { seen } = window as unknown as { seen: Set<Element> };
  const focused = document.activeElement!;
  if (seen.has(focused)) return null;
  seen.add(focused);
  const name = focused.getAttribute("aria-label") ?? focused.textContent?.trim().slice(0, 40);
  if (focused === document.body) return within === "body" ? "body" : "body: elsewhere";
  if (![...document.querySelectorAll(within)].at(-1)?.contains(focused)) return `${name}: outside`;
  const isMarked = (each: Element | null) => {
    if (each === null) return false;
    const { opacity, outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    // A transparent input over a drawn control, such as Upload's, has an invisible ring.
    if (opacity === "0") return false;
    return (
      (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== "none"
    );
  };
  // An input's ring may be drawn beside it or around it.
  const marks = [focused, focused.parentElement, focused.nextElementSibling];
  if (!marks.some(isMarked)) return `${name}: shows no focus`;
  const coveredBy = () => {
    const { x, y, width, height } = focused.getBoundingClientRect();
    const covering = document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 40));
    const targets = [focused, focused.closest("label")];
    const isReached =
      targets.some((each) => each?.contains(covering)) || covering?.contains(focused);
    return isReached ? undefined : (covering?.className ?? "nothing");
  };
  // The browser scrolls to the focused element within the next frames.
  for (let frame = 0; frame < 60 && coveredBy() !== undefined; frame++)
    await new Promise((done) => requestAnimationFrame(done));
  return coveredBy() === undefined ? String(name) : `${name}: covered by ${coveredBy()}`;
}
