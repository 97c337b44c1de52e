/** From the login to a new password by a link that comes by mail (specification, section 2.7). */
import { afterAll, expect, test } from "bun:test";
import { closePages, newPage } from "../../../support/browser.ts";
import { expectSound, expectSoundAtWidths } from "../../../support/expectSound.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { OWNER } from "../../../support/site.ts";
import { noteToasts, toastSaid } from "../../../support/toasts.ts";
import { eventually } from "../../../support/waits.ts";

afterAll(closePages);

test("who forgot the password gets a link, chooses a new one, and logs in with it", async () => {
  const { site, server } = await startMailSite({ hasAddress: true });
  const { url } = site;
  const page = await newPage({ width: 390 });
  noteToasts(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.goto(`${url}/admin/login`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await button("Send the link").click();
  await page.locator(".field-error").getByText("This can't be empty.").waitFor();
  await expectSoundAtWidths(page);
  await page.getByLabel("Username or email").fill(OWNER.email);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await expectSound(page);
  await eventually(() => server.taken.length, 1);
  const [link] = /http:\S+\/admin\/password#token=\S+/.exec(server.taken[0]!.text!)!;
  await page.goto(link);
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  await page.getByText(`For ${OWNER.username}.`).waitFor();
  await page.getByLabel("New password").fill("short");
  await button("Save the password").click();
  await page.locator(".field-error").getByText("at least 12").waitFor();
  await expectSoundAtWidths(page);
  await page.getByLabel("New password").fill("seven quiet lanterns");
  await button("Save the password").click();
  await toastSaid(page, "Your new password is saved. Log in with it.");
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill("seven quiet lanterns");
  await button("Login").click();
  await page.waitForURL(/\/admin\/(?:dashboard|welcome)/);
  await page.goto(link);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  // The refusals on the way: an empty field, no session, a short password, the dead link.
  expect(page.problems(/status of (?:401|404|422)/)).toEqual([]);
  await page.close();
  await Promise.all([site.stop(), server.stop()]);
});
