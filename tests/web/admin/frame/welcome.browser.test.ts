/** The welcome after setup (specification, section 2.7): from an empty page to a finished site. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { resolve } from "node:path";
import { closePages, newPage, type TestPage } from "../../../support/browser.ts";
import { createFinders } from "../../../support/dashboard.ts";
import { countInteractions } from "../../../support/interactions.ts";
import { expectAccessible, expectAccessibleAtWidths } from "../../../support/expectAccessible.ts";
import { measureFace, overlaps, measureTexts } from "../../../support/facesOnPage.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { startProgram } from "../../../support/program.ts";
import { REAL_PORTRAITS } from "../../../support/realPortraits.ts";
import type { RunningSite } from "../../../support/site.ts";
import { startSite } from "../../../support/startSite.ts";
import { expectRefusedFile } from "../../../support/strayFile.ts";
import { waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

setDefaultTimeout(120_000);

let site: RunningSite & { stop(): Promise<void> };
let page: TestPage;
const { button, field } = createFinders(() => page);
afterEach(async () => {
  await closePages();
  await site.stop();
});

const SECOND_PICTURE = resolve("tests/support/pictures/backlit.webp");
const heading = (name: string) => page.getByRole("heading", { name, level: 1 });

/** Starts a new site, the built program or in this process; returns the path of its setup link. */
async function startNewSite(isBuilt: boolean): Promise<string> {
  const options = { hasOwner: false, env: { RATE_LIMIT: "off" } };
  if (!isBuilt) {
    const started = await startSite(options);
    site = started;
    return started.setup!.createPath();
  }
  const program = await startProgram(options);
  site = program;
  return /\/admin\/setup#token=[\w.-]+/.exec(program.log())![0];
}

/** Creates the owner of a new site on a phone; returns a counter of taps and fields, and the setup link's path. */
async function setUpAccount({ isBuilt = false } = {}) {
  const path = await startNewSite(isBuilt);
  page = await newPage({ width: 390 });
  const counted = await countInteractions(page);
  await page.goto(site.url + path);
  const answers = {
    "Site name": "Vera Lane",
    Username: "vera",
    "Email address": "vera@example.com",
    Password: "velvet curtain nine",
  };
  for (const [label, words] of Object.entries(answers)) {
    await field(label).click();
    await field(label).fill(words);
  }
  await button("Create site").click();
  await heading("What should your first screen say?").waitFor();
  expect(page.problems()).toEqual([]);
  return { counted, path };
}

/** Chooses a file with a button of the step. */
async function choose(name: string, file: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button(name).click();
  await (await chooser).setFiles(file);
}

const fetchBody = async (path: string) => (await site.visitor().get(path)).body;

test("a file dropped beside the upload button is refused, and the page keeps its typed text", async () => {
  await setUpAccount();
  await field("Your name or stage name").fill("Vera Lane, typed");
  const photo = await Bun.file(SECOND_PICTURE).bytes();
  await expectRefusedFile(page, heading("What should your first screen say?"), photo);
  expect(await field("Your name or stage name").inputValue()).toBe("Vera Lane, typed");
});

test("Back keeps the focus until the previous screen is shown, and Skip for now is disabled until then", async () => {
  await setUpAccount();
  await button("Performer").click();
  await button("Next").click();
  await heading("A photo of you").waitFor();
  const release = await holdRequests(page, "**/api/welcome", "POST");
  await button("Back").click();
  await button("Back").and(page.locator("[aria-busy=true]")).waitFor();
  expect(await isFocused(button("Back"))).toBe(true);
  expect(await button("Skip for now").isDisabled()).toBe(true);
  release();
  await heading("What should your first screen say?").waitFor();
});

test("from the setup link an owner finishes a site with at most 60 taps and 15 fields", async () => {
  const portrait = REAL_PORTRAITS.find(({ name }) => name === "collins")!;
  const { left, top, right, bottom } = portrait.face;
  const { counted } = await setUpAccount({ isBuilt: true });
  expect(await field("Your name or stage name").inputValue()).toBe("Vera Lane");
  await button("Performer").click();
  await button("Stage coach").click();
  expect(await field("What you do").inputValue()).toBe("Performer & stage coach");
  await button("Next").click();
  await heading("A photo of you").waitFor();
  await choose("Choose a photo", resolve("tests/fixtures/portraits/collins.jpg"));
  await page.getByText("Photo ready").waitFor();
  const { width, height } = (await page.locator(".crop-board img").boundingBox())!;
  const position = { x: (width * (left + right)) / 200, y: (height * (top + bottom)) / 200 };
  await page.locator(".crop-board").click({ position });
  await button(/^Focal point, \d/).waitFor();
  expect(await field("Describe the photo").inputValue()).toBe("Vera Lane");
  await choose("Add a second photo", SECOND_PICTURE);
  await button("Change the second photo").waitFor();
  await expectAccessible(page);
  await button("Next").click();
  await heading("Where people find you").waitFor();
  for (const [channel, typed] of [
    ["Instagram", "@veralane"],
    ["YouTube", "https://www.youtube.com/@veralane"],
    ["WhatsApp", "+44 7700 900123"],
  ] as const) {
    await field(channel).click();
    await field(channel).fill(typed);
  }
  await button("Next").click();
  await heading("Choose a look").waitFor();
  await field("Daylight: White and quiet").check();
  await button("Finish").click();
  await heading("Your site is ready").waitFor();
  const setup = await counted();
  expect([setup.taps > 10, setup.taps <= 60]).toEqual([true, true]);
  expect([setup.fields > 5, setup.fields <= 15]).toEqual([true, true]);

  expect(await fetchBody("/api/hero")).toMatchObject({
    mainTitle: "Vera Lane",
    subtitle: "Performer & stage coach",
    tagline: "Performer • Stage coach",
    backgroundImage: expect.stringMatching(/^\/uploads\//),
  });
  for (const path of ["/api/hero", "/api/coaching-hero"])
    expect((await fetchBody(path)).buttonText).toBe("Work with me");
  const { image, content } = await fetchBody("/api/about");
  expect(image).toStartWith("/uploads/");
  expect(image).not.toBe((await fetchBody("/api/hero")).backgroundImage);
  expect(content).toBe("<p>Vera Lane is a performer and stage coach.</p>");
  expect((await fetchBody("/api/connect-links")).map(({ url }: any) => url)).toEqual([
    "https://instagram.com/veralane",
    "https://www.youtube.com/@veralane",
    "https://wa.me/447700900123",
  ]);
  expect(await fetchBody("/api/styles")).toMatchObject({ look: "daylight" });
  expect(await fetchBody("/api/forms")).toMatchObject([{ title: "WORK WITH ME", isActive: true }]);

  await button("Dashboard").click();
  await button("Write").click();
  await page.locator("#tab-panel [contenteditable=true]").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" I have stood on stages for ten years. Now I help others to.");
  await page.locator(".save-bar").getByRole("button", { name: /^Save/ }).click();
  await waitForToast(page, "About content updated successfully");
  await page.locator("#tab-add").click();
  await button("Add Dates").click();
  await button("Add Event").click();
  for (const [label, words] of [
    ["Title", "The Velvet Hour"],
    ["Starts: date", "2099-03-01"],
    ["Starts: time", "20:00"],
    ["Venue", "Palace Theatre"],
    ["City", "Leeds"],
  ] as const)
    await field(label).fill(words);
  await button("Save").click();
  await waitForValue(async () => (await fetchBody("/api/events")).length, 1);
  const { taps, fields } = await counted();
  console.log("from the setup link to a finished site, and with an event:", setup, {
    taps,
    fields,
  });
  expect([taps > setup.taps, taps <= 35]).toEqual([true, true]);
  expect([fields > setup.fields, fields <= 16]).toEqual([true, true]);
  expect(page.problems()).toEqual([]);

  // This browser visits the public page for the first time.
  await page.visit(site.url);
  expect(await page.locator(".hero").getAttribute("data-figure")).toBe("upright");
  const face = await page.evaluate(measureFace, portrait);
  const { written } = await page.evaluate(measureTexts);
  expect(written.filter((each) => overlaps(each, face))).toEqual([]);
  expect(face.coveredShare).toBe(1);
  await page.getByText("I have stood on stages for ten years.").waitFor();
  await page.getByText("The Velvet Hour").waitFor();
  // Nothing appears twice, empty sections are hidden, filled ones shown.
  await page.locator(".hero-subtitle", { hasText: "Performer & stage coach" }).waitFor();
  expect(await page.locator("#hero .tagline").count()).toBe(0);
  expect(await page.locator("meta[name=description]").getAttribute("content")).toBe(
    "The official website of Vera Lane: Performer & stage coach.",
  );
  for (const id of ["highlights", "press"]) expect(await page.locator(`#${id}`).count()).toBe(0);
  for (const id of ["about", "connect"]) expect(await page.locator(`#${id}`).count()).toBe(1);
  await page.locator("#hero").getByRole("link", { name: "Work with me" }).waitFor();
  await page.goto(`${site.url}/coaching`);
  await page.getByRole("heading", { name: "WORK WITH ME" }).waitFor();
  await page.getByLabel("Your name").waitFor();
});

test("a welcome step that can't be saved says so, and the welcome resumes where it was closed", async () => {
  await setUpAccount();
  await expectAccessibleAtWidths(page);
  await field("What you do").focus();
  await page.keyboard.type("DJ");
  await field("Location (optional)").fill("Leeds, online");
  const mend = await dropRequests(page, "**/api/hero");
  await button("Next").click();
  await page.getByRole("alert").getByText("Couldn't save").waitFor();
  expect(await field("What you do").inputValue()).toBe("DJ");
  await mend();
  page.clearProblems();
  await field("What you do").press("Enter");
  await heading("A photo of you").waitFor();
  await button("Skip for now").press("Enter");
  await heading("Where people find you").waitFor();
  await field("Instagram").fill("vera");
  await page.goto(`${site.url}/admin/dashboard`);
  await heading("Where people find you").waitFor();
  const restore = await dropRequests(page, "**/api/welcome");
  await button("Back").click();
  await page.getByRole("alert").getByText("Couldn't save").waitFor();
  await restore();
  page.clearProblems();
  await button("Back").click();
  await heading("A photo of you").waitFor();
  await button("Back").click();
  await heading("What should your first screen say?").waitFor();
  expect(await field("What you do").inputValue()).toBe("DJ");
  expect(await field("Location (optional)").inputValue()).toBe("Leeds, online");
  expect((await fetchBody("/api/hero")).tagline).toBe("Leeds • online");
  await button("Next").click();
  await button("Skip for now").click();
  await heading("Where people find you").waitFor();
  // Previously typed text is kept.
  expect(await field("Instagram").inputValue()).toBe("vera");
  await field("Instagram").press("Enter");
  await heading("Choose a look").waitFor();
  await field("Spotlight: Black, one blue light").focus();
  await page.keyboard.press("ArrowRight");
  expect(await field("Broadway: Theater red on cream").isChecked()).toBe(true);
  await expectAccessible(page);
  await button("Finish").press("Enter");
  await heading("Your site is ready").waitFor();
  expect(page.problems()).toEqual([]);
  expect(await fetchBody("/api/forms")).toMatchObject([{ title: "BOOK A SHOW" }]);
  await button("Dashboard").click();
  await page.getByRole("tab", { name: "Hero" }).waitFor();
  await page.goto(`${site.url}/admin/welcome`);
  await page.getByRole("tab", { name: "Hero" }).waitFor();
});

test("A new site gets the browser's time zone, and its setup link works only once", async () => {
  const { path } = await setUpAccount();
  const browserZone = await page.evaluate(
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  expect((await fetchBody("/api/site")).timeZone).toBe(browserZone);
  await button("Skip setup").click();
  await page.getByRole("tab", { name: "Hero" }).waitFor();
  expect(await field("Main Title").inputValue()).toBe("Vera Lane");
  await page.goto(site.url + path);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  expect(await page.getByRole("link", { name: "Go to login" }).isVisible()).toBe(true);
  await page.goto(`${site.url}/admin/dashboard`);
  await page.getByRole("heading", { name: "Next steps" }).waitFor();
  // On a phone the first field is in the upper half of the screen.
  expect((await field("Main Title").boundingBox())!.y).toBeLessThan(422);
  await button("Set up").click();
  await heading("What should your first screen say?").waitFor();
  await button("Next").click();
  await heading("A photo of you").waitFor();
  await button("Skip for now").click();
  await field("Email").fill("nora@");
  await field("TikTok").fill("https://instagram.com/nora");
  await field("Spotify").fill("open.spotify.com/artist/1");
  await page.getByText("Enter an email address such as name@example.com.").waitFor();
  await button("Next").click();
  await page.getByText("That link doesn't lead to TikTok.").waitFor();
  await waitForValue(() => page.evaluate(() => document.activeElement?.id), "place-tiktok");
  expect(await fetchBody("/api/connect-links")).toEqual([]);
});
