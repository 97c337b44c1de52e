/** The Testimonials tab as its owner uses it (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site);
const { button, field, dialog } = dashboard;

beforeEach(async () => {
  await replaceItems(site, "/api/testimonials");
  await site.asOwner("POST", "/api/extras", { on: ["testimonials"] });
});

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isWaiting: boolean;
}

const readStored = (): Promise<Stored[]> => site.asOwner("GET", "/api/testimonials");
const addTestimonial = (more: object = {}): Promise<Stored> =>
  site.asOwner("POST", "/api/testimonials", { words: "Wonderful.", name: "Mia Okafor", ...more });
const WAITING = { isActive: false, isWaiting: true };
const rows = () => dashboard.page.locator("ol.rows > li.list-row");
const waiting = () => dashboard.page.locator(".testimonial-waiting");

test("a waiting testimonial is shown in full and counted next to the tab, and a click publishes it", async () => {
  await addTestimonial({ name: "First" });
  await addTestimonial({ name: "Second" });
  const words = `${"A long story. ".repeat(40)}The end.`;
  await addTestimonial({
    ...WAITING,
    words,
    name: "Kirsty MacRae",
    role: "festival producer",
    order: 0,
  });
  await dashboard.open("testimonials");
  await dashboard.waitForText("1 not published yet");
  expect(await dashboard.page.getByText("Open requests", { exact: true }).count()).toBe(0);
  await waiting().getByText("The end.").waitFor();
  await waiting().getByText("Kirsty MacRae, festival producer").waitFor();
  const count = dashboard.page.locator("#tab-testimonials .rail-count");
  expect((await count.innerText()).trim()).toStartWith("1");
  expect(await rows().count()).toBe(2);
  await waiting().getByRole("button", { name: "Publish" }).click();
  await dashboard.waitForToast("Testimonial published");
  await waiting().waitFor({ state: "detached" });
  await waitForValue(
    () => rows().locator("strong + .quiet").allInnerTexts(),
    ["First", "Second", "Kirsty MacRae, festival producer"],
  );
  expect(await count.count()).toBe(0);
  await button("Undo").click();
  await waiting().waitFor();
  const kirsty = async () => (await readStored()).find(({ name }) => name.startsWith("Kirsty"));
  expect(await kirsty()).toMatchObject(WAITING);
  await waiting().getByRole("button", { name: "Edit Kirsty MacRae" }).click();
  await field("Name").fill("Kirsty Mac");
  await dialog("Edit Testimonial").getByRole("button", { name: "Save" }).click();
  await waiting().getByText("Kirsty Mac,").waitFor();
  await waiting().getByRole("button", { name: "Delete Kirsty Mac" }).click();
  await waiting().waitFor({ state: "detached" });
  await button("Undo").click();
  await waiting().getByRole("button", { name: "Edit Kirsty Mac" }).click();
  await dialog("Edit Testimonial").getByRole("switch", { name: "Show on the site" }).click();
  await dialog("Edit Testimonial").getByRole("button", { name: "Save" }).click();
  await waiting().waitFor({ state: "detached" });
  expect(await kirsty()).toMatchObject({ isActive: true, isWaiting: false });
});

test("rows show which testimonials are large or hidden, and moves skip testimonials that wait for publication", async () => {
  await addTestimonial({ name: "First", words: "Shown to all" });
  await addTestimonial({ ...WAITING, name: "Between", words: "Waits for its owner" });
  await addTestimonial({ name: "Second" });
  await addTestimonial({ name: "Third", isActive: false });
  await dashboard.open("testimonials");
  await waitForValue(() => rows().count(), 3);
  expect(await rows().nth(0).getByText("Large", { exact: true }).count()).toBe(1);
  expect(await rows().nth(1).getByText("Large", { exact: true }).count()).toBe(0);
  expect(await rows().nth(2).getByText("Hidden", { exact: true }).count()).toBe(1);
  await button("Move Second up").click();
  await waitForValue(
    async () => (await readStored()).map(({ name }) => name).filter((name) => name !== "Between"),
    ["Second", "First", "Third"],
  );
  await rows().nth(0).getByText("Large", { exact: true }).waitFor();
  await dashboard.goTo("testimonials", { sub: "preview" });
  const frame = dashboard.page.frameLocator("iframe[title='Desktop preview']");
  await frame.getByText("Shown to all").waitFor();
  expect(await frame.getByText("Waits for its owner").count()).toBe(0);
});

test("on a phone a testimonial is requested by a link or a QR code, and waits for publication once it is sent", async () => {
  await dashboard.open("testimonials", { width: 390 });
  await button("Ask for a testimonial").click();
  await field("Their name (not shown on your site)").fill("Aoife Brennan");
  await button("Create link").click();
  await dialog("Ask for a testimonial").getByText("Link for Aoife Brennan").waitFor();
  await dialog("Ask for a testimonial")
    .getByText(/works once, expires \d+ \w+/)
    .waitFor();
  await button("QR code").click();
  await dialog("Ask for a testimonial").getByRole("img", { name: "QR code of the link" }).waitFor();
  // Mail isn't set up on this site.
  expect(await button("Send email").count()).toBe(0);
  await expectAccessible(dashboard.page);
  const address = await dialog("Ask for a testimonial").locator("code").innerText();
  const words = "Two tins of beans, and nobody laughed.";
  const body = new URLSearchParams({ words, name: "Denise Barker", agreed: "yes" });
  expect((await fetch(`http://${address}`, { method: "POST", body })).status).toBe(200);
  await dashboard.open("testimonials", { width: 390 });
  // A request that was answered is no longer open.
  expect(await dashboard.page.getByText("not answered yet").count()).toBe(0);
  await waiting().getByText(words).waitFor();
  await waiting()
    .getByText(/received today, \d\d:\d\d/)
    .waitFor();
});

test("open requests for testimonials are listed with their link, which corrections don't change", async () => {
  const addRequest = (body: object): Promise<{ id: string }> =>
    site.asOwner("POST", "/api/testimonial-requests", body);
  await replaceItems(site, "/api/testimonial-requests");
  await addRequest({});
  await addRequest({ who: "Aoife Brennan" });
  await dashboard.open("testimonials");
  await dashboard.page.getByText("2 not answered yet").click();
  const requestRows = dashboard.page.locator(".request-row");
  expect(await requestRows.locator("strong").allInnerTexts()).toEqual(["Aoife Brennan", "No name"]);
  const lines = await requestRows.locator(".quiet").allInnerTexts();
  for (const line of lines) expect(line).toMatch(/^Requested \d+ \w+, expires \d+ \w+$/);
  await button("Show link: Aoife Brennan").click();
  await dialog("Ask for a testimonial").getByText("Link for Aoife Brennan").waitFor();
  const address = `http://${await dialog("Ask for a testimonial").locator("code").innerText()}`;
  const status = async () => (await fetch(address)).status;
  expect(await status()).toBe(200);
  await button("Close").last().click();
  await button("Cancel request: Aoife Brennan").click();
  await dashboard.waitForToast("Request canceled");
  expect(await status()).toBe(404);
  await dashboard.waitForText("1 not answered yet");
  await button("Undo").click();
  await dashboard.waitForText("2 not answered yet");
  expect(await status()).toBe(200);
  await button("Ask for a testimonial").click();
  await field("Their email address (optional)").fill("nobody");
  await button("Create link").click();
  await dialog("Ask for a testimonial")
    .getByText("Enter an email address such as name@example.com.")
    .waitFor();
  await field("Their email address (optional)").fill("aoife@example.com");
  await button("Create link").click();
  const code = dialog("Ask for a testimonial").locator("code");
  const link = await code.innerText();
  await field("Their name (not shown on your site)").fill("Aoife");
  await button("Save").click();
  await dialog("Ask for a testimonial").getByText("Link for Aoife").waitFor();
  expect(await code.innerText()).toBe(link);
});

test("the dialog that erases a person's data says how many of the person's testimonials are published", async () => {
  const email = "ada@voices.example";
  await addTestimonial({ email });
  await addTestimonial({ ...WAITING, email });
  await dashboard.open("email");
  await field("Their email address").fill(email);
  await button("Search").click();
  await dashboard.waitForText("There are 2 testimonials for");
  await button("Erase data").click();
  await dialog().getByText("One of the testimonials is published.").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
});

test("the dialog that erases a person's data says that the person's testimonial is published", async () => {
  await addTestimonial({ email: "mia@voices.example" });
  await dashboard.open("email");
  await field("Their email address").fill("mia@voices.example");
  await button("Search").click();
  await dashboard.waitForText("There is 1 testimonial for");
  await button("Erase data").click();
  await dialog().getByText("The testimonial is published.").waitFor();
  expect(await readStored()).toHaveLength(1);
  await button("Erase and unpublish").click();
  await dashboard.waitForToast("Personal data erased");
  expect(await readStored()).toEqual([]);
});
