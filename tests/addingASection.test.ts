/** docs/adding-a-section.md done to the letter in a copy of the source. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { closePages } from "./support/browser.ts";
import { openDashboard } from "./support/dashboard.ts";
import { type ProgramSite, startProgram } from "./support/program.ts";

setDefaultTimeout(60_000);

const COPIED = ["src", "build.ts", "package.json", "tsconfig.json"];

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

/** The code blocks of the page, in turn: declaration, component, line, import. */
async function followTheWalkThrough(): Promise<void> {
  const page = await Bun.file("docs/adding-a-section.md").text();
  const blocks = [...page.matchAll(/^```tsx?\n(.*?)^```$/gms)].map((match) => match[1]!);
  const [declaration, component, line, importing] = blocks as [string, string, string, string];
  const sections = join(copy, "src/schema/sections.ts");
  await Bun.write(sections, `${await Bun.file(sections).text()}\n${declaration}`);
  await Bun.write(join(copy, "src/web/site/sections/Testimonials.tsx"), component);
  const index = join(copy, "src/web/site/sections/index.ts");
  const before = await Bun.file(index).text();
  const list = /(HOME_SECTIONS: readonly Section\[\] = \[.*?)(^\];)/ms;
  expect(before).toMatch(list);
  await Bun.write(index, importing + before.replace(list, `$1${line}$2`));
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

const aTestimonial = { name: "Ines", words: "I stood taller after an hour." };

test("The types follow from the declaration.", async () => {
  await run(resolve("node_modules/.bin/tsc"), "--noEmit", "--project", copy);
});

test("The calls of the section answer, with its own words when something is missing.", async () => {
  const refused = await site.asOwner("POST", "/api/testimonials", { name: "Ines" }).catch(String);
  expect(refused).toContain("422");
  expect(refused).toContain("Name and words are required");
  const made = await site.asOwner("POST", "/api/testimonials", { ...aTestimonial, order: 0 });
  expect(made).toMatchObject(aTestimonial);
  const answer = await fetch(`${site.url}/api/testimonials`);
  expect(await answer.json()).toEqual([made]);
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

test("The dashboard has its tab, made from the declaration, with the section beside it.", async () => {
  const { page, toast, writes } = await openDashboard(site, "testimonials");
  await page.getByRole("tab", { name: "Testimonials", selected: true }).waitFor();
  await page.getByText("Ines").waitFor();
  await page.getByRole("button", { name: "Add New" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bo");
  await page.getByLabel("Words", { exact: true }).fill("Loud and clear.");
  await page.frameLocator("iframe").getByText("Loud and clear.").waitFor();
  await page.getByRole("button", { name: "Add testimonial" }).click();
  await toast("Testimonial created successfully");
  expect(writes[0]).toEqual({
    call: "POST /api/testimonials",
    body: { name: "Bo", words: "Loud and clear.", order: 1 },
  });
  expect(page.problems()).toEqual([]);
});
