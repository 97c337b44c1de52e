/**
 * The main paths in Firefox or WebKit, which most visitors with an iPhone have: `bun tests/otherBrowsers/run.ts
 * firefox`, or `webkit`, on the built program. Not part of the suite, since these browsers aren't npm packages.
 * `PICTURES=folder` stores a picture of each screen.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { OWNER } from "../support/site.ts";
import { type Driver, openBrowser } from "./drivers.ts";

const screenshotFolder = process.env["PICTURES"];
if (screenshotFolder) await mkdir(screenshotFolder, { recursive: true });
const site = await startProgram({ hasSample: true, env: { RATE_LIMIT: "off" } });
const browser = await openBrowser(process.argv[2] ?? "firefox");
const failedSteps: string[] = [];

/** Code for the page: waits until an expression holds, and types so that React notices. */
const TOOLS = `
  const one = (selector) => document.querySelector(selector);
  const named = (role, name) => [...document.querySelectorAll(role)].find((each) =>
    (each.getAttribute("aria-label") ?? each.textContent).trim() === name && each.checkVisibility());
  const until = async (what, holds) => {
    for (let tries = 0; tries < 150; tries += 1) {
      const found = await holds();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("never: " + what);
  };
  const type = (input, words) => {
    const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : input instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
    input.focus();
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(input, words);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
`;

const runWithTools = <T>(code: string) => browser.runInPage<T>(`${TOOLS}${code}`);

async function runStep(name: string, act: (driver: Driver) => Promise<void>): Promise<void> {
  try {
    await act(browser);
    console.log(`ok      ${name}`);
  } catch (error) {
    failedSteps.push(name);
    console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (screenshotFolder)
    await Bun.write(
      join(screenshotFolder, `${browser.name}-${name.replace(/\W+/g, "-")}.png`),
      await browser.takeScreenshot(),
    );
}

/** The page must not scroll sideways. */
async function expectNoOverflow(): Promise<void> {
  const [contentWidth, windowWidth] = await runWithTools<[number, number]>(
    "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  if (contentWidth > windowWidth)
    throw new Error(`the page is ${contentWidth - windowWidth} px too wide`);
}

// The wide window comes first: WebKit paints nothing of its first pages in a small one.
for (const width of [1366, 390]) {
  await browser.resize(width, width === 390 ? 844 : 768);
  await runStep(`home at ${width}`, async () => {
    await browser.navigate(site.url);
    await runWithTools(`await until("the picture", () => one(".hero-picture")?.naturalWidth > 0);
      await until("the words", () => getComputedStyle(one(".hero-title")).visibility === "visible");
      await until("the rest of the page", () => one("#highlights").checkVisibility());`);
    await expectNoOverflow();
  });
  await runStep(`a highlight is shown large and closed at ${width}`, async () => {
    await runWithTools(`const poster = await until("a poster", () => one("#highlights .poster button, #highlights button.poster"));
      poster.scrollIntoView({ block: "center" });
      await until("the poster's picture", () => one("#highlights img")?.complete);
      poster.click();
      const dialog = await until("the dialog", () => one("dialog[open]"));
      await until("its picture", () => dialog.querySelector("img")?.naturalWidth > 0);
      await new Promise((done) => setTimeout(done, 400));`);
  });
  await runStep(`the dialog goes with Close at ${width}`, async () => {
    await runWithTools(`named("dialog[open] button", "Close").click();
      await until("it is closed", () => !one("dialog[open]"));
      scrollTo(0, document.body.scrollHeight);
      await new Promise((done) => setTimeout(done, 600));`);
  });
  await runStep(`the outlined title lets the photo through at ${width}`, async () => {
    await browser.navigate(`${site.url}/coaching`);
    await runWithTools(`const { webkitTextFillColor: fill } = getComputedStyle(one(".hero-outline"));
      const { mixBlendMode: blend } = getComputedStyle(one(".hero-title"));
      const isClear = fill === "rgba(0, 0, 0, 0)";
      if (${browser.name === "webkit"} ? !isClear : blend === "normal" && !isClear)
        throw new Error("it is filled with " + fill + ", blended by " + blend);`);
  });
  await runStep(`an enquiry is sent at ${width}`, async () => {
    await browser.navigate(`${site.url}/coaching`);
    await runWithTools(`// The first screen has the line to itself; under load what follows comes later than the code.
      await until("the form is shown", () => one(".enquiry-card").checkVisibility());
      one(".enquiry-card").dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
      await until("life", () => Object.keys(one("form .enquiry-step, form fieldset, form")).some((key) => key.startsWith("__react")));
      for (let steps = 0; steps < 6; steps += 1) {
        const form = [...document.querySelectorAll("form")].find((each) => each.querySelector("[name]"));
        form.scrollIntoView({ block: "start" });
        for (const field of form.querySelectorAll("input, textarea, select")) {
          if (!field.checkVisibility() || field.type === "hidden") continue;
          if (field.type === "radio" || field.type === "checkbox") { if (!form.querySelector("[name='" + field.name + "']:checked")) field.click(); }
          else if (field.type === "email") type(field, "dee@example.com");
          else if (field.inputMode === "decimal") type(field, "7");
          else if (field.inputMode === "tel") type(field, "7700900123");
          else if (field.autocomplete === "tel-country-code") type(field, "GB");
          else if (field.tagName === "SELECT") type(field, [...field.options].at(-1).value);
          else if (field.getAttribute("role") === "combobox") {
            type(field, "United Kingdom");
            (await until("a country", () => [...document.querySelectorAll("[role=option]")].find((each) => each.checkVisibility()))).click();
          }
          else type(field, "Dee");
        }
        const next = [...form.querySelectorAll("button")].findLast((each) => /^(Next|Submit|Send)/.test(each.textContent.trim()));
        if (!next) break;
        const before = form.textContent;
        next.click();
        await until("the next step", () => !form.isConnected || form.textContent !== before || /Thank/i.test(document.body.textContent));
        await new Promise((done) => setTimeout(done, 300));
        if (one(".enquiry-thanks")) return;
      }
      throw new Error("it was never thanked for: " + (one("[role=alert], .ui-toast, .answer-error")?.textContent ?? ""));`);
  });
}

await runStep("login", async () => {
  await browser.resize(1366, 768);
  await browser.navigate(`${site.url}/admin/login`);
  await runWithTools(`const password = await until("the login", () => one("input[type=password]"));
    type(one("form input"), ${JSON.stringify(OWNER.username)});
    type(password, ${JSON.stringify(OWNER.password)});
    named("button", "Login").click();
    await until("the dashboard", () => one(".tab-head"));`);
});

const TABS = "hero about statistics highlights connect press coaching email forms styles files";
for (const width of [390, 1366])
  for (const tab of TABS.split(" "))
    await runStep(`${tab} tab at ${width}`, async () => {
      await browser.resize(width, width === 390 ? 844 : 768);
      await browser.navigate(`${site.url}/admin/dashboard?tab=${tab}`);
      await runWithTools(`await until("the tab", () => one(".tab-head"));
        await until("its content", () => !one(".loading"));
        await new Promise((done) => setTimeout(done, 1200));`);
      await expectNoOverflow();
    });

await runStep("the hero's title is saved", async () => {
  await browser.navigate(`${site.url}/admin/dashboard?tab=hero`);
  await runWithTools(`const title = await until("the field", () => [...document.querySelectorAll("label")].find((each) => each.textContent.startsWith("Main Title")));
    type(document.getElementById(title.htmlFor), "Dee Vale");
    (await until("Save", () => [...document.querySelectorAll("button")].find((each) => /^Save Hero Content/.test(each.textContent.trim()) && !each.disabled && each.checkVisibility()))).click();
    await until("the toast", () => /successfully/.test(document.body.textContent));`);
  const html = await (await fetch(site.url)).text();
  if (!html.includes("Dee Vale")) throw new Error("visitors don't see it");
});

for (const error of new Set(browser.getErrors())) console.log(`error   ${error}`);
await browser.close();
await site.stop();
console.log(
  failedSteps.length === 0
    ? "All steps passed."
    : `${failedSteps.length} failed: ${failedSteps.join(", ")}`,
);
process.exit(failedSteps.length === 0 ? 0 : 1);
