/** When a public page's scripts start, and its behavior until then (docs/decisions/0007). */
import { describe, expect, test } from "bun:test";
import { newPage, type TestPage } from "../../support/browser.ts";
import { holdRequests } from "../../support/network.ts";
import { isFocused } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { translatePage } from "../../support/translate.ts";
import { waitUntilHydrated } from "../../support/hydrateForm.ts";
import { waitForValue, waitTwoFrames } from "../../support/waits.ts";

const site = setUpSampleSite();

/**
 * Opens a page, with the list of scripts that it requests from then on. With data saving nothing is prefetched, so
 * the machine's speed doesn't matter.
 */
async function open(
  path: string,
  { width = 1366, savesData = true, without = "" } = {},
): Promise<{ page: TestPage; requested: string[] }> {
  const page = await newPage({ width });
  await page.addInitScript(saveData, savesData);
  if (without) await page.addInitScript(hideElements, without);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) asked.push(`${request.resourceType()} ${pathname}`);
  });
  await page.visit(site.url + path);
  return { page, requested: asked };
}

/** The addresses of pictures requested from now on. */
const recordPictureRequests = (page: TestPage) => {
  const requested: string[] = [];
  page.on("request", (each) => each.resourceType() === "image" && requested.push(each.url()));
  return requested;
};

describe("scripts on demand", () => {
  test.each([
    ["/", ".updates-tab", "dialog[open] input[type=email]:focus"],
    ["/coaching", "#transformations .poster-opener", "dialog[open] img"],
  ])(
    "%s fetches no script, even while it is scrolled, and a click on %s opens a dialog at once",
    async (path, press, brings) => {
      const { page, requested } = await open(path, { width: 390 });
      await page.evaluate(() => scrollTo({ top: 1e6, behavior: "instant" }));
      await page.waitUntilSettled();
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.locator("body").hover({ position: { x: 5, y: 5 } });
      await page.waitUntilSettled();
      if (path === "/") {
        // For a visitor who saves data not even the next page's first picture is prefetched.
        const requestedPictures = recordPictureRequests(page);
        await page.locator(".hero .button").first().dispatchEvent("touchstart");
        await page.waitUntilSettled();
        expect(requestedPictures).toEqual([]);
        // The arrows of the carousel work without any script.
        await page.getByRole("button", { name: "Next", exact: true }).tap();
        await page.locator('[aria-label="Go to highlight 2"][aria-current]').waitFor();
      }
      await page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
      await page.locator(press).first().waitFor();
      expect(await page.evaluate(pressAndCheck, { press, brings })).toBe(true);
      await page.waitUntilSettled();
      expect(requested).toEqual([]);
      expect(page.problems()).toEqual([]);
    },
  );

  test("a touch prefetches the form's code, and a touch on a control hydrates the form before the finger is lifted", async () => {
    const { page, requested } = await open("/coaching", { width: 390, savesData: false });
    await page.locator(".enquiry-card").dispatchEvent("touchstart");
    await page.waitUntilSettled();
    expect(requested.map((each) => each.split(" ")[0])).toEqual(["script"]);
    expect(await page.locator("[data-wakes] [name=website]").count()).toBe(1);
    await page.locator(".enquiry-forward").dispatchEvent("touchstart");
    await waitUntilHydrated(page);
    expect(await page.locator(".question-error").count()).toBe(0);
  });

  test("text typed during hydration is never lost", async () => {
    const page = await newPage();
    // React starts its next task late, like on a slow phone.
    await page.addInitScript(() => {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
        setTimeout(() => post.call(this, message), 150);
      };
    });
    await page.visit(`${site.url}/coaching`);
    const seen = await page.evaluate(async () => {
      const name = document.querySelector<HTMLInputElement>(".enquiry-card input.answer")!;
      name.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
      const isHydrated = () => Object.keys(name).some((key) => key.startsWith("__reactProps"));
      while (!isHydrated()) await new Promise((done) => setTimeout(done, 1));
      name.focus();
      const shown: string[] = [];
      for (const letter of "Dee") {
        document.execCommand("insertText", false, letter);
        shown.push(name.value);
        await new Promise((done) => setTimeout(done, 20));
      }
      return shown;
    });
    expect(seen).toEqual(["D", "De", "Dee"]);
    await waitUntilHydrated(page);
    expect(await page.locator(".enquiry-card input.answer").first().inputValue()).toBe("Dee");
  });
});

/** What other programs do with the form; each function runs in the page. */
const FOREIGN_CHANGES: Readonly<Record<string, () => void>> = {
  // https://github.com/vercel/next.js/issues/51816
  "a password manager's icon beside each field": () => {
    for (const input of document.querySelectorAll("#enquiry input")) {
      const icon = document.createElement("div");
      icon.setAttribute("data-lastpass-icon-root", "");
      input.after(icon);
    }
  },
  "a field that is wrapped": () => {
    for (const input of document.querySelectorAll("#enquiry input[type=email]")) {
      const wrapper = document.createElement("span");
      input.replaceWith(wrapper);
      wrapper.append(input);
    }
  },
  "texts that are written anew": () => {
    for (const label of document.querySelectorAll("#enquiry label")) {
      label.firstChild!.nodeValue = "Übersetzt";
      label.firstChild!.nodeValue += "!";
    }
  },
};

describe("a form changed by other software before hydration keeps its input, focus and click", () => {
  test.each([
    ...Object.entries(FOREIGN_CHANGES).map(
      ([name, change]) => [name, (page: TestPage) => page.evaluate(change)] as const,
    ),
    ["a translation", translatePage] as const,
  ])("with %s", async (_, change) => {
    const { page } = await open("/coaching");
    const release = await holdRequests(page, "**/assets/entry-enquiry*.js");
    const name = page.locator(".enquiry-card input.answer").first();
    await name.fill("Early Ann");
    await change(page);
    await page.locator(".enquiry-forward").click();
    await name.focus();
    release();
    // The press takes effect after hydration: the next field is required too.
    await page.locator(".question-error").first().waitFor();
    expect(await name.inputValue()).toBe("Early Ann");
    expect(await page.locator(".enquiry-card [name=website]").count()).toBe(0);
    expect(page.problems()).toEqual([]);
    await name.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" Lee");
    expect(await name.inputValue()).toBe("Early Ann Lee");
  });
});

describe("the first picture of a link's target", () => {
  const TO_FORM = '.hero [href="/coaching#enquiry"]';

  test.each([
    ["a mouse rests on its link", "/", 'header a[href="/coaching"]', ".hero-picture", 1366],
    ["a finger comes down on a link to the form", "/", TO_FORM, ".enquiry-portrait img", 390],
  ])("is loaded as soon as %s", async (_, path, link, first, width) => {
    // The home page shows the portrait too, so its section is hidden: only the link can load the portrait.
    const { page } = await open(path, { width, savesData: false, without: "#about" });
    const requested = recordPictureRequests(page);
    const picture = page.waitForRequest((each) => each.resourceType() === "image");
    const anchor = page.locator(link).first();
    if (width < 768) await anchor.dispatchEvent("touchstart");
    else await anchor.hover();
    await picture;
    await page.waitUntilSettled();
    await anchor.evaluate((each: HTMLAnchorElement) => (location.href = each.href));
    await page.waitForURL((url) => url.pathname !== path);
    await page.waitUntilSettled();
    const fetched = () =>
      page.locator(first).evaluate((each) => {
        const { currentSrc } = each as HTMLImageElement;
        const [entry] = performance.getEntriesByName(currentSrc) as PerformanceResourceTiming[];
        return [currentSrc, entry?.transferSize];
      });
    await waitForValue(fetched, [requested[0]!, 0]);
  });
});

test("on a slow connection the form's code is prefetched without running it", async () => {
  const page = await newPage({ width: 390 });
  const requested: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".js")) requested.push(request.resourceType());
  });
  await page.addInitScript(saveData, false);
  await page.addInitScript(delayResponse);
  await page.visit(`${site.url}/coaching`);
  expect(requested).toEqual(["script"]);
  expect(await page.locator("[data-wakes] [name=website]").count()).toBe(1);
});

describe("a click before the code has loaded", () => {
  test("on the enquiry form is confirmed at once, and takes effect after hydration", async () => {
    const { page } = await open("/coaching");
    const release = await holdRequests(page, "**/assets/*.js");
    const codeRequest = page.waitForRequest(/entry-enquiry/);
    const button = page.locator(".enquiry-forward");
    await button.click();
    await codeRequest;
    await waitTwoFrames(page);
    expect(await button.getAttribute("aria-busy")).toBe("true");
    expect(await page.locator(".question-error").count()).toBe(0);
    release();
    await page.locator(".question-error").first().waitFor();
    expect(await button.getAttribute("aria-busy")).toBeNull();
    expect(page.url()).toBe(`${site.url}/coaching`);
    expect(page.problems()).toEqual([]);
  });

  test.each([
    ["throws", "reportError(new Error('Half a release'));"],
    ["does nothing", ""],
  ])("submits the form as without scripts if the code loads but %s", async (_, body) => {
    const { page } = await open("/coaching");
    await page.clock.install();
    await page.route("**/assets/*.js", (route) =>
      route.fulfill({ body, contentType: "text/javascript" }),
    );
    let isPosted = false;
    page.on("request", (request) => (isPosted ||= request.method() === "POST"));
    await page.locator(".enquiry-forward").click();
    // The timeout starts once the code has loaded, so its time is advanced repeatedly.
    await waitForValue(async () => {
      if (body === "" && !isPosted) await page.clock.fastForward(10_000).catch(() => undefined);
      return isPosted;
    }, true);
    await page.getByRole("alert").waitFor();
  });

  test("is handled by the form even if another script failed while the code loaded", async () => {
    const { page } = await open("/coaching");
    const release = await holdRequests(page, "**/assets/*.js");
    const codeRequest = page.waitForRequest(/entry-enquiry/);
    await page.locator(".enquiry-forward").hover();
    await codeRequest;
    await page.evaluate(() => reportError(new Error("Somebody's extension")));
    release();
    await waitUntilHydrated(page);
    let headRequests = 0;
    page.on("request", (request) => (headRequests += Number(request.method() === "HEAD")));
    await page.locator(".enquiry-forward").click();
    await page.locator(".question-error").first().waitFor();
    // A HEAD request would check the network, as after a press that got no response.
    expect(headRequests).toBe(0);
  });

  test("that opens a list of countries leaves the list open during hydration", async () => {
    const { page } = await open("/coaching");
    const [form] = await site.asOwner("GET", "/api/forms");
    const [step] = await site.asOwner("GET", `/api/form-steps/${form.id}`);
    const question = { stepId: step.id, label: "Where from", fieldType: "country" };
    const { id } = await site.asOwner("POST", "/api/form-fields", question);
    await page.revisit();
    const native = page.locator(`select[name="${id}"]`);
    await native.focus();
    await waitUntilHydrated(page);
    expect(await isFocused(native)).toBe(true);
    await native.selectOption("France");
    await page.getByRole("button", { name: "Next" }).focus();
    const combobox = page.locator(`input[name="${id}"]`);
    await combobox.waitFor();
    expect(await combobox.inputValue()).toBe("France");
    await site.asOwner("DELETE", `/api/form-fields/${id}`);
  });
});

test("the next page is prefetched while the pointer is over its link", async () => {
  const { page, requested } = await open("/");
  const link = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Coaching" });
  const ahead = page
    .context()
    .waitForEvent("request", (request) => request.url().endsWith("/coaching"));
  await link.hover();
  await ahead;
  await link.click();
  await page.locator("#coaching-hero").waitFor();
  expect(requested).toEqual([]);
  expect(page.problems()).toEqual([]);
});

/** Runs in the page before anything else: hides elements, so that they don't load their pictures. */
function hideElements(selector: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${selector} { display: none }`);
  document.adoptedStyleSheets = [sheet];
}

/** Runs in the page before anything else: sets data saving. */
function saveData(on: boolean): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: on } });
}

/** Runs in the page: whether a press has taken effect when it returns. */
function pressAndCheck({ press, brings: opens }: { press: string; brings: string }): boolean {
  document.querySelector<HTMLElement>(press)!.click();
  return document.querySelector(opens) !== null;
}

/** Runs in the page before anything else: makes the page seem to have loaded in 200 ms. */
function delayResponse(): void {
  const original = performance.getEntriesByType.bind(performance);
  performance.getEntriesByType = (type) =>
    type === "navigation"
      ? ([{ type: "navigate", requestStart: 0, responseEnd: 200 }] as never)
      : original(type);
}
