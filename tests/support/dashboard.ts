/** The dashboard in a real browser, logged in as the owner. */
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { type Executable, OWNER } from "./executable.ts";

/** Opens a tab of the dashboard with a session of its own; close it by `page.context().close()`. */
export async function openDashboard(
  site: Executable,
  tab = "hero",
  options: PageOptions = {},
): Promise<TestPage> {
  const page = await newPage(options);
  await logInQuietly(page, site);
  await page.goto(`${site.url}/admin/dashboard?tab=${tab}`);
  await page.getByRole("tab", { selected: true }).first().waitFor();
  return page;
}

/** Gives the page's profile a session without the login screen. */
export async function logInQuietly(page: TestPage, site: { url: string }): Promise<void> {
  const { username, password } = OWNER;
  const options = { data: { username, password } };
  const answer = await page.context().request.post(`${site.url}/api/auth/login`, options);
  if (!answer.ok()) throw new Error(`Could not log in: ${answer.status()} ${await answer.text()}`);
}

/** The toast there is, as people see it. */
export const toastOf = (page: TestPage) => page.locator(".ui-toast");

/** Uploads a picture as the owner; answers what the server stored. */
export async function upload(
  site: { url: string },
  page: TestPage,
  name: string,
  buffer: Uint8Array,
  mimeType = "image/jpeg",
): Promise<{ id: string; url: string }> {
  const file = { name, mimeType, buffer: Buffer.from(buffer) };
  const options = { multipart: { file } };
  const answer = await page.context().request.post(`${site.url}/api/upload`, options);
  if (!answer.ok()) throw new Error(`Could not upload: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/** How far the page is wider than its window, in CSS pixels. */
export const sideways = (page: TestPage) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
