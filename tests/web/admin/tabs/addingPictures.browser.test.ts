/** Phone photographs, made smaller before they are sent (specification, section 4.7). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, encode } from "fast-png";
import type { Request, Route } from "playwright-core";
import type { TestPage } from "../../../support/browser.ts";
import { setUpDashboard, openDashboard } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { createGif } from "../../../support/gif.ts";
import { dropRequests, holdRequests, respondAsProxy } from "../../../support/network.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { OWNER } from "../../../support/site.ts";
import { toastOf } from "../../../support/pageState.ts";
import { createPhonePhotograph } from "../../../support/phonePhotograph.ts";
import { concatBytes, createPicture } from "../../../support/pictures.ts";
import { readPngChunks, createPng } from "../../../support/png.ts";
import { createAnimatedWebp } from "../../../support/webp.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
let page: TestPage;
let photograph: Buffer;
/** The chosen files are on the disk, since passing megabytes to the browser would take seconds. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-chosen-"));
  photograph = Buffer.from(await createPhonePhotograph());
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => replaceItems(site, "/api/uploads"));

const MB = 1024 * 1024;
const WRONG_TYPE = "Only JPEG, PNG, WebP, and GIF files are allowed";

/** Writes a file to choose; returns its path. */
async function writeFileNamed(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
const writeLarge = (name: string) => writeFileNamed(name, photograph);
const writeSmall = async (name: string) =>
  writeFileNamed(name, await createPicture("jpeg", 160, 90));
const writeText = (name: string) => writeFileNamed(name, "words");
const chooseFiles = async (...files: Promise<string>[]) =>
  page.locator('input[type="file"][multiple]').setInputFiles(await Promise.all(files));
const row = (name: string) => page.locator(".upload-row").filter({ hasText: name });
const readStored = () => site.asOwner<any[]>("GET", "/api/uploads");
/** The stored file whose name begins with this name. */
const findStored = async (name: string) =>
  (await readStored()).find(({ originalName }) => originalName.startsWith(name));

const waitUntilUploaded = (name: string) => row(name).getByText("Uploaded").waitFor();

async function openFiles(): Promise<void> {
  await dashboard.open("files");
  ({ page } = dashboard);
  await page.locator(".files, .empty").first().waitFor();
}

/** Returns the sizes of later uploads, in bytes with their form data. */
function recordSentSizes(): () => Promise<number[]> {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/upload")) requests.push(request);
  });
  const sizeOf = async (request: Request) => (await request.sizes()).requestBodySize;
  return () => Promise.all(requests.map(sizeOf));
}

test("a photo over 5 MB is turned upright and reduced before the upload, as the upload's row shows", async () => {
  expect(photograph.length).toBeGreaterThan(5 * MB);
  await openFiles();
  const sent = recordSentSizes();
  const worker = page.waitForEvent("worker");
  // Checked in every frame from before the choice on, since the text is shown only while the work takes.
  const resizingShown = page.waitForFunction(() =>
    document.querySelector(".upload-row")?.textContent.includes("Resizing..."),
  );
  await chooseFiles(writeLarge("IMG_2044.jpg"));
  await resizingShown;
  await waitUntilUploaded("IMG_2044.jpg");
  expect((await worker).url()).toContain("/assets/pictureWorker-");
  const [file] = await readStored();
  expect([file!.width, file!.height]).toEqual([1920, 2560]);
  expect([file!.mimetype, file!.originalName]).toEqual(["image/webp", "IMG_2044.webp"]);
  const sizes = await sent();
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeLessThan(3 * MB);
  expect(await row("IMG_2044.jpg").innerText()).toMatch(/\d\.\d MB, reduced to \d+(\.\d)? [KM]B/);
  const got = new Uint8Array(await (await fetch(site.url + file!.url)).arrayBuffer());
  expect(await measureDifference(got, new Uint8Array(photograph))).toBeLessThan(0.03);
  expect(page.problems()).toEqual([]);
});

test("a small picture or a GIF is sent unchanged, and a reduced transparent PNG stays transparent", async () => {
  await openFiles();
  const buffer = Buffer.from(await createPicture("jpeg", 320, 180));
  const sent = recordSentSizes();
  await chooseFiles(writeFileNamed("stage.jpg", buffer));
  await waitUntilUploaded("stage.jpg");
  expect((await sent())[0]! - buffer.length).toBeLessThan(1024);
  expect(await findStored("stage.jpg")).toMatchObject({ width: 320, height: 180 });
  const frames = Array.from({ length: 40 }, (_, at) => at);
  const gif = Buffer.from(createGif(200, 120, frames));
  const logo = createTransparentPng(2600, 1040);
  for (const { length } of [gif, logo]) expect(length).toBeGreaterThan(512 * 1024);
  await chooseFiles(writeFileNamed("wave.gif", gif), writeFileNamed("logo.png", logo));
  await waitUntilUploaded("wave.gif");
  await waitUntilUploaded("logo.png");
  const wave = await findStored("wave.gif");
  expect(wave.mimetype).toBe("image/gif");
  const bytes = Buffer.from(await (await fetch(site.url + wave.url)).bytes());
  expect(bytes.includes("NETSCAPE2.0")).toBe(true);
  expect(await findStored("logo")).toMatchObject({ width: 2560, height: 1024, tone: "dark" });
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, "OffscreenCanvas");
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
      toBlob.call(this, done, type === "image/webp" ? "image/png" : type, quality);
    };
  });
  await chooseFiles(writeFileNamed("safari.png", createTransparentPng(2600, 1040, 255)));
  await waitUntilUploaded("safari.png");
  const safari = { mimetype: "image/jpeg", width: 2560, height: 1024 };
  expect(await findStored("safari")).toMatchObject(safari);
});

test("uploads show their progress, continue while another tab is open, and can be canceled", async () => {
  await openFiles();
  const requests: Route[] = [];
  await page.route("**/api/upload", (route) => void requests.push(route));
  await chooseFiles(writeSmall("one.jpg"), writeSmall("two.jpg"), writeSmall("three.jpg"));
  await page.getByText("3 uploading").waitFor();
  await row("one.jpg")
    .getByText(/^Uploading, \d+ of \d+ KB$/)
    .waitFor();
  await page.getByRole("tab", { name: "Email" }).click();
  await page.getByRole("heading", { name: "Email", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Files" }).click();
  await page.getByText("3 uploading").waitFor();
  await waitForValue(() => requests.length, 2);
  await page.getByRole("button", { name: "Cancel one.jpg" }).click();
  await waitForValue(() => row("one.jpg").count(), 0);
  await page.getByRole("button", { name: "Cancel all" }).click();
  await waitForValue(() => page.locator(".upload-row").count(), 0);
  // A request that is still held could arrive when the route ends.
  for (const route of requests) await route.abort().catch(() => undefined);
  expect(await readStored()).toEqual([]);
});

describe("the type of a file is read from its content", () => {
  /** Chooses a file with this type, which a file on the disk couldn't have. */
  const chooseAs = async (name: string, type: string, path: string) =>
    page.locator('input[type="file"][multiple]').evaluate(
      (input, [name, type, bytes]) => {
        const data = new DataTransfer();
        const content = Uint8Array.from(atob(bytes!), (each) => each.charCodeAt(0));
        data.items.add(new File([content], name!, { type: type! }));
        (input as HTMLInputElement).files = data.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      },
      [name, type, Buffer.from(await Bun.file(path).bytes()).toString("base64")],
    );
  const getSentPath = (name: string) => join(import.meta.dir, "../../../fixtures/sent", name);

  test("a JPEG of any declared type is added, and an AVIF named as JPEG is converted", async () => {
    await openFiles();
    const types = ["", "text/plain"];
    for (const [at, type] of types.entries()) {
      await chooseAs(`PHOTO ${at}`, type, await writeSmall("photo.jpg"));
      await waitUntilUploaded(`PHOTO ${at}`);
    }
    expect((await readStored()).map(({ mimetype }) => mimetype)).toEqual(
      types.map(() => "image/jpeg"),
    );
    await chooseAs("IMG_1234.JPG", "image/jpeg", getSentPath("avif-named.jpg"));
    await waitUntilUploaded("IMG_1234.JPG");
    expect((await findStored("IMG_1234")).mimetype).toBe("image/webp");
    await chooseAs("IMG_1235.JPG", "image/jpeg", getSentPath("heic-named.jpg"));
    await row("IMG_1235.JPG").getByText("HEIC photo").waitFor();
  });

  test("a message says that only an animated WebP's first frame was kept, and a GIF gets no such message", async () => {
    await openFiles();
    const notice = "Only the first frame was kept.";
    await chooseFiles(writeFileNamed("wave.webp", await createAnimatedWebp(64, 36, 3)));
    await row("wave.webp").getByText(notice).waitFor();
    await toastOf(page).getByText(notice).waitFor();
    await chooseFiles(
      writeFileNamed("moving.gif", createGif(20, 10, [1, 2])),
      writeSmall("photo.jpg"),
    );
    await waitUntilUploaded("moving.gif");
    await waitUntilUploaded("photo.jpg");
    expect(await page.getByText(notice).count()).toBe(0);
  });
});

test("each file has a row, and a refused file's row says why and can be dismissed, replaced or retried", async () => {
  await openFiles();
  const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
  const long = "a-rather-long-name-of-a-file-that-must-be-cut-somewhere.txt";
  await chooseFiles(
    writeSmall("one.jpg"),
    writeText("words.txt"),
    writeFileNamed("IMG_2041.heic", heic),
    writeText(long),
  );
  await waitUntilUploaded("one.jpg");
  await page.locator(".upload-head", { hasText: "1 uploaded · 3 failed" }).waitFor();
  expect(await row("words.txt").innerText()).toContain(WRONG_TYPE);
  const advice =
    "This browser can't read HEIC photos. Upload this one from your phone, or save it as a JPEG first.";
  await row("IMG_2041.heic").getByText(`${WRONG_TYPE}. ${advice}`).waitFor();
  // The toast would close by itself only after five seconds.
  await toastOf(page).evaluateAll((all) =>
    all.forEach((each) => each.querySelector<HTMLElement>(".ui-close")?.click()),
  );
  await toastOf(page).waitFor({ state: "detached" });
  await expectAccessible(page);
  await page.getByRole("button", { name: `Dismiss ${long}` }).click();
  await waitForValue(() => row(long).count(), 0);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    row("words.txt").getByRole("button", { name: "Choose another file" }).click(),
  ]);
  await chooser.setFiles(
    await writeFileNamed("right.png", Buffer.from(await createPicture("png", 64, 40))),
  );
  await waitUntilUploaded("right.png");
  await waitForValue(() => row("words.txt").count(), 0);
  const goOnline = await dropRequests(page, "**/api/upload");
  await chooseFiles(writeSmall("lost.jpg"));
  await row("lost.jpg").getByText("Failed to upload file").waitFor();
  await goOnline();
  await row("lost.jpg").getByRole("button", { name: "Retry" }).click();
  await waitUntilUploaded("lost.jpg");
  await page.getByRole("button", { name: "Done" }).click();
  await waitForValue(() => page.locator(".upload-row").count(), 0);
  expect(await readStored()).toHaveLength(3);
});

/** A picture whose right half is transparent or black, with a comment that makes its file large. */
function createTransparentPng(width: number, height: number, opacity = 0): Buffer {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4)
    data.set((at / 4) % width < width / 2 ? [20, 20, 20, 255] : [0, 0, 0, opacity], at);
  const [header, ...rest] = readPngChunks(encode({ width, height, data, channels: 4 }));
  const words = { type: "tEXt", data: concatBytes(`Comment\0${"a".repeat(600 * 1024)}`) };
  return Buffer.from(createPng([header!, words, ...rest]));
}

/** The difference of two pictures as viewers show them, upright, from 0 to 1. */
async function measureDifference(...pictures: Uint8Array<ArrayBuffer>[]): Promise<number> {
  const small = pictures.map(async (bytes) => {
    const png = await new Bun.Image(bytes).resize(48, 64).png().bytes();
    const { data, channels } = decode(png);
    return Array.from({ length: 48 * 64 }, (_, at) => data[at * channels]! / 255);
  });
  const [one, other] = await Promise.all(small);
  const differences = one!.map((value, at) => Math.abs(value - other![at]!));
  return differences.reduce((sum, value) => sum + value, 0) / differences.length;
}

test("an upload that gets a network's login page or a proxy's 429 as response fails, and Retry adds the picture", async () => {
  await openFiles();
  for (const [status, reason] of [
    [200, "Failed to upload file"],
    [429, "Upload failed"],
  ] as const) {
    const end = await respondAsProxy(page, "**/api/upload", status);
    await chooseFiles(writeSmall(`${status}.jpg`));
    await row(`${status}.jpg`).getByText(reason).waitFor();
    await end();
    await row(`${status}.jpg`).getByRole("button", { name: "Retry" }).click();
    await waitUntilUploaded(`${status}.jpg`);
  }
  expect(await readStored()).toHaveLength(2);
});

test("the browser asks before the page is left during an upload, and not afterwards", async () => {
  await openFiles();
  const release = await holdRequests(page, "**/api/upload");
  await chooseFiles(writeSmall("slow.jpg"));
  await row("slow.jpg").locator("progress").waitFor();
  const question = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await question).dismiss();
  release();
  await waitUntilUploaded("slow.jpg");
  await page.reload();
  expect(await readStored()).toHaveLength(1);
});

test("the browser still asks about unsaved input after the owner canceled a Reload because of an upload", async () => {
  await openFiles();
  const release = await holdRequests(page, "**/api/upload");
  await chooseFiles(writeSmall("slow.jpg"));
  await row("slow.jpg").locator("progress").waitFor();
  await page.route("**/assets/**", (route) =>
    route.request().method() === "HEAD" ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const ofUpload = page.waitForEvent("dialog");
  // The click ends only when the question is closed.
  const pressed = dashboard.button("Reload").click();
  await (await ofUpload).dismiss();
  await pressed;
  release();
  await waitUntilUploaded("slow.jpg");
  await dashboard.goTo("about");
  await page.getByLabel("Title", { exact: true }).fill("Unsaved");
  await page.getByText("About: Title").waitFor();
  const ofDraft = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await ofDraft).dismiss();
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Unsaved");
  await dashboard.button("Discard").click();
});

test("logging out during uploads asks and then cancels them, and uploads after the next login start at once", async () => {
  const { page, ...own } = await openDashboard(site, "files");
  const files = page.locator('input[type="file"][multiple]');
  await files.waitFor({ state: "attached" });
  const release = await holdRequests(page, "**/api/upload");
  const names = ["one.jpg", "two.jpg", "three.jpg"];
  await files.setInputFiles(await Promise.all(names.map(writeSmall)));
  const rows = page.locator(".upload-row");
  await rows.filter({ hasText: "three.jpg" }).getByText("Waiting...").waitFor();
  const answer = (name: string) =>
    own.dialog("Log out?").getByRole("button", { name, exact: true });
  await own.button("Logout").click();
  await page.getByText("Files are still uploading. Logging out cancels them.").waitFor();
  await answer("Cancel").click();
  await answer("Cancel").waitFor({ state: "detached" });
  expect(await rows.count()).toBe(3);
  await own.button("Logout").click();
  await answer("Log out").click();
  await page.waitForURL(/\/admin\/login$/);
  release();
  await own.field("Username or email").fill(OWNER.username);
  await own.field("Password").fill(OWNER.password);
  await own.button("Login").click();
  await page.waitForURL(/\/admin\/dashboard/);
  await own.goTo("files");
  await files.setInputFiles(await writeSmall("four.jpg"));
  await rows.getByText("Uploaded").waitFor();
  expect(await rows.count()).toBe(1);
  expect((await readStored()).map(({ originalName }) => originalName)).toEqual(["four.jpg"]);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual([]);
  await page.context().close();
});
