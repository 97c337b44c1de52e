/** The extra of docs/adding-a-section.md, done to the letter in a copy of the source. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { closePages } from "./support/browser.ts";
import { openDashboard } from "./support/dashboard.ts";
import type { ProgramSite } from "./support/program.ts";
import { eventually } from "./support/waits.ts";
import { atTheEnd, type Copy, copySource, HOME } from "./support/walkThrough.ts";

// A build of the whole copy, also while other tests run.
setDefaultTimeout(180_000);

let copy: Copy;
let site: ProgramSite;

beforeAll(async () => {
  copy = await copySource();
  await followTheWalkThrough(copy);
  site = await copy.start();
});
afterAll(async () => {
  await closePages();
  await site?.stop();
  await copy?.remove();
});

/** Each block of code goes where the document says. */
async function followTheWalkThrough({ blocks, edit, write }: Copy): Promise<void> {
  const { declaration, extraHead, importingExtra, extraSection, sheet } = blocks;
  const ofTheExtra = declaration.replaceAll(/(?<=^export .*\{$)/gm, '\n  extra: "awards",');
  await write("src/schema/awards.ts", `${extraHead}\n${ofTheExtra}`);
  await edit(
    "src/schema/declaredExtras.ts",
    (text) => importingExtra + atTheEnd(text, /(DECLARED = \{[^}]*?)(,?\s*\};)/, ", awards"),
  );
  await write("src/web/site/extras/Awards.tsx", extraSection);
  await write("src/web/site/extras/Awards.css", sheet);
  await edit(
    "src/web/site/sections/index.ts",
    (text) => blocks.importing.replace("./", "../extras/") + atTheEnd(text, HOME, blocks.extraLine),
  );
}

const anAward = { title: "Best Newcomer", givenBy: "The Stage Critics", picture: null };
const asVisitor = async (path: string) => (await fetch(site.url + path)).text();

test("The types follow from the declaration.", async () => {
  await copy.run(resolve("node_modules/.bin/tsc"), "--noEmit", "--project", copy.folder);
});

test("While it is off, its owner writes it and no visitor gets anything of it.", async () => {
  await site.asOwner("POST", "/api/awards", { ...anAward, order: 0 });
  expect(await site.asOwner("GET", "/api/awards")).toMatchObject([anAward]);
  expect(await asVisitor("/api/awards")).toBe("[]");
  expect(await asVisitor("/")).not.toContain("wards");
  const { page } = await openDashboard(site, "hero");
  await page.getByRole("tab", { name: "Add a section" }).waitFor();
  expect(await page.getByRole("tab", { name: "Awards" }).count()).toBe(0);
});

test("Its declaration is a file of its own, which nobody fetches who doesn't edit it.", async () => {
  const folder = join(copy.folder, "dist/web/assets");
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const read = async (name: string) => [name, await Bun.file(join(folder, name)).text()] as const;
  const told = (await Promise.all(scripts.map(read))).filter(([, text]) =>
    text.includes("An award needs a title"),
  );
  expect(told.length).toBe(1);
  const [name, text] = told[0]!;
  expect(text).not.toContain("A date needs a title");
  const fetched = async (tab: string) => {
    const { page } = await openDashboard(site, tab);
    await page.getByRole("tabpanel").getByRole("heading").first().waitFor();
    return page.evaluate(
      (name) => performance.getEntriesByType("resource").some((each) => each.name.includes(name)),
      name,
    );
  };
  expect(await fetched("hero")).toBe(false);
  expect(await fetched("add")).toBe(false);
  expect(await fetched("dates")).toBe(false);
});

test("Its card in the gallery adds it: the tab opens, and the section stands on the page behind its sheet.", async () => {
  const { page, toast } = await openDashboard(site, "add");
  const card = page
    .getByRole("listitem")
    .filter({ hasText: "What you have won, and who gave it." });
  await card.locator("svg rect").first().waitFor();
  await card.getByRole("button", { name: "Add Awards" }).click();
  await toast("Awards is in your dashboard. Visitors see it once it has something to show.");
  await page.getByRole("tab", { name: "Awards", selected: true }).waitFor();
  await page.locator(".row", { hasText: anAward.title }).waitFor();
  await page.getByRole("button", { name: "Add New" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Golden Mask");
  await page.getByLabel("Given by", { exact: true }).fill("Harbour Theatre");
  await page.getByRole("button", { name: "Add award" }).click();
  await toast("The award is on your page");
  await eventually(async () => (await asVisitor("/")).includes("Golden Mask"), true);
  expect(await asVisitor("/")).toMatch(
    /<link rel="stylesheet" href="\/assets\/extra-awards-\w+\.css"\/><section[^>]* id="awards"/,
  );
});

test("Taken away it is off the page and among what can be added, and nothing of it is lost.", async () => {
  const { page, toast, dialog } = await openDashboard(site, "awards");
  await page.getByRole("button", { name: "Take away" }).click();
  await dialog("Take Awards away?").getByRole("button", { name: "Take away" }).click();
  await toast("Awards is off your site. What you wrote is kept.");
  await page.getByRole("button", { name: "Add Awards" }).waitFor();
  await eventually(async () => (await asVisitor("/")).includes("wards"), false);
  expect(await site.asOwner("GET", "/api/awards")).toHaveLength(2);
});
