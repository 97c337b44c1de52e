/**
 * Testimonials as visitors see them, and the page for people who are asked for one (specification, section 2.24).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { newPage, type PageOptions, WIDTHS } from "../../support/browser.ts";
import { inspectAtWidths, expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { measureBoxes, measureOverflow } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";

const site = setUpSampleSite();

const LONG = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(14);
const ARABIC = "كان يتحدث معنا بهدوء ووضوح حتى فهم الجميع ما يجب فعله. ".repeat(8).trim();
const TESTIMONIALS = [
  { words: "He said one sentence in week two that I still say to myself on the stairs." },
  { words: "I had not been inside a gym since school. ".repeat(4).trim(), name: "Paul and Denise" },
  { words: "Eleven weeks, forty minutes each.", link: "https://voices.example/simone" },
  { words: ARABIC, name: "ياسمين حداد", role: "مديرة" },
  { words: LONG, name: LONG.slice(0, 80), role: LONG.slice(0, 80) },
  { words: "彼は私たちの名前をすべて覚えてくれました。".repeat(10), name: "山田花子" },
  { words: "Behind the press", name: "Marcus Bell" },
];

beforeAll(async () => {
  const [{ imageUrl: portrait }]: [{ imageUrl: string }] = await site.asOwner(
    "GET",
    "/api/highlights",
  );
  for (const testimonial of TESTIMONIALS)
    await site.asOwner("POST", "/api/testimonials", {
      name: "Mia Okafor",
      role: "Lost 25 pounds in a year",
      portrait,
      ...testimonial,
    });
  await site.asOwner("POST", "/api/testimonial-settings", { place: "both" });
  await site.asOwner("POST", "/api/extras", { on: ["testimonials"] });
});

async function openTestimonials(options: PageOptions = {}) {
  const page = await newPage(options);
  await page.goto(`${site.url}/coaching`);
  const voices = page.locator("#testimonials");
  await voices.scrollIntoViewIfNeeded();
  return { page, voices };
}

test("testimonials are in one to three columns, depending on the width, and a click shows the rest", async () => {
  const { page, voices } = await openTestimonials({ javaScriptEnabled: false });
  // Right-to-left text begins at the right.
  const figure = voices.locator("figure", { hasText: "ياسمين حداد" });
  expect(await figure.evaluate((each) => getComputedStyle(each).direction)).toBe("rtl");
  const columns: Record<number, number> = {};
  await inspectAtWidths(page, WIDTHS, async (width) => {
    const figures = voices.locator(".testimonials").first().locator("figure");
    const [large, ...others] = await measureBoxes(figures);
    columns[width] = new Set(others.map(({ x }) => Math.round(x))).size;
    expect(large!.width).toBeGreaterThan(others[0]!.width * (columns[width] - 0.5));
    const sizes = await voices
      .locator("blockquote p")
      .evaluateAll((all) => all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)));
    expect(sizes[0]).toBeGreaterThan(sizes[1]! * 1.2);
  });
  expect(columns).toEqual({ 390: 1, 768: 2, 1366: 3 });
  const late = voices.getByText("Behind the press");
  expect(await late.isVisible()).toBe(false);
  await voices.getByText("All 7").click();
  expect(await late.isVisible()).toBe(true);
  await inspectAtWidths(page, [320, 390, 1366], async () => {
    expect(await measureOverflow(page)).toBe(0);
    for (const box of await measureBoxes(voices.locator("a, summary")))
      expect(box.height).toBeGreaterThanOrEqual(44);
  });
  // With three testimonials, the two small ones share two columns, so that no gap is left.
  await page.setViewportSize({ width: 1366, height: 768 });
  const figures = voices.locator(".testimonials").first().locator("figure");
  const [large, second] = await figures.evaluateAll((all) => {
    for (const each of all.slice(3)) (each.closest("li") ?? each).remove();
    return all.slice(0, 3).map((each) => each.getBoundingClientRect().width);
  });
  expect(second).toBeGreaterThan(large! * 0.45);
});

/** The page behind the link for a person who is asked for a testimonial. */
describe("the page that asks for a testimonial", () => {
  async function openRequestPage(options: PageOptions = {}) {
    const { id } = await site.asOwner("POST", "/api/testimonial-requests", {});
    const { link } = await site.asOwner(
      "GET",
      `/api/testimonial-requests/${id}/link?from=${site.url}`,
    );
    const page = await newPage(options);
    await page.goto(link);
    return page;
  }

  test("doesn't send a form with missing answers, and is accessible before and after sending, dark and light", async () => {
    const page = await openRequestPage();
    expect(await page.evaluate(() => document.scripts.length)).toBe(0);
    await inspectAtWidths(page, [390, 1366], async () => {
      const controls = page.locator("button, input:not([type=checkbox]), textarea, .consent");
      for (const box of await measureBoxes(controls)) expect(box.height).toBeGreaterThanOrEqual(44);
    });
    await page.getByRole("button", { name: "Send" }).click();
    expect(await page.getByText("Thank you.").count()).toBe(0);
    const testimonial = page.getByLabel("Your testimonial");
    await testimonial.click();
    await page.keyboard.insertText("彼".repeat(700));
    expect((await testimonial.inputValue()).length).toBe(700);
    await testimonial.fill("See https://spam.example");
    await page.getByLabel("Your name").fill("Denise");
    await page.getByLabel(/may publish my testimonial/).check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Please remove any links.").waitFor();
    // The typed text is unchanged, and the field shows its error.
    expect(await page.getByLabel("Your name").inputValue()).toBe("Denise");
    expect(await page.getByLabel("Your testimonial").getAttribute("aria-describedby")).toBe(
      "words-wrong",
    );
    // The same page is now shown with its errors.
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessibleAtWidths(page, [320, 1366]);
    }
    await page.getByLabel("Your testimonial").fill("Wonderful.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you. We received your testimonial.").waitFor();
    await expectAccessibleAtWidths(page, [320, 1366]);
    await page.getByRole("button", { name: "Withdraw my testimonial" }).click();
    await page.getByText("Testimonial withdrawn.").waitFor();
    await page.reload().catch(() => undefined);
    await page.goto(page.url());
    await page.getByText("This link no longer works.").waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await expectAccessibleAtWidths(page, [320, 1366]);
  });
});
