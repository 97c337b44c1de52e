/** The reported cases that need a browser, each with its input (`reportedCases.test.ts` has the others). */
import { expect, test } from "bun:test";
import { MIN_FILLING_TIME_MS } from "../src/schema/enquiry/answers.ts";
import { newPage, type TestPage } from "./support/browser.ts";
import { pasteInto } from "./support/clipboard.ts";
import { setUpDashboard, openLoggedInPage } from "./support/dashboard.ts";
import { replaceForms } from "./support/enquiryForm.ts";
import { EnquiryVisit } from "./support/enquiryVisit.ts";
import { holdRequests } from "./support/network.ts";
import { readCaseBytes, SKIP_REASON, readCaseText, HAS_CASES } from "./support/reportedCases.ts";
import { setUpEmptySite } from "./support/browserSite.ts";
import { uploadPicture } from "./support/uploadPicture.ts";
import { waitForValue } from "./support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);

const testCase = (name: string, run: (name: string) => Promise<void>) =>
  test.skipIf(!HAS_CASES)(`${name} works${HAS_CASES ? "" : ` (${SKIP_REASON})`}`, () => run(name));

const expectResult = (name: string, expected: unknown, got: unknown) => {
  console.log(`${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  expect(got).toEqual(expected);
};

/** Pastes over the whole text of About, and returns the stored text. */
async function pasteAndRead(kinds: Readonly<Record<string, string>>): Promise<string> {
  await dashboard.goTo("about");
  const { page } = dashboard;
  const editor = page.getByRole("textbox", { name: "Content" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await pasteInto(page, kinds);
  await page.locator(".save-bar-text").getByText("Unsaved changes").waitFor();
  const saved = page.waitForResponse(
    (each) => each.request().method() === "POST" && each.url().endsWith("/api/about"),
  );
  await page.keyboard.press("Control+s");
  expect((await saved).status()).toBe(200);
  const { content } = await site.asOwner("GET", "/api/about");
  return content.replaceAll(' rel="noopener noreferrer"', "").replaceAll(/>\n</g, "><");
}

/** The clipboard's type and the text to be stored, by case. */
const PASTE_CASES: Readonly<Record<string, readonly [type: string, stored: string]>> = {
  "F01-google-docs-bold": [
    "text/html",
    "<p>Plain words <strong>strong words</strong></p><ul><li>One</li></ul>",
  ],
  "F02-word-list": [
    "text/html",
    "<p>What you get:</p><ul><li>First item</li><li>Second item</li></ul>",
  ],
  "F05-mailto-link": [
    "text/html",
    '<p>Write to <a href="mailto:ann@example.com">ann@example.com</a> or <a href="tel:+447700900123">call</a></p>',
  ],
  "F06-html-like-text": ["text/plain", "<p>Use &lt;b&gt;tags&lt;/b&gt; in text</p>"],
  "P18-caption": [
    "text/plain",
    "<p>First line</p><p>.<br />Second line, I &lt;3 you &amp; me<br />#actor</p>",
  ],
  "P19-notes-gmail-notion": ["text/html", "<p>First line</p><p>Second <strong>bold</strong></p>"],
};

for (const [name, [type, stored]] of Object.entries(PASTE_CASES))
  testCase(name, async () => {
    const text = readCaseText(name, type === "text/html" ? "input.html" : "input.txt");
    const kinds = type === "text/html" ? { [type]: text, "text/plain": "plain" } : { [type]: text };
    expectResult(name, stored, await pasteAndRead(kinds));
  });

/** Chooses a file with a type that the browser wouldn't give it, and returns the text of its row. */
async function chooseFile(page: TestPage, name: string, type: string, bytes: Uint8Array) {
  await page.locator('input[type="file"][multiple]').evaluate(
    (input, [fileName, fileType, base64]) => {
      const content = Uint8Array.from(atob(base64!), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([content], fileName!, { type: fileType! }));
      (input as HTMLInputElement).files = data.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    [name, type, Buffer.from(bytes).toString("base64")] as const,
  );
  const row = page.locator(".upload-row").filter({ hasText: name });
  await row
    .getByText(/Uploaded|HEIC|Only JPEG/)
    .first()
    .waitFor();
  return row.innerText();
}

testCase("F29-type-missing", async (name) => {
  await dashboard.goTo("files");
  const types = ["", "image/jpg", "image/pjpeg", "application/octet-stream"];
  const bytes = readCaseBytes(name, "plain.jpg");
  const got = [];
  for (const [at, type] of types.entries()) {
    const message = await chooseFile(dashboard.page, `PHOTO${at}`, type, bytes); // oxlint-disable-line no-await-in-loop
    got.push(message.includes("Uploaded"));
  }
  expectResult(name, [true, true, true, true], got);
});

testCase("F30-wrong-ending", async (name) => {
  await dashboard.goTo("files");
  const { page } = dashboard;
  const type = "image/jpeg";
  const avif = await chooseFile(page, "IMG_1234.JPG", type, readCaseBytes(name, "avif-named.jpg"));
  const heic = await chooseFile(page, "IMG_1235.JPG", type, readCaseBytes(name, "heic-named.jpg"));
  expectResult(name, [true, true], [avif.includes("Uploaded"), heic.includes("HEIC photo")]);
});

/**
 * Returns the largest difference in any channel between a picture as sent and as the site serves it, in this browser.
 */
async function measureGreatestDifference(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const { id, url } = await uploadPicture(site, file, bytes);
  const { widths } = await site
    .asOwner("GET", `/api/uploads`)
    .then((all) => all.find((each: { id: string }) => each.id === id));
  const stem = url.replace(/\.\w+$/, "");
  const urls = [url, ...widths.map((each: number) => `${stem}-${each}.webp`)];
  const page = await newPage();
  await page.goto(site.url);
  return page.evaluate(
    async ([base64, served]) => {
      // The mean of the middle of each of 3 x 2 patches, since single pixels are dithered or blurred by compression.
      const patches = async (blob: Blob) => {
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d", { willReadFrequently: true })!;
        context.drawImage(bitmap, 0, 0);
        return Array.from({ length: 6 }, (_, at) => {
          const [x, y] = [(at % 3) + 0.5, Math.floor(at / 3) + 0.5];
          const left = (x * bitmap.width) / 3 - 16;
          const { data } = context.getImageData(left, (y * bitmap.height) / 2 - 16, 32, 32);
          return [0, 1, 2, 3].map(
            (channel) =>
              data.reduce((sum, value, index) => (index % 4 === channel ? sum + value : sum), 0) /
              1024,
          );
        }).flat();
      };
      const bytesIn = (text: string) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
      const sent = await patches(new Blob([bytesIn(base64)]));
      let most = 0;
      for (const address of served) {
        const stored = await patches(await (await fetch(address)).blob());
        for (const [at, value] of sent.entries())
          most = Math.max(most, Math.abs(value - stored[at]!));
      }
      return most;
    },
    [Buffer.from(bytes).toString("base64"), urls] as const,
  );
}

for (const [name, files] of [
  ["P01-display-p3", ["adobe-rgb.jpg", "display-p3.jpg", "display-p3.png", "display-p3.webp"]],
  ["P05-depths", ["gray16.png", "palette-trns.png", "palette16.png", "rgb16.png"]],
] as const)
  testCase(name, async () => {
    const distances = [];
    for (const file of files)
      distances.push([
        file,
        await measureGreatestDifference(file, readCaseBytes(name, file)),
      ] as const); // oxlint-disable-line no-await-in-loop
    console.log(`${name}: ${JSON.stringify(distances)}`);
    expectResult(
      name,
      [],
      distances.filter(([, most]) => most > 4),
    );
  });

const ONE_STEP = [
  { title: "You", fields: [{ label: "Story", fieldType: "textarea", isRequired: true }] },
] as const;

async function openEnquiryPage(page: TestPage): Promise<EnquiryVisit> {
  await replaceForms(site, ONE_STEP);
  const visit = new EnquiryVisit(page);
  const begun = page.waitForResponse("**/api/filling-time");
  await page.goto(`${site.url}/coaching`);
  await visit.waitUntilHydrated();
  await begun;
  site.advance(MIN_FILLING_TIME_MS);
  return visit;
}
const readSentAnswers = async () => {
  const [form] = await site.asOwner("GET", "/api/forms");
  const all = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  return all.map(({ questions }: any) => questions[0].answer);
};

testCase("F41-pasted-too-long", async (name) => {
  const page = await newPage();
  const visit = await openEnquiryPage(page);
  const text = `${"x".repeat(5990)} THE END`;
  await visit.field(/Story/).click();
  await pasteInto(page, { "text/plain": text });
  await visit.button("Submit").click();
  await page
    .getByText(/5,000 characters/)
    .first()
    .waitFor();
  expectResult(
    name,
    [text, []],
    [await visit.field(/Story/).inputValue(), await readSentAnswers()],
  );
});

testCase("P08-storage-blocked", async (name) => {
  const blocked = readCaseText(name, "input.js");
  const all = ["localStorage", "sessionStorage", "indexedDB"];
  const script = all.map((each) => blocked.replace("'localStorage'", `'${each}'`)).join("\n");
  const worker =
    "Object.defineProperty(navigator,'serviceWorker',{get(){throw new DOMException('denied','SecurityError')}})";
  const page = await newPage({ shouldSkipFillingTime: true });
  await page.context().addInitScript(`${script}\n${worker}`);
  await page.visit(site.url);
  const visit = await openEnquiryPage(page);
  await visit.field(/Story/).fill("Without storage");
  await visit.button("Submit").click();
  await visit.thanks().waitFor();
  const inside = await openLoggedInPage(site);
  await inside.context().addInitScript(`${script}\n${worker}`);
  await inside.goto(`${site.url}/admin/dashboard?tab=statistics`);
  await inside.locator(".tab-head").waitFor();
  await inside.getByRole("button", { name: "Add New", exact: true }).click();
  await inside.getByLabel("Value", { exact: true }).fill("15+");
  await inside.getByLabel("Label", { exact: true }).fill("Years on stage");
  await inside.getByRole("button", { name: "Save", exact: true }).click();
  const saved = async () =>
    (await site.asOwner("GET", "/api/statistics")).map(({ value }: any) => value);
  await waitForValue(async () => (await saved()).includes("15+"), true);
  expectResult(
    name,
    [["Without storage"], [], []],
    [await readSentAnswers(), page.problems(), inside.problems()],
  );
});

testCase("P10-early-autofill", async (name) => {
  const page = await newPage({ shouldSkipFillingTime: true });
  await replaceForms(site, ONE_STEP);
  const visit = new EnquiryVisit(page);
  const release = await holdRequests(page, "**/assets/entry-enquiry*.js");
  await page.goto(`${site.url}/coaching`, { waitUntil: "commit" });
  await visit.field(/Story/).waitFor();
  await page.evaluate(() => {
    const input = document.querySelector("#enquiry textarea") as HTMLTextAreaElement;
    input.value = "Filled in early";
  });
  const begun = page.waitForResponse("**/api/filling-time");
  release();
  await visit.waitUntilHydrated();
  await begun;
  site.advance(MIN_FILLING_TIME_MS);
  await visit.button("Submit").click();
  await visit.thanks().waitFor();
  expectResult(name, ["Filled in early"], await readSentAnswers());
});

testCase("P11-double-click", async (name) => {
  const page = await newPage({ shouldSkipFillingTime: true });
  const visit = await openEnquiryPage(page);
  await visit.field(/Story/).fill("Once");
  await visit.button("Submit").dblclick();
  await visit.thanks().waitFor();
  expectResult(name, ["Once"], await readSentAnswers());
});
