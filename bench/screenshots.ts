/**
 * Takes the pictures of docs/screenshots from the executable with the sample content: `bun run bench screenshots`.
 */
import { closeBrowser, newPage, type TestPage } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { OWNER } from "../tests/support/site.ts";

const site = await startProgram({ hasSample: true });
try {
  await capture("home", 1366, 860, (page) => page.goto(site.url));
  await capture("home-phone", 390, 844, (page) => page.goto(site.url));
  await capture("highlights", 1366, 860, (page) => openSection(page, "/", "#highlights"));
  await capture("coaching", 1366, 860, (page) => page.goto(`${site.url}/coaching`));
  await capture("transformations", 1366, 860, (page) =>
    openSection(page, "/coaching", "#transformations"),
  );
  await capture("enquiry-phone", 390, 844, (page) => openSection(page, "/coaching", "#enquiry"));
  await capture("dashboard", 1366, 860, openDashboard);
  await capture("dashboard-phone", 390, 844, openDashboard);
} finally {
  await closeBrowser();
  await site.stop();
}

async function openSection(page: TestPage, path: string, selector: string): Promise<void> {
  await page.visit(site.url + path);
  await page.locator(selector).evaluate((element) => element.scrollIntoView());
}

async function openDashboard(page: TestPage): Promise<void> {
  await page.request.post(`${site.url}/api/auth/login`, { data: OWNER });
  await page.visit(`${site.url}/admin/dashboard`);
  await page.getByRole("tab", { name: "Hero" }).waitFor();
}

async function capture(
  name: string,
  width: number,
  height: number,
  visit: (page: TestPage) => Promise<unknown>,
): Promise<void> {
  const page = await newPage({ width });
  await page.setViewportSize({ width, height });
  await visit(page);
  await page.waitUntilSettled();
  await page.waitForTimeout(1500);
  const picture = new Bun.Image(await page.screenshot()).webp({ quality: 84 });
  await Bun.write(`docs/screenshots/${name}.webp`, await picture.bytes());
  await page.context().close();
}
