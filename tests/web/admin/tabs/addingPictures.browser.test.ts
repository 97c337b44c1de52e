/** Phone photographs, made smaller before they are sent (specification, section 4.7). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, encode } from "fast-png";
import type { Request, Route } from "playwright-core";
import type { TestPage } from "../../../support/browser.ts";
import { dashboardForAll, openDashboard } from "../../../support/dashboard.ts";
import { expectSound } from "../../../support/expectSound.ts";
import { gifOf } from "../../../support/gif.ts";
import { drop, hold, refuse } from "../../../support/line.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { OWNER } from "../../../support/site.ts";
import { toastOf } from "../../../support/pageState.ts";
import { phonePhotograph } from "../../../support/phonePhotograph.ts";
import { bytesOf, pictureAs } from "../../../support/pictures.ts";
import { pngChunks, pngOf } from "../../../support/png.ts";
import { animatedWebp } from "../../../support/webp.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
let page: TestPage;
let photograph: Buffer;
/** The chosen files are on the disk, since passing megabytes to the browser would take seconds. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-chosen-"));
  photograph = Buffer.from(await phonePhotograph());
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => onlyItems(site, "/api/uploads"));

const MB = 1024 * 1024;
const WRONG_TYPE = "Only JPEG, PNG, WebP, and GIF files are allowed";

/** Writes a file to choose; returns its path. */
async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
const large = (name: string) => file(name, photograph);
const small = async (name: string) => file(name, await pictureAs("jpeg", 160, 90));
const words = (name: string) => file(name, "words");
const choose = async (...files: Promise<string>[]) =>
  page.locator('input[type="file"][multiple]').setInputFiles(await Promise.all(files));
const row = (name: string) => page.locator(".upload-row").filter({ hasText: name });
const stored = () => site.asOwner<any[]>("GET", "/api/uploads");
/** The stored file of a name, whatever its ending. */
const named = async (name: string) =>
  (await stored()).find(({ originalName }) => originalName.startsWith(name));

const added = (name: string) => row(name).getByText("Uploaded").waitFor();

async function openFiles(): Promise<void> {
  await dashboard.open("files");
  ({ page } = dashboard);
  await page.locator(".files, .empty").first().waitFor();
}

/** Returns the sizes of later uploads, in bytes with their form data. */
function noteSent(): () => Promise<number[]> {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/upload")) requests.push(request);
  });
  const sizeOf = async (request: Request) => (await request.sizes()).requestBodySize;
  return () => Promise.all(requests.map(sizeOf));
}

test("a photograph over 5 MB is turned upright and reduced before it is sent, which its row shows", async () => {
  expect(photograph.length).toBeGreaterThan(5 * MB);
  await openFiles();
  const sent = noteSent();
  const worker = page.waitForEvent("worker");
  // Looked for in every frame from before the choice on: it stands no longer than the work takes.
  const resizingShown = page.waitForFunction(() =>
    document.querySelector(".upload-row")?.textContent.includes("Resizing..."),
  );
  await choose(large("IMG_2044.jpg"));
  await resizingShown;
  await added("IMG_2044.jpg");
  expect((await worker).url()).toContain("/assets/pictureWorker-");
  const [file] = await stored();
  expect([file!.width, file!.height]).toEqual([1920, 2560]);
  expect([file!.mimetype, file!.originalName]).toEqual(["image/webp", "IMG_2044.webp"]);
  const sizes = await sent();
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeLessThan(3 * MB);
  expect(await row("IMG_2044.jpg").innerText()).toMatch(/\d\.\d MB, reduced to \d+(\.\d)? [KM]B/);
  const got = new Uint8Array(await (await fetch(site.url + file!.url)).arrayBuffer());
  expect(await differenceOf(got, new Uint8Array(photograph))).toBeLessThan(0.03);
  expect(page.problems()).toEqual([]);
});

test("a small picture and a GIF are sent unchanged; a transparent PNG stays so when it is reduced; without workers a picture is reduced on the page, and sent as JPEG by a browser that can't write WebP", async () => {
  await openFiles();
  const buffer = Buffer.from(await pictureAs("jpeg", 320, 180));
  const sent = noteSent();
  await choose(file("stage.jpg", buffer));
  await added("stage.jpg");
  expect((await sent())[0]! - buffer.length).toBeLessThan(1024);
  expect(await named("stage.jpg")).toMatchObject({ width: 320, height: 180 });
  const frames = Array.from({ length: 40 }, (_, at) => at);
  const gif = Buffer.from(gifOf(200, 120, frames));
  const logo = seeThrough(2600, 1040);
  for (const { length } of [gif, logo]) expect(length).toBeGreaterThan(512 * 1024);
  await choose(file("wave.gif", gif), file("logo.png", logo));
  await added("wave.gif");
  await added("logo.png");
  const wave = await named("wave.gif");
  expect(wave.mimetype).toBe("image/gif");
  const bytes = Buffer.from(await (await fetch(site.url + wave.url)).bytes());
  expect(bytes.includes("NETSCAPE2.0")).toBe(true);
  expect(await named("logo")).toMatchObject({ width: 2560, height: 1024, tone: "dark" });
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, "OffscreenCanvas");
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
      toBlob.call(this, done, type === "image/webp" ? "image/png" : type, quality);
    };
  });
  await choose(file("safari.png", seeThrough(2600, 1040, 255)));
  await added("safari.png");
  const safari = { mimetype: "image/jpeg", width: 2560, height: 1024 };
  expect(await named("safari")).toMatchObject(safari);
});

test("uploads show their progress, continue while another tab is open, and can be canceled", async () => {
  await openFiles();
  const requests: Route[] = [];
  await page.route("**/api/upload", (route) => void requests.push(route));
  await choose(small("one.jpg"), small("two.jpg"), small("three.jpg"));
  await page.getByText("3 uploading").waitFor();
  await row("one.jpg")
    .getByText(/^Uploading, \d+ of \d+ KB$/)
    .waitFor();
  await page.getByRole("tab", { name: "Email" }).click();
  await page.getByRole("heading", { name: "Email", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Files" }).click();
  await page.getByText("3 uploading").waitFor();
  await eventually(() => requests.length, 2);
  await page.getByRole("button", { name: "Cancel one.jpg" }).click();
  await eventually(() => row("one.jpg").count(), 0);
  await page.getByRole("button", { name: "Cancel all" }).click();
  await eventually(() => page.locator(".upload-row").count(), 0);
  // One that waited could arrive when the route ends.
  for (const route of requests) await route.abort().catch(() => undefined);
  expect(await stored()).toEqual([]);
});

describe("A file is known by its content", () => {
  /** Chooses a file with a type that the disk couldn't give it. */
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
  const sent = (name: string) => join(import.meta.dir, "../../../fixtures/sent", name);

  test("a JPEG of any type is added, AVIF named as JPEG is converted, and HEIC is reported as such", async () => {
    await openFiles();
    const types = ["", "text/plain"];
    for (const [at, type] of types.entries()) {
      await chooseAs(`PHOTO ${at}`, type, await small("photo.jpg"));
      await added(`PHOTO ${at}`);
    }
    expect((await stored()).map(({ mimetype }) => mimetype)).toEqual(types.map(() => "image/jpeg"));
    await chooseAs("IMG_1234.JPG", "image/jpeg", sent("avif-named.jpg"));
    await added("IMG_1234.JPG");
    expect((await named("IMG_1234")).mimetype).toBe("image/webp");
    await chooseAs("IMG_1235.JPG", "image/jpeg", sent("heic-named.jpg"));
    await row("IMG_1235.JPG").getByText("HEIC photo").waitFor();
  });

  test("an animation that becomes a still picture is reported, a GIF and a still aren't", async () => {
    await openFiles();
    const notice = "Only the first frame was kept.";
    await choose(file("wave.webp", await animatedWebp(64, 36, 3)));
    await row("wave.webp").getByText(notice).waitFor();
    await toastOf(page).getByText(notice).waitFor();
    await choose(file("moving.gif", gifOf(20, 10, [1, 2])), small("photo.jpg"));
    await added("moving.gif");
    await added("photo.jpg");
    expect(await page.getByText(notice).count()).toBe(0);
  });
});

test("of several files each has a row; a refused one says why, and can be dismissed, replaced or retried", async () => {
  await openFiles();
  const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
  const long = "a-rather-long-name-of-a-file-that-must-be-cut-somewhere.txt";
  await choose(small("one.jpg"), words("words.txt"), file("IMG_2041.heic", heic), words(long));
  await added("one.jpg");
  await page.locator(".upload-head", { hasText: "1 uploaded · 3 failed" }).waitFor();
  expect(await row("words.txt").innerText()).toContain(WRONG_TYPE);
  const advice =
    "This browser can't read HEIC photos. Upload this one from your phone, or save it as a JPEG first.";
  await row("IMG_2041.heic").getByText(`${WRONG_TYPE}. ${advice}`).waitFor();
  // It goes by itself, in five seconds.
  await toastOf(page).evaluateAll((all) =>
    all.forEach((each) => each.querySelector<HTMLElement>(".ui-close")?.click()),
  );
  await toastOf(page).waitFor({ state: "detached" });
  await expectSound(page);
  await page.getByRole("button", { name: `Dismiss ${long}` }).click();
  await eventually(() => row(long).count(), 0);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    row("words.txt").getByRole("button", { name: "Choose another file" }).click(),
  ]);
  await chooser.setFiles(await file("right.png", Buffer.from(await pictureAs("png", 64, 40))));
  await added("right.png");
  await eventually(() => row("words.txt").count(), 0);
  const goOnline = await drop(page, "**/api/upload");
  await choose(small("lost.jpg"));
  await row("lost.jpg").getByText("Failed to upload file").waitFor();
  await goOnline();
  await row("lost.jpg").getByRole("button", { name: "Retry" }).click();
  await added("lost.jpg");
  await page.getByRole("button", { name: "Done" }).click();
  await eventually(() => page.locator(".upload-row").count(), 0);
  expect(await stored()).toHaveLength(3);
});

/** A dark half beside nothing, or black, with words in the file that make it large. */
function seeThrough(width: number, height: number, opacity = 0): Buffer {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4)
    data.set((at / 4) % width < width / 2 ? [20, 20, 20, 255] : [0, 0, 0, opacity], at);
  const [header, ...rest] = pngChunks(encode({ width, height, data, channels: 4 }));
  const words = { type: "tEXt", data: bytesOf(`Comment\0${"a".repeat(600 * 1024)}`) };
  return Buffer.from(pngOf([header!, words, ...rest]));
}

/** The difference of two pictures as every viewer turns them, from 0 to 1. */
async function differenceOf(...pictures: Uint8Array<ArrayBuffer>[]): Promise<number> {
  const small = pictures.map(async (bytes) => {
    const png = await new Bun.Image(bytes).resize(48, 64).png().bytes();
    const { data, channels } = decode(png);
    return Array.from({ length: 48 * 64 }, (_, at) => data[at * channels]! / 255);
  });
  const [one, other] = await Promise.all(small);
  const differences = one!.map((value, at) => Math.abs(value - other![at]!));
  return differences.reduce((sum, value) => sum + value, 0) / differences.length;
}

test("a network's login page in place of the site's answer is a failure, and so is too much at once; Retry adds the picture", async () => {
  await openFiles();
  for (const [status, reason] of [
    [200, "Failed to upload file"],
    [429, "Upload failed"],
  ] as const) {
    const end = await refuse(page, "**/api/upload", status);
    await choose(small(`${status}.jpg`));
    await row(`${status}.jpg`).getByText(reason).waitFor();
    await end();
    await row(`${status}.jpg`).getByRole("button", { name: "Retry" }).click();
    await added(`${status}.jpg`);
  }
  expect(await stored()).toHaveLength(2);
});

test("the browser asks before a page with an upload under way is left, and not after it", async () => {
  await openFiles();
  const release = await hold(page, "**/api/upload");
  await choose(small("slow.jpg"));
  await row("slow.jpg").locator("progress").waitFor();
  const question = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await question).dismiss();
  release();
  await added("slow.jpg");
  await page.reload();
  expect(await stored()).toHaveLength(1);
});

test("whoever stays for an upload when a new version is loaded is asked about unsaved input later", async () => {
  await openFiles();
  const release = await hold(page, "**/api/upload");
  await choose(small("slow.jpg"));
  await row("slow.jpg").locator("progress").waitFor();
  await page.route("**/assets/**", (route) =>
    route.request().method() === "HEAD" ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const ofUpload = page.waitForEvent("dialog");
  await dashboard.button("Reload").click();
  await (await ofUpload).dismiss();
  release();
  await added("slow.jpg");
  await dashboard.goTo("about");
  await page.getByLabel("Title", { exact: true }).fill("Unsaved");
  await page.getByText("About: Title").waitFor();
  const ofDraft = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await ofDraft).dismiss();
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Unsaved");
  await dashboard.button("Discard").click();
});

test("logging out while files upload asks, and cancels them; the next login's uploads don't wait for them", async () => {
  const { page, ...own } = await openDashboard(site, "files");
  const files = page.locator('input[type="file"][multiple]');
  await files.waitFor({ state: "attached" });
  const release = await hold(page, "**/api/upload");
  const names = ["one.jpg", "two.jpg", "three.jpg"];
  await files.setInputFiles(await Promise.all(names.map(small)));
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
  await files.setInputFiles(await small("four.jpg"));
  await rows.getByText("Uploaded").waitFor();
  expect(await rows.count()).toBe(1);
  expect((await stored()).map(({ originalName }) => originalName)).toEqual(["four.jpg"]);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual([]);
  await page.context().close();
});
