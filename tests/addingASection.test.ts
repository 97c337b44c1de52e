/**
 * Follows docs/adding-a-section.md to the letter: adds its section, page and extra to one copy of the source, and also
 * another kind of question, as CONTRIBUTING.md says.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { parseColor } from "../src/schema/core/color.ts";
import { LOOKS } from "../src/schema/looks/looks.ts";
import { newPage } from "./support/browser.ts";
import { setUpDashboard } from "./support/dashboard.ts";
import { makeForm } from "./support/enquiryForm.ts";
import { setUpBrowserSite } from "./support/browserSite.ts";
import { waitForValue } from "./support/waits.ts";
import {
  appendToList,
  type SourceCopy,
  copySource,
  HOME_SECTIONS_LIST,
  PUBLIC_PAGES_LIST,
} from "./support/sourceCopy.ts";

let copy: SourceCopy;
const site = setUpBrowserSite(async () => {
  copy = await copySource();
  await addSection(copy);
  await addExtra(copy);
  await copy.edit(KINDS_OF_QUESTIONS, (text) => appendToList(text, QUESTION_KINDS, COLOR_KIND));
  return copy.start({ RATE_LIMIT: "off" });
});
const dashboard = setUpDashboard(site);
const openTab = (tab: string) => dashboard.open(tab).then(() => dashboard);
/** Like `openTab`, but stays in the open dashboard. */
const goToTab = (tab: string) => dashboard.goTo(tab).then(() => dashboard);
afterAll(() => copy?.remove());
// Allows time for a build of the whole copy while other tests run.
setDefaultTimeout(180_000);

const KINDS_OF_QUESTIONS = "src/schema/enquiry/questionKinds.ts";
const QUESTION_KINDS = /(export const FIELD_TYPES = \[.*?)(^\] as const)/ms;
const COLOR_KIND = `  {
    value: "color",
    label: "Color",
    line: { type: "text" },
    example: { pattern: /^#[\\da-f]{6}$/i, example: "#3a86ff" },
  },
`;

/** Adds each block of code where the document says. */
async function addSection({ blocks, edit, write }: SourceCopy): Promise<void> {
  const { declaration, colors, section, sheet, line, importing } = blocks;
  await edit("src/schema/sections/sections.ts", (text) => `${colors}${text}\n${declaration}`);
  await write("src/web/site/sections/Awards.tsx", section);
  await write("src/web/site/sections/Awards.css", sheet);
  await edit(
    "src/web/site/sections/index.ts",
    (text) => importing + appendToList(text, HOME_SECTIONS_LIST, line),
  );
  const { importingPage, entry, page } = blocks;
  await edit(
    "src/web/site/pages.ts",
    (text) => importingPage + appendToList(text, PUBLIC_PAGES_LIST, entry),
  );
  await write("src/web/site/Honors.tsx", page);
}

/** Adds the extra in the same way, but under another name, since the section is in the same copy. */
async function addExtra({ blocks, edit, write }: SourceCopy): Promise<void> {
  const { declaration, extraHead, importingExtra, extraSection, sheet } = blocks;
  const extraText = declaration.replaceAll(/(?<=^export .*\{$)/gm, '\n  extra: "awards",');
  await write("src/schema/sections/medals.ts", renameAwards(`${extraHead}\n${extraText}`));
  await edit("src/schema/sections/extras.ts", (text) => {
    const named = appendToList(text, /(EXTRA_MODULES = \{[^}]*?)(,?\s*\};)/, ", medals");
    return renameAwards(importingExtra) + named;
  });
  await write("src/web/site/extras/Medals.tsx", renameAwards(extraSection));
  await write("src/web/site/extras/Medals.css", renameAwards(sheet));
  await edit("src/web/site/sections/index.ts", (text) => {
    const importing = blocks.importing.replace("./", "../extras/");
    return (
      renameAwards(importing) +
      appendToList(text, HOME_SECTIONS_LIST, renameAwards(blocks.extraLine))
    );
  });
}

const renameAwards = (text: string) =>
  text.replaceAll("Award", "Medal").replaceAll("award", "medal");

/** A picture on another host, which no other entity's field accepts. */
const PICTURE = "https://pictures.example/trophy.jpg";
const createAward = {
  title: "Best Newcomer",
  givenBy: "The Stage Critics",
  picture: PICTURE,
};

test("A new kind of question without an input of its own causes no type errors but the missing input's.", async () => {
  const whole = await Bun.file(`${copy.folder}/${KINDS_OF_QUESTIONS}`).text();
  await copy.edit(KINDS_OF_QUESTIONS, (text) =>
    text.replace(COLOR_KIND, COLOR_KIND.replace(/^.*line:.*\n/m, "")),
  );
  const output = await copy.checkTypes().then(String, String);
  await copy.edit(KINDS_OF_QUESTIONS, () => whole);
  const [, ...errors] = output.split("): error TS");
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((each) => !each.includes("Property 'color' is missing"))).toEqual([]);
});

test("An added section's routes refuse a missing value with the section's own message.", async () => {
  const refused = await site
    .asOwner("POST", "/api/awards", { title: "Best Newcomer" })
    .catch(String);
  expect(refused).toContain("422");
  expect(refused).toContain("An award needs a title and who gave it");
  const made = await site.asOwner("POST", "/api/awards", { ...createAward, order: 0 });
  expect(made).toMatchObject(createAward);
  const response = await fetch(`${site.url}/api/awards`);
  expect(await response.json()).toEqual([made]);
  const foreign = await fetch(`${site.url}/api/awards`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(createAward),
  });
  expect(foreign.status).toBe(401);
});

test("Visitors get an added section in the finished HTML of the home page.", async () => {
  const html = await (await fetch(site.url)).text();
  expect(html).toContain('id="awards"');
  expect(html).toContain(createAward.title);
});

test("An added section has the owner's heading and colors, or the look's colors if the owner set none.", async () => {
  const settings = await site.asOwner("POST", "/api/award-settings", { heading: "WON" });
  expect(settings).toEqual({ heading: "WON", ...NO_COLORS });
  for (const { styles } of [LOOKS[0]!, LOOKS.at(-1)!]) {
    await site.asOwner("POST", "/api/styles", styles);
    expect(await readAppearance()).toEqual({
      heading: "WON",
      background: toRgb(styles.sectionBackgroundColor),
      words: toRgb(styles.textColor),
    });
  }
  await site.asOwner("POST", "/api/award-settings", { backgroundColor: "#112233" });
  expect((await readAppearance()).background).toBe("rgb(17, 34, 51)");
  await site.asOwner("POST", "/api/award-settings", NO_COLORS);
});

const NO_COLORS = { backgroundColor: null, textColor: null, accentColor: null };

const toRgb = (color: string) => `rgb(${parseColor(color)!.join(", ")})`;

async function readAppearance() {
  const page = await newPage();
  await page.visit(site.url);
  return page.locator("#awards").evaluate((section) => {
    const { backgroundColor, color } = getComputedStyle(section);
    const heading = section.querySelector("h2")!.textContent;
    return { heading, background: backgroundColor, words: color };
  });
}

test("The content security policy allows the host of an added section's picture, and no other host.", async () => {
  const response = await fetch(site.url);
  expect(await response.text()).toContain(`src="${PICTURE}"`);
  const policy = response.headers.get("content-security-policy")!;
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data: blob: https://pictures.example");
});

test("An added section's styles are in the site's style sheet and in the style sheet for previews.", async () => {
  const manifest = (await Bun.file(join(copy.folder, "dist/web/manifest.json")).json()) as {
    shell: Record<"siteStyles" | "previewStyles", string>;
  };
  const { siteStyles, previewStyles } = manifest.shell;
  expect(await (await fetch(site.url)).text()).toContain(`href="${siteStyles}"`);
  for (const sheet of [siteStyles, previewStyles])
    expect((await (await fetch(site.url + sheet)).text()).includes(".award{")).toBe(true);
});

test("The dashboard gets an added section's tab and preview from its declaration.", async () => {
  const { page, waitForToast: toast, writes } = await openTab("awards");
  const rail = page.getByRole("tablist", { name: "Dashboard" });
  await rail.getByRole("tab", { name: "Awards", selected: true }).waitFor();
  await page.getByText("What you have won.").waitFor();
  await page
    .locator(".list-row", { hasText: "Best Newcomer" })
    .locator(`img[src="${PICTURE}"]`)
    .waitFor();
  await page.getByRole("button", { name: "Add New" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Golden Mask");
  await page.getByLabel("Given by", { exact: true }).fill("Harbour Theatre");
  await page.frameLocator("iframe").getByText("Harbour Theatre").waitFor();
  await page.getByRole("button", { name: "Add award" }).click();
  await toast("The award is on your page");
  expect(writes[0]).toEqual({
    call: "POST /api/awards",
    body: { title: "Golden Mask", givenBy: "Harbour Theatre", picture: null, order: 1 },
  });
  // The test can't reach the other host, so its failed request is expected.
  expect(page.problems(/pictures\.example|net::ERR_/)).toEqual([]);
});

test("An added section's settings are its tab's second subtab, where an unset color shows the look's color.", async () => {
  const { page } = await goToTab("awards");
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Section Heading").waitFor();
  const background = page.getByRole("textbox", { name: "Background Color", exact: true });
  // Without a color, elements inherit it from the look, which is loaded separately.
  await waitForValue(
    async () => [await background.inputValue(), await background.getAttribute("placeholder")],
    ["", LOOKS.at(-1)!.styles.sectionBackgroundColor],
  );
});

test("An added section's own page is finished HTML, and the home page's footer links to it.", async () => {
  const response = await fetch(`${site.url}/honors`);
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain("<title>Honors | Your Name</title>");
  expect(html).toContain("What Your Name has won.");
  expect(html).toContain(createAward.title);
  const home = await (await fetch(site.url)).text();
  expect(home).toMatch(/<a[^>]* href="\/honors"[^>]*>Honors<\/a>/);
});

describe("A section written as an extra", () => {
  const createMedal = { title: "Best Costume", givenBy: "The Stage Critics", picture: null };
  const fetchAsVisitor = async (path: string) => (await fetch(site.url + path)).text();

  test("can be filled by its owner while it is off, and visitors get nothing of it", async () => {
    await site.asOwner("POST", "/api/medals", { ...createMedal, order: 0 });
    expect(await site.asOwner("GET", "/api/medals")).toMatchObject([createMedal]);
    expect(await fetchAsVisitor("/api/medals")).toBe("[]");
    expect(await fetchAsVisitor("/")).not.toContain("edals");
    const { page } = await goToTab("hero");
    await page.getByRole("button", { name: "Add section" }).waitFor();
    expect(await page.getByRole("tab", { name: "Medals" }).count()).toBe(0);
  });

  test("gets a tab, and is on the page after its style sheet, when the owner adds it in the gallery", async () => {
    const { page, waitForToast: toast } = await openTab("add");
    const card = page
      .getByRole("listitem")
      .filter({ hasText: "What you have won, and who gave it." });
    await card.locator("svg rect").first().waitFor();
    await card.getByRole("button", { name: "Add Medals" }).click();
    const message =
      "Medals added to your dashboard. Visitors see the section once it has something to show.";
    await page.locator(".callout", { hasText: message }).waitFor();
    await page.getByRole("tab", { name: "Medals", selected: true }).first().waitFor();
    await page.locator(".list-row", { hasText: createMedal.title }).waitFor();
    await page.getByRole("button", { name: "Add New" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Silver Spoon");
    await page.getByLabel("Given by", { exact: true }).fill("Harbour Theatre");
    await page.getByRole("button", { name: "Add medal" }).click();
    await toast("The medal is on your page");
    await waitForValue(async () => (await fetchAsVisitor("/")).includes("Silver Spoon"), true);
    expect(await fetchAsVisitor("/")).toMatch(
      /<style>[^<]*\.medal[^<]*<\/style><section[^>]* id="medals"/,
    );
  });

  test("leaves the page when it is removed, keeps its content, and can be added again", async () => {
    const { page, waitForToast: toast, dialog } = await openTab("medals");
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog("Remove Medals?").getByRole("button", { name: "Remove" }).click();
    await toast("Medals was removed from your site. Your content is kept.");
    await page.getByRole("button", { name: "Add Medals" }).waitFor();
    await waitForValue(async () => (await fetchAsVisitor("/")).includes("edals"), false);
    expect(await site.asOwner("GET", "/api/medals")).toHaveLength(2);
  });
});

describe("A new kind of question", () => {
  const REFUSED = "Use this format: #3a86ff.";
  let formId: string;
  let id: string;
  beforeAll(async () => {
    const options = { isRequired: true };
    const made = await makeForm(site, "Work with me", [["text", "Your favorite", options]]);
    formId = made.formId;
    id = made.ids[0]!;
    await site.asOwner("PUT", `/api/form-fields/${id}`, { fieldType: "color" });
  });

  const send = (answer: string) =>
    site.visitor().post("/api/form-submissions", { formId, data: { [id]: answer } });

  test("has its answers checked by the server, whose message has an example and is in the site's language", async () => {
    const refused = await send("blue");
    expect([refused.status, refused.body.fields]).toEqual([422, { [id]: REFUSED }]);
    expect((await send("")).body.fields).toEqual({ [id]: "Your favorite is required" });
    await site.asOwner("POST", "/api/site", { language: "de" });
    const page = await newPage({ width: 390 });
    await page.visit(`${site.url}/coaching`);
    await page.getByLabel("Your favorite").fill("blue");
    await page.getByRole("button", { name: "Absenden" }).click();
    await page.locator(".question-error", { hasText: "Geben Sie es so ein: #3a86ff." }).waitFor();
    await site.asOwner("POST", "/api/site", { language: "en" });
  });

  test("is offered by its name in the form builder", async () => {
    await dashboard.goTo("forms", { sub: "builder", form: formId });
    const { page } = dashboard;
    await page.getByText("Color · Required").waitFor();
    await page.getByRole("button", { name: "Edit Your favorite" }).click();
    const offered = page.getByLabel("Field Type").locator("option");
    expect(await offered.allTextContents()).toContain("Color");
  });
});
