/** Joining and leaving the mailing list, as a visitor does (specification, section 4.1). */
import { beforeAll, expect, test } from "bun:test";
import { newPage, type PageOptions, type TestPage, WIDTHS } from "../../support/browser.ts";
import { pasteLongText } from "../../support/clipboard.ts";
import { beginComposition } from "../../support/inputMethod.ts";
import {
  inspectAtWidths,
  expectAccessible,
  expectAccessibleAtWidths,
} from "../../support/expectAccessible.ts";
import { dropRequests, holdRequests } from "../../support/network.ts";
import { measureBoxes, isFocused, measureOverflow, toastOf } from "../../support/pageState.ts";
import { waitForValue, stopClock, waitTwoFrames } from "../../support/waits.ts";
import { setUpEmptySite } from "../../support/browserSite.ts";

const site = setUpEmptySite();
let page: TestPage;
beforeAll(async () => {
  await site.asOwner("POST", "/api/site", { name: "Jo Star" });
  // Content that makes the page scroll at every width.
  const content = "<p>A life on the stage.</p>".repeat(60);
  await site.asOwner("POST", "/api/about", { title: "ABOUT", content });
});

const tab = () => page.getByRole("button", { name: "UPDATES" });
const dialog = () => page.getByRole("dialog");
const email = () => page.getByLabel("Email Address *");
const firstName = () => page.getByLabel("First Name (optional)");
const toast = () => toastOf(page);
const sendButton = (name = "Subscribe") => page.getByRole("button", { name, exact: true });

async function openHome(options: PageOptions = {}): Promise<void> {
  page = await newPage({ ...options, shouldHoldToasts: true });
  await page.goto(site.url);
}

const scrollTo = (part: number) =>
  page.evaluate((part) => window.scrollTo({ top: innerHeight * part, behavior: "instant" }), part);

async function openDialog(options: PageOptions = {}): Promise<void> {
  await openHome(options);
  await scrollTo(1);
  await tab().click();
  await dialog().waitFor();
}

const waitForSentBody = (path: string) =>
  page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith(path));

test("the mailing-list tab appears after scrolling 80 percent of the window height, and visitors can subscribe and unsubscribe", async () => {
  await openHome({ width: 390 });
  expect(await page.locator(".ui-toasts > [aria-live]").textContent()).toBe("");
  await scrollTo(0.79);
  await waitTwoFrames(page);
  expect(await tab().count()).toBe(0);
  await scrollTo(0.82);
  await tab().waitFor();
  await scrollTo(0.5);
  await tab().waitFor({ state: "detached" });
  await scrollTo(1);
  const footLinks = await measureBoxes(page.locator(".foot a"));
  await tab().click();
  const targets = [...footLinks, ...(await measureBoxes(dialog().getByRole("button")))];
  expect(targets.filter(({ height }) => height < 44)).toEqual([]);
  expect(await sendButton().isDisabled()).toBe(true);
  await email().fill("   ");
  expect(await sendButton().isDisabled()).toBe(true);
  await email().fill(" ann@example.com ");
  await firstName().fill("  Ann ");
  await page.evaluate(recordLiveRegion);
  const release = await holdRequests(page, "**/api/email-subscriptions");
  const [named] = await Promise.all([
    waitForSentBody("/api/email-subscriptions"),
    sendButton().click(),
  ]);
  expect(named.postDataJSON()).toEqual({ email: "ann@example.com", name: "Ann" });
  await sendButton("Subscribing...").waitFor();
  expect(await sendButton("Subscribing...").isDisabled()).toBe(true);
  // The other mode would change the label of the pending request.
  expect(await page.getByRole("button", { name: "Unsubscribe anytime" }).isDisabled()).toBe(true);
  release();
  await toast().getByText("Successfully subscribed!").waitFor();
  await toast().getByText("You'll receive exclusive updates from Jo Star.").waitFor();
  // A screen reader announces text that is added to a known region, not text that appears together with its region.
  expect(await page.evaluate(() => document.body.dataset["brought"])).toBe("empty,words");
  await dialog().waitFor({ state: "hidden" });
  await tab().click();
  expect(await email().inputValue()).toBe("");
  await email().fill("bob@example.com");
  await firstName().fill("   ");
  const [unnamed] = await Promise.all([
    waitForSentBody("/api/email-subscriptions"),
    sendButton().click(),
  ]);
  expect(unnamed.postDataJSON()).toEqual({ email: "bob@example.com" });
  await dialog().waitFor({ state: "hidden" });
  const rows = await site.asOwner("GET", "/api/email-subscriptions");
  const ann = rows.find((row: { email: string }) => row.email === "ann@example.com");
  expect(ann).toMatchObject({ name: "Ann", status: "active" });

  // Unsubscribing sends only the email, and is confirmed.
  await tab().click();
  await email().fill("gone@example.com");
  await firstName().fill("Gone");
  await page.getByRole("button", { name: "Unsubscribe anytime" }).click();
  const releaseSecond = await holdRequests(page, "**/api/email-subscriptions/unsubscribe");
  const [request] = await Promise.all([
    waitForSentBody("/api/email-subscriptions/unsubscribe"),
    sendButton("Unsubscribe").click(),
  ]);
  expect(request.postDataJSON()).toEqual({ email: "gone@example.com" });
  await sendButton("Unsubscribing...").waitFor();
  releaseSecond();
  await toast().getByText("Successfully unsubscribed!").waitFor();
  await toast().getByText("You've been removed from our mailing list.").waitFor();
  await dialog().waitFor({ state: "hidden" });
  await tab().click();
  await sendButton("Subscribe").waitFor();
  expect(page.problems()).toEqual([]);
});

test("the mailing-list dialog is accessible at every width, and the focus returns when it closes", async () => {
  await openDialog();
  expect(await dialog().getAttribute("aria-labelledby")).toBeTruthy();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Unsubscribe anytime" }).click();
  await expectAccessible(page);
  await inspectAtWidths(page, WIDTHS, async (width) => {
    expect(await measureOverflow(page)).toBe(0);
    const panel = await page.locator(".ui-dialog-panel").boundingBox();
    expect(panel!.x).toBeGreaterThanOrEqual(0);
    expect(panel!.x + panel!.width).toBeLessThanOrEqual(width);
  });
  await page.keyboard.press("Escape");
  await tab().press("Enter");
  await waitForValue(() => isFocused(email()), true);
  for (let times = 0; times < 12; times += 1) {
    await page.keyboard.press("Tab");
    const isWithin = await page.evaluate(() => {
      const { activeElement } = document;
      // The browser's own controls are part of the tab order.
      return activeElement === document.body || activeElement!.closest("dialog") !== null;
    });
    expect(isWithin).toBe(true);
  }
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => page.getByRole("button", { name: "Close", exact: true }).click(),
  ]) {
    await email().fill("ann@example.com");
    await firstName().fill("Ann");
    await page.locator('input[name="website"]').fill("x", { force: true });
    await page.getByRole("button", { name: "Unsubscribe anytime" }).click();
    await close();
    await dialog().waitFor({ state: "hidden" });
    await waitForValue(() => isFocused(tab()), true);
    await tab().press("Enter");
    await sendButton("Subscribe").waitFor();
    expect(await email().inputValue()).toBe("");
    expect(await firstName().inputValue()).toBe("");
    expect(await page.locator('input[name="website"]').inputValue()).toBe("");
  }
  expect(page.problems()).toEqual([]);
});

test("keys of an input method neither send nor close the mailing-list dialog, and a filled honeypot field prevents sending", async () => {
  await openDialog();
  const hidden = page.locator('input[name="website"]');
  const box = await hidden.boundingBox();
  expect(box!.x + box!.width).toBeLessThanOrEqual(0);
  await email().fill("jo@example.com");
  await firstName().focus();
  let posts = 0;
  page.on("request", (request) => request.method() === "POST" && posts++);
  const word = await beginComposition(page, "ゆうこ");
  for (const key of ["Enter", "Escape"]) await word.press(key);
  await word.end();
  await waitTwoFrames(page);
  expect(await firstName().inputValue()).toBe("ゆうこ");
  expect([await dialog().count(), posts]).toEqual([1, 0]);
  await hidden.fill("https://spam.example", { force: true });
  await sendButton().click();
  await toast().getByText("Subscription failed").waitFor();
  await toast().getByText("Please try again later").waitFor();
  expect(posts).toBe(0);
});

test("a name over its limit and a failed call keep the input, and a toast says why nothing was sent", async () => {
  const path = "**/api/email-subscriptions";
  await openDialog();
  await page.route(path, (route) =>
    route.fulfill({ status: 422, json: { error: "Check the address." } }),
  );
  await email().fill("ann@example.com");
  await sendButton().click();
  await toast().getByText("Subscription failed").waitFor();
  await toast().getByText("Check the address.").waitFor();
  expect(await toast().getAttribute("data-destructive")).not.toBeNull();
  expect(page.problems(/status of 422/)).toEqual([]);

  await page.unrouteAll();
  const tooLong = await pasteLongText(firstName(), 130);
  await sendButton().click();
  await toast().getByText("Use at most 120 characters.").waitFor();
  expect(await firstName().inputValue()).toBe(tooLong);
  await firstName().fill("Ann");

  await dropRequests(page, "**/api/email-subscriptions**");
  await sendButton().click();
  await toast().getByText("Something went wrong. Please try again later.").waitFor();
  // Closing the toast leaves the dialog open.
  await toast().getByRole("button").click();
  await toast().waitFor({ state: "detached" });
  expect(await email().inputValue()).toBe("ann@example.com");
  await dropRequests(page, "**/api/email-subscriptions/unsubscribe");
  await page.getByRole("button", { name: "Unsubscribe anytime" }).click();
  await sendButton("Unsubscribe").click();
  await toast().getByText("Unsubscribe failed").waitFor();
  expect(await toast().count()).toBe(1);

  await page.unrouteAll();
  await page.keyboard.press("Escape");
  await tab().click();
  await page.context().setOffline(true);
  await email().fill("ann@example.com");
  await sendButton().click();
  await toast().getByText("Check your connection, then try again.").waitFor();
  expect(await email().inputValue()).toBe("ann@example.com");
  await page.context().setOffline(false);
  const release = await holdRequests(page, path);
  await sendButton().click();
  await toast().waitFor({ state: "detached" });
  release();
  await toast().getByText("Successfully subscribed!").waitFor();
});

test("a toast shows for 5000 ms or, if F8 has moved the focus to it, until its button closes it", async () => {
  await openDialog({ width: 1366 });
  await dropRequests(page, "**/api/email-subscriptions");
  await stopClock(page);
  await email().fill("ann@example.com");
  await sendButton().click();
  await toast().waitFor();
  const box = await page.locator(".ui-toasts").boundingBox();
  expect(box!.width).toBeLessThanOrEqual(420);
  await page.clock.runFor(4800);
  expect(await toast().count()).toBe(1);
  await page.clock.runFor(400);
  await toast().waitFor({ state: "detached" });
  await sendButton().click();
  await toast().waitFor();
  await page.keyboard.press("F8");
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("ui-toasts");
  await page.clock.runFor(6000);
  expect(await toast().count()).toBe(1);
  await page.getByRole("button", { name: "Close notification" }).click();
  await toast().waitFor({ state: "detached" });
});

/** Runs in the page: records the content of the toasts' region when it moves and when text is added. */
function recordLiveRegion(): void {
  const brought: string[] = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      if (node.matches(".ui-toasts")) brought.push(node.textContent ? "full" : "empty");
      if (node.matches(".ui-toast") && node.isConnected) brought.push("words");
    }
    document.body.dataset["brought"] = brought.join();
  }).observe(document.body, { childList: true, subtree: true });
}
