/** docs/adding-a-section.md done to the letter in a copy of the source. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { colorChannels } from "../src/schema/color.ts";
import { lookNamed, LOOKS } from "../src/schema/looks.ts";
import { closePages, newPage } from "./support/browser.ts";
import { openDashboard } from "./support/dashboard.ts";
import { type ProgramSite, startProgram } from "./support/program.ts";
import { eventually } from "./support/waits.ts";

// A build of the whole copy, also while other tests run.
setDefaultTimeout(180_000);

const COPIED = [
  "src",
  "docs/deploy",
  "build.ts",
  "package.json",
  "bun.lock",
  "tsconfig.json",
  "LICENSE",
];

let copy: string;
let site: ProgramSite;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "limelight-section-"));
  for (const name of COPIED) await cp(name, join(copy, name), { recursive: true });
  await symlink(resolve("node_modules"), join(copy, "node_modules"));
  await followTheWalkThrough();
  await run("build.ts", "--web-only");
  site = await startProgram({ folder: copy, command: [process.execPath, "src/main.ts"] });
});
afterAll(async () => {
  await closePages();
  await site?.stop();
  await rm(copy, { recursive: true, force: true });
});

/** The code blocks of the document, in turn; each goes where the document says. */
async function followTheWalkThrough(): Promise<void> {
  const document = await Bun.file("docs/adding-a-section.md").text();
  const blocks = [...document.matchAll(/^```(?:tsx?|css)\n(.*?)^```$/gms)].map(
    (match) => match[1]!,
  );
  expect(blocks.length).toBe(9);
  const [declaration, colors, section, sheet, line, importing, importingPage, entry, page] =
    blocks as [string, ...string[]];
  const site = join(copy, "src/web/site");
  await edit("src/schema/sections.ts", (text) => `${colors}${text}\n${declaration}`);
  await Bun.write(join(site, "sections/Testimonials.tsx"), section!);
  await Bun.write(join(site, "sections/Testimonials.css"), sheet!);
  await edit("src/web/site/sections/index.ts", (text) => importing + atTheEnd(text, HOME, line!));
  await edit("src/web/site/pages.ts", (text) => importingPage + atTheEnd(text, LIST, entry!));
  await Bun.write(join(site, "Voices.tsx"), page!);
}

const HOME = /(HOME_SECTIONS: readonly Section\[\] = \[.*?)(^\];)/ms;
const LIST = /(const PAGES = \[.*?)(^\] as const)/ms;

/** The text with `more` as the last entry of a list. */
function atTheEnd(text: string, list: RegExp, more: string): string {
  expect(text).toMatch(list);
  return text.replace(list, `$1${more}$2`);
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = join(copy, path);
  await Bun.write(file, change(await Bun.file(file).text()));
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: copy,
    stdout: "pipe",
    stderr: "pipe",
  });
  const words = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, ...words]).toEqual([0, expect.any(String), ""]);
}

/** Of another host, in a field that no other entity has. */
const PORTRAIT = "https://pictures.example/ines.jpg";
const aTestimonial = {
  name: "Ines",
  words: "I stood taller after an hour.",
  portrait: PORTRAIT,
};

test("The types follow from the declaration.", async () => {
  await run(resolve("node_modules/.bin/tsc"), "--noEmit", "--project", copy);
});

test("The routes of the section are there, with its own sentence when something is missing.", async () => {
  const refused = await site.asOwner("POST", "/api/testimonials", { name: "Ines" }).catch(String);
  expect(refused).toContain("422");
  expect(refused).toContain("Name and words are required");
  const made = await site.asOwner("POST", "/api/testimonials", { ...aTestimonial, order: 0 });
  expect(made).toMatchObject(aTestimonial);
  const response = await fetch(`${site.url}/api/testimonials`);
  expect(await response.json()).toEqual([made]);
  const foreign = await fetch(`${site.url}/api/testimonials`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(aTestimonial),
  });
  expect(foreign.status).toBe(401);
});

test("Visitors find it in the finished HTML of the home page.", async () => {
  const html = await (await fetch(site.url)).text();
  expect(html).toContain('id="testimonials"');
  expect(html).toContain(aTestimonial.words);
});

test("Its heading and its colors are the owner's, and the look's where the owner has set none.", async () => {
  const settings = await site.asOwner("POST", "/api/testimonial-settings", { heading: "VOICES" });
  expect(settings).toEqual({ heading: "VOICES", ...NO_COLORS });
  for (const { styles } of LOOKS) {
    await site.asOwner("POST", "/api/styles", styles);
    expect(await seenOnThePage()).toEqual({
      heading: "VOICES",
      background: inNumbers(styles.sectionBackgroundColor),
      words: inNumbers(styles.textColor),
    });
  }
  await site.asOwner("POST", "/api/testimonial-settings", { backgroundColor: "#112233" });
  expect((await seenOnThePage()).background).toBe("rgb(17, 34, 51)");
  await site.asOwner("POST", "/api/testimonial-settings", NO_COLORS);
});

const NO_COLORS = { backgroundColor: null, textColor: null, accentColor: null };

const inNumbers = (color: string) => `rgb(${colorChannels(color)!.join(", ")})`;

async function seenOnThePage() {
  const page = await newPage();
  await page.visit(site.url);
  return page.locator("#testimonials").evaluate((section) => {
    const { backgroundColor, color } = getComputedStyle(section);
    const heading = section.querySelector("h2")!.textContent;
    return { heading, background: backgroundColor, words: color };
  });
}

test("Its picture from another host is let through by the policy, and no other host is.", async () => {
  const response = await fetch(site.url);
  expect(await response.text()).toContain(`src="${PORTRAIT}"`);
  const policy = response.headers.get("content-security-policy")!;
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data: blob: https://pictures.example");
});

test("Its style sheet is part of the site's, and of the dashboard's previews.", async () => {
  const manifest = (await Bun.file(join(copy, "dist/web/manifest.json")).json()) as {
    shell: Record<"siteStyles" | "previewStyles", string>;
  };
  const { siteStyles, previewStyles } = manifest.shell;
  expect(await (await fetch(site.url)).text()).toContain(`href="${siteStyles}"`);
  for (const sheet of [siteStyles, previewStyles])
    expect((await (await fetch(site.url + sheet)).text()).includes(".testimonial{")).toBe(true);
});

test("The dashboard has its tab, made from the declaration, with the section beside it.", async () => {
  const { page, toast, writes } = await openDashboard(site, "testimonials");
  const rail = page.getByRole("tablist", { name: "Dashboard" });
  await rail.getByRole("tab", { name: "Testimonials", selected: true }).waitFor();
  await page.getByText("What people say about you.").waitFor();
  await page.locator(".row", { hasText: "Ines" }).locator(`img[src="${PORTRAIT}"]`).waitFor();
  await page.getByRole("button", { name: "Add New" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bo");
  await page.getByLabel("Words", { exact: true }).fill("Loud and clear.");
  await page.frameLocator("iframe").getByText("Loud and clear.").waitFor();
  await page.getByRole("button", { name: "Add testimonial" }).click();
  await toast("The testimonial is on your page");
  expect(writes[0]).toEqual({
    call: "POST /api/testimonials",
    body: { name: "Bo", words: "Loud and clear.", portrait: null, order: 1 },
  });
  // The other host is none that the test could reach.
  expect(page.problems(/pictures\.example|net::ERR_/)).toEqual([]);
});

test("Its settings are the second subtab, and tell a color that isn't set as what it is then.", async () => {
  const { page } = await openDashboard(site, "testimonials");
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Section Heading").waitFor();
  const background = page.getByRole("textbox", { name: "Background Color", exact: true });
  // What stands there without a color of its own comes with the look, which is read by itself.
  await eventually(
    async () => [await background.inputValue(), await background.getAttribute("placeholder")],
    ["", LOOKS.at(-1)!.styles.sectionBackgroundColor],
  );
});

test("A look leaves it without colors of its own; Styles counts it, and knows that it isn't empty.", async () => {
  const { page, writes } = await openDashboard(site, "styles");
  await page.getByRole("radio", { name: /^Broadway/ }).check({ force: true });
  await page.getByRole("tab", { name: "Sections" }).click();
  await page
    .locator(".row", { hasText: "Testimonials" })
    .getByText(/^\d testimonials?$/)
    .waitFor();
  await page.getByRole("button", { name: "Save Styles" }).first().click();
  await page.getByText("Saved").first().waitFor();
  expect(writes.map(({ call }) => call)).not.toContain("POST /api/testimonial-settings");
  expect((await seenOnThePage()).background).toBe(
    inNumbers(lookNamed("broadway")!.styles.sectionBackgroundColor),
  );
});

test("The page of its own is finished HTML with a head, and every footer links to it.", async () => {
  const response = await fetch(`${site.url}/voices`);
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain("<title>Voices | Your Name</title>");
  expect(html).toContain("What people say about Your Name.");
  expect(html).toContain(aTestimonial.words);
  const home = await (await fetch(site.url)).text();
  expect(home).toMatch(/<a[^>]* href="\/voices"[^>]*>Voices<\/a>/);
});

test("A visitor's browser comes to the page by its link, and shows the other host's picture.", async () => {
  const page = await newPage();
  await page.route(PORTRAIT, (route) => route.fulfill({ path: "docs/screenshots/home.webp" }));
  await page.visit(site.url);
  await page.getByRole("link", { name: "Voices" }).click();
  await page.getByRole("heading", { name: "Voices", level: 1 }).waitFor();
  await page.getByText(aTestimonial.words).waitFor();
  expect(await page.title()).toBe("Voices | Your Name");
  await page.getByRole("img", { name: "Ines" }).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("img")!.naturalWidth > 0);
  expect(page.problems(/^foreign request: https:\/\/pictures\.example/)).toEqual([]);
});
