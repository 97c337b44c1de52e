/** The enquiry form with scripts: what is sent, stored and shown afterwards (specification, section 4.3). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import type { Locator } from "playwright-core";
import { newPage } from "../../support/browser.ts";
import { expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import {
  setCondition,
  EVERY_KIND_STEPS,
  type CreatedForm,
  replaceForms,
} from "../../support/enquiryForm.ts";
import { EnquiryVisit, openEnquiry } from "../../support/enquiryVisit.ts";
import { holdRequests } from "../../support/network.ts";
import { isFocused } from "../../support/pageState.ts";
import { readPortrait, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { setUpEmptySite } from "../../support/browserSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { waitForValue, waitTwoFrames } from "../../support/waits.ts";

const CALL_URL = "**/api/form-submissions";

const site = setUpEmptySite();
let form: CreatedForm;
beforeAll(async () => {
  form = await replaceForms(site, EVERY_KIND_STEPS);
});

describe("sending an enquiry", () => {
  test("a failure shows the fallback message and keeps every answer, and another attempt stores nothing twice", async () => {
    const picture = REAL_PORTRAITS.find(({ name }) => name === "collins")!;
    const { url } = await uploadPicture(site, "me.jpg", await readPortrait(picture));
    const about = await site.asOwner("GET", "/api/about");
    await site.asOwner("POST", "/api/about", { ...about, image: url });
    const stored = async () =>
      (await site.asOwner("GET", `/api/form-submissions/${form.id}`)).length as number;
    const before = await stored();
    const visit = await openEnquiry(site, { width: 390 });
    await visit.goToLastStep();
    // The enquiry arrives, but the connection drops before its response.
    await visit.page.route(CALL_URL, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await visit.button("Submit").click();
    await visit.toast().getByText("Error", { exact: true }).waitFor();
    await visit.toast().getByText("Failed to submit form. Please try again.").waitFor();
    expect(await visit.field(/Goal/).inputValue()).toBe("Sing");
    await visit.waitUntilStored("Sing");
    await visit.page.reload();
    await visit.step("3 of 3").waitFor();
    expect(await visit.field("Mornings").isChecked()).toBe(true);
    await visit.button("Previous").click();
    expect(await visit.field("Story").inputValue()).toBe("I want to sing.");
    await visit.page.unroute(CALL_URL);
    await visit.button("Next").click();
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(await stored()).toBe(before + 1);
    const topOf = async (selector: string) => (await visit.page.locator(selector).boundingBox())!.y;
    await waitForValue(async () => (await topOf(".enquiry-portrait")) >= 64, true);
    expect(await topOf(".enquiry-portrait")).toBeLessThan(200);
    await site.asOwner("POST", "/api/about", about);
  });

  test("a missing network is reported until the next attempt, and a refusal shows the server's message at its answer", async () => {
    const visit = await openEnquiry(site);
    await visit.goToLastStep();
    await visit.page.context().setOffline(true);
    await visit.button("Submit").click();
    const message = visit
      .toast()
      .getByText("You're offline. Your answers are saved on this device.");
    await message.waitFor();
    expect(await visit.field(/Goal/).inputValue()).toBe("Sing");
    await visit.page.context().setOffline(false);
    visit.page.clearProblems();
    // The owner makes a question required after this visitor has passed it.
    const mobile = `/api/form-fields/${form.fieldIds["Mobile"]}`;
    await site.asOwner("PUT", mobile, { isRequired: true });
    const release = await holdRequests(visit.page, CALL_URL);
    await visit.button("Submit").click();
    await visit.toast().waitFor({ state: "detached" });
    await visit.button("Submitting...").waitFor();
    expect(await visit.button("Submitting...").isDisabled()).toBe(true);
    release();
    await visit.toast().getByText("Mobile is required").waitFor();
    await visit.step("1 of 3").waitFor();
    await waitForValue(() => isFocused(visit.field(/^Mobile/)), true);
    expect(await visit.field(/^Mobile/).getAttribute("aria-invalid")).toBe("true");
    expect(await visit.page.locator(".question-error").innerText()).toBe("Mobile is required");
    await site.asOwner("PUT", mobile, { isRequired: false });
    expect(visit.page.problems(/status of 422/)).toEqual([]);
  });
});

describe("a stored draft of an enquiry", () => {
  test("restores the answers and the step after a reload, and is removed once the form is sent", async () => {
    const visit = await openEnquiry(site);
    await visit.fillFirstStep("Draft Ann");
    await visit.field("Country code").selectOption("US");
    await visit.field(/^Mobile/).fill("212 555 0100");
    await visit.button("Next").click();
    await visit.field("Story").fill("Half a story");
    const storage = () => visit.page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    await visit.waitUntilStored("Half a story");
    for (const typed of ["Half a story", "Draft Ann", "answers"])
      expect(await storage()).not.toContain(typed);
    await visit.page.reload();
    await visit.step("2 of 3").waitFor();
    expect(await visit.field("Story").inputValue()).toBe("Half a story");
    await visit.button("Previous").click();
    expect(await visit.field(/Your name/).inputValue()).toBe("Draft Ann");
    expect(await visit.field("Country code").inputValue()).toBe("US");
    expect(await visit.field(/^Mobile/).inputValue()).toBe("212 555 0100");
    expect(await visit.country().inputValue()).toBe("United Kingdom");
    await visit.button("Next").click();
    await visit.button("Next").click();
    await visit.fillLastStep();
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(await storage()).not.toContain("limelight");
  });

  test("stays stored while the site's key is unavailable, and is removed once the key has expired", async () => {
    const visit = await openEnquiry(site);
    await visit.field(/Your name/).fill("Patient Ann");
    await visit.waitUntilStored("Patient Ann");
    // This route stays to the end, since removing it during a request would fail the request.
    let status: number | undefined = 503;
    await visit.page.route("**/api/filling-time", (route) =>
      status && route.request().method() === "POST" ? route.fulfill({ status }) : route.fallback(),
    );
    await visit.page.reload();
    await visit.waitUntilHydrated();
    expect(await visit.field(/Your name/).inputValue()).toBe("");
    status = undefined;
    await visit.page.reload();
    await waitForValue(() => visit.field(/Your name/).inputValue(), "Patient Ann");
    await visit.waitUntilStored("Patient Ann");
    status = 404;
    await visit.page.reload();
    await visit.waitUntilHydrated();
    await waitForValue(
      () => visit.page.evaluate(() => JSON.stringify(sessionStorage).includes("limelight.enquiry")),
      false,
    );
    status = undefined;
    await visit.field(/Your name/).fill("Yesterday");
    await visit.waitUntilStored("Yesterday");
    await visit.page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((each) => each.startsWith("limelight"))!;
      const stored = JSON.parse(sessionStorage.getItem(key)!);
      sessionStorage.setItem(key, JSON.stringify({ ...stored, savedAt: Date.now() - 86_400_001 }));
    });
    await visit.page.reload();
    await visit.waitUntilHydrated();
    expect(await visit.field(/Your name/).inputValue()).toBe("");
  });
});

test("input typed before the script has loaded is kept, and the selected prefix is readable before and after hydration", async () => {
  const page = await newPage({ width: 390 });
  const visit = new EnquiryVisit(page);
  const release = await holdRequests(page, "**/assets/entry-enquiry*.js");
  await page.goto(`${site.url}/coaching`, { waitUntil: "commit" });
  await visit.field(/Your name/).fill("Early Ann");
  const prefix = page.locator(".phone-prefix");
  await prefix.scrollIntoViewIfNeeded();
  await waitTwoFrames(page);
  expect(await measureBrightness(prefix)).toBeGreaterThan(50);
  await visit.field("Country code").selectOption("FR");
  release();
  await visit.waitUntilHydrated();
  expect(await visit.field("Country code").inputValue()).toBe("FR");
  expect(await measureBrightness(prefix)).toBeGreaterThan(50);
  await visit.field("Country code").selectOption("US");
  expect(await measureBrightness(prefix)).toBeGreaterThan(50);
  expect(await visit.field(/Your name/).inputValue()).toBe("Early Ann");
  await visit.field(/^Email/).fill("ann@example.com");
  expect(await visit.field(/Your name/).inputValue()).toBe("Early Ann");
});

/** The number of light pixels of the country code, left of the list's arrow. */
async function measureBrightness(area: Locator): Promise<number> {
  const { data, width, channels } = decode(await area.screenshot());
  const pixels = Array.from({ length: data.length / channels }, (_, at) => at);
  return pixels.filter((at) => {
    const x = at % width;
    return x > 10 && x < width * 0.7 && data[at * channels]! > 140;
  }).length;
}

describe("other forms", () => {
  test("a form's thank-you message is shown before the visitor is redirected", async () => {
    const settings = { thankYouMessage: "Ta, speak soon.", redirectUrl: "/privacy-policy" };
    await replaceForms(site, [{ title: "One", fields: [{ label: "Story" }] }], settings);
    const visit = await openEnquiry(site);
    // The redirect is held, since it could follow before a busy machine has seen the message.
    const release = await holdRequests(visit.page, "**/privacy-policy");
    await visit.button("Submit").click();
    await visit.page.getByText("Ta, speak soon.").waitFor();
    release();
    await visit.page.waitForURL("**/privacy-policy");
  });
});

/** server/content/conditions.test.ts tests the form without scripts. */
describe("a form with conditional questions", () => {
  const ABOUT = "What is it about?";
  beforeAll(async () => {
    form = await replaceForms(site, [
      {
        title: "First",
        fields: [
          { label: ABOUT, fieldType: "radio", options: "Coaching\nA show", isRequired: true },
          { label: "Your name", isRequired: true },
        ],
      },
      { title: "Your goal", fields: [{ label: "Goal", isRequired: true }] },
      {
        title: "Your show",
        fields: [
          { label: "Which day?", isRequired: true },
          { label: "Where?", fieldType: "checkbox", options: "Indoors\nOutdoors" },
        ],
      },
      { title: "Power", fields: [{ label: "Is there power?", isRequired: true }] },
    ]);
    await setCondition(site, form, 1, ABOUT, ["Coaching"]);
    await setCondition(site, form, 2, ABOUT, ["A show"]);
    await setCondition(site, form, 3, "Where?", ["Outdoors"]);
  });

  async function readNewest(): Promise<string[]> {
    const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
    return first.questions.map(({ label }: { label: string }) => label);
  }

  test("the steps follow the answers, and answers that are no longer asked for aren't sent", async () => {
    const visit = await openEnquiry(site, { width: 390 });
    await visit.step("1 of 1").waitFor();
    // If nothing else is asked, the form can be sent from its first step.
    expect(await visit.button("Submit").count()).toBe(1);
    const count = visit.page.locator(".enquiry-count");
    expect(await count.getAttribute("aria-live")).toBe("polite");
    await visit.field("Your name").fill("Ada");
    await visit.field("Coaching").check();
    await visit.step("1 of 2").waitFor();
    expect(await visit.button("Submit").count()).toBe(0);
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Goal").fill("Sing high");
    await expectAccessibleAtWidths(visit.page, [390, 1366]);
    await visit.button("Previous").click();
    await visit.field("A show").check();
    await visit.waitUntilStored("A show");
    await visit.page.reload();
    await visit.waitUntilHydrated();
    await visit.field("Coaching").check();
    await visit.button("Next").click();
    expect(await visit.field("Goal").inputValue()).toBe("Sing high");

    await visit.button("Previous").click();
    await visit.field("A show").check();
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await waitForValue(
      () => isFocused(visit.page.getByRole("heading", { name: "Your show" })),
      true,
    );
    await visit.field("Which day?").fill("Friday");
    await visit.field("Outdoors").check();
    await visit.step("2 of 3").waitFor();
    await visit.button("Next").click();
    await visit.button("Submit").click();
    await visit.toast().getByText("Is there power? is required").waitFor();
    await visit.button("Previous").click();
    await visit.field("Outdoors").uncheck();
    await visit.step("2 of 2").waitFor();
    const { data } = (await visit.submit()) as { data: Record<string, unknown> };
    await visit.thanks().waitFor();
    // Answers typed before stepping back are not sent.
    expect(Object.values(data)).toEqual(["A show", "Ada", "Friday"]);
    expect(await readNewest()).toEqual([ABOUT, "Your name", "Which day?"]);
  });
});
