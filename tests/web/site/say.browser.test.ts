/** The page behind the link of who is asked for a testimonial (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";

const site = sampleSite();

beforeEach(() => site.asOwner("POST", "/api/extras", { on: ["testimonials"] }));

async function opened(options: PageOptions = {}) {
  const { id } = await site.asOwner("POST", "/api/testimonial-requests", {});
  const { link } = await site.asOwner(
    "GET",
    `/api/testimonial-requests/${id}/link?from=${site.url}`,
  );
  const page = await newPage(options);
  await page.goto(link);
  return page;
}

test.each(["light", "dark"] as const)(
  "in %s nothing is wrong with any of its pages",
  async (colorScheme) => {
    const page = await opened();
    await page.emulateMedia({ colorScheme });
    await expectSoundAtWidths(page, [320, 390, 1366]);
    await page.getByLabel("Your words").fill("See https://spam.example");
    await page.getByLabel("Your name").fill("Denise");
    await page.getByLabel(/may show my words/).check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Please leave out links.").waitFor();
    // What was typed is still there, and the field says what is wrong with it.
    expect(await page.getByLabel("Your name").inputValue()).toBe("Denise");
    expect(await page.getByLabel("Your words").getAttribute("aria-describedby")).toBe(
      "words-wrong",
    );
    await expectSoundAtWidths(page, [320, 390, 1366]);
    await page.getByLabel("Your words").fill("Wonderful.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you. Your words have arrived.").waitFor();
    await expectSoundAtWidths(page, [320, 390, 1366]);
    await page.getByRole("button", { name: "Take my words back" }).click();
    await page.getByText("Your words are taken back.").waitFor();
    await page.reload().catch(() => undefined);
    await page.goto(page.url());
    await page.getByText("This link no longer works.").waitFor();
    await expectSoundAtWidths(page, [320, 390, 1366]);
  },
);

test("a browser keeps what is missing from being sent, and takes 600 letters at most", async () => {
  const page = await opened({ width: 390 });
  await page.getByRole("button", { name: "Send" }).click();
  expect(await page.getByText("Thank you.").count()).toBe(0);
  const words = page.getByLabel("Your words");
  await words.click();
  await page.keyboard.insertText("彼".repeat(700));
  expect((await words.inputValue()).length).toBe(600);
});

test.each([390, 1366])("whatever is pressed is at least 44 px high at %i px", async (width) => {
  const page = await opened({ width });
  for (const box of await page
    .locator("button, input:not([type=checkbox]), textarea, .agree")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON())))
    expect(box.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.scripts.length)).toBe(0);
});
