/** The Files tab (specification, section 2.19). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { formatFileSize } from "../../../../src/web/admin/data/uploads.ts";
import { type TestPage } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { dropRequests } from "../../../support/network.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { expectRefusedFile } from "../../../support/strayFile.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
let page: TestPage;
let photograph: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  photograph = await createPicture("jpeg", 320, 180);
});
beforeEach(async () => {
  await site.asOwner("POST", "/api/hero", { backgroundImage: null });
  await replaceItems(site, "/api/uploads");
});

const EMPTY = "No files uploaded yet. Upload your first file above.";
const file = (name: string) => page.locator(".file").filter({ hasText: name });

interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const createJpegFile = (name: string): TestFile => ({
  name,
  mimeType: "image/jpeg",
  buffer: Buffer.from(photograph),
});
const chooseFiles = (...files: TestFile[]) =>
  page.locator('input[type="file"][multiple]').setInputFiles(files);

async function open(tab: string, width = 1366): Promise<void> {
  await dashboard.open(tab, { width });
  ({ page } = dashboard);
}

async function openFiles(): Promise<void> {
  await open("files");
  await page.getByText(EMPTY).or(page.locator(".file")).first().waitFor();
}

async function openWithPicture(name = "stage.jpg"): Promise<{ id: string; url: string }> {
  const stored = await uploadPicture(site, name, photograph);
  await openFiles();
  await file(name).waitFor();
  return stored;
}

describe("Uploading", () => {
  test("files can be chosen or dropped, a failed upload is reported, and unsupported files aren't sent", async () => {
    await open("email");
    await dropRequests(page, "**/api/uploads");
    await page.getByRole("tab", { name: "Files" }).click();
    await page.getByText("Couldn't load files.").waitFor();
    await page.unroute("**/api/uploads");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText(EMPTY).waitFor();
    await chooseFiles(createJpegFile("opening night.jpg"));
    await dashboard.waitForToast("File uploaded successfully");
    await file("opening night.jpg").waitFor();
    expect(await page.getByText(EMPTY).count()).toBe(0);
    const bytes = [...photograph];
    const data = await page.evaluateHandle((fileBytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File([new Uint8Array(fileBytes)], "dropped.jpg", { type: "image/jpeg" }),
      );
      return transfer;
    }, bytes);
    const area = page.locator(".drop-area");
    await area.dispatchEvent("dragenter", { dataTransfer: data });
    await page.getByText("Drop to upload").waitFor();
    await area.dispatchEvent("drop", { dataTransfer: data });
    await file("dropped.jpg").waitFor();
    expect(await page.getByText("Drop to upload").count()).toBe(0);
    // These bytes begin like a JPEG, so only the server notices that the file is none.
    const begun = Buffer.from([0xff, 0xd8, 0xff]);
    const buffer = Buffer.concat([begun, Buffer.from("not a picture")]);
    await chooseFiles({ name: "torn.jpg", mimeType: "image/jpeg", buffer });
    await dashboard.waitForToast("Error: ");
    expect(await page.locator(".file").count()).toBe(2);
    await page.route("**/api/upload", (route) => route.fulfill({ status: 500, body: "" }));
    await chooseFiles(createJpegFile("refused.jpg"));
    await dashboard.waitForToast("Upload failed");
    await page.unroute("**/api/upload");
    await dropRequests(page, "**/api/upload");
    await chooseFiles(createJpegFile("lost.jpg"));
    await dashboard.waitForToast("Failed to upload file");
    let sent = 0;
    page.on("request", (request) => (sent += request.url().endsWith("/api/upload") ? 1 : 0));
    const large = Buffer.concat([begun, Buffer.alloc(5 * 1024 * 1024)]);
    await chooseFiles({ name: "large.jpg", mimeType: "image/jpeg", buffer: large });
    await dashboard.waitForToast("File size must be less than 5MB");
    await chooseFiles({
      name: "drawing.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg/>"),
    });
    await dashboard.waitForToast("Only JPEG, PNG, WebP, and GIF files are allowed");
    expect(sent).toBe(0);
  });
});

test("in the row of a file without a description, only the button is underlined, not the file's size", async () => {
  await openWithPicture();
  const lines = await file("stage.jpg")
    .locator(".file-size, .file-size button")
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).textDecorationLine));
  expect(lines).toEqual(["none", "underline"]);
});

test("a file dropped beside the upload area is refused, and the dashboard stays open", async () => {
  await open("files");
  const title = page.getByRole("heading", { name: "Files", exact: true });
  await expectRefusedFile(page, title, photograph);
});

describe("The grid of files", () => {
  test("each file has View, Download and Delete, and Undo restores a deleted file", async () => {
    const { url } = await openWithPicture();
    const tile = file("stage.jpg");
    expect(await tile.getByRole("link", { name: "View stage.jpg" }).getAttribute("href")).toBe(url);
    const download = tile.getByRole("link", { name: "Download stage.jpg" });
    expect(await download.getAttribute("download")).toBe("stage.jpg");
    expect(await tile.innerText()).toMatch(/\d\.\d KB/);
    expect(await tile.getByRole("button", { name: "Delete stage.jpg" }).isVisible()).toBe(true);
    const restore = await dropRequests(page, "**/api/uploads/*");
    await page.getByRole("button", { name: "Delete stage.jpg" }).click();
    await dashboard.waitForToast("Failed to delete file");
    expect(await file("stage.jpg").isVisible()).toBe(true);
    await restore();
    await page.getByRole("button", { name: "Delete stage.jpg" }).click();
    await dashboard.waitForToast("File deleted successfully");
    await page.getByText(EMPTY).waitFor();
    await dashboard.button("Undo").click();
    await file("stage.jpg").waitFor();
    expect(await site.asOwner("GET", "/api/uploads")).toHaveLength(1);
  });

  test("deleting a file that is in use asks, and says where the file is used", async () => {
    const { url } = await uploadPicture(site, "stage.jpg", photograph);
    await site.asOwner("POST", "/api/hero", { backgroundImage: url });
    const letter = { subject: "News", body: `<p><img src="${url}" alt=""></p>` };
    const { id } = await site.asOwner("POST", "/api/letters", letter);
    await openFiles();
    await file("stage.jpg").getByText("In Hero, Newsletters").waitFor();
    await page.getByRole("button", { name: "Delete stage.jpg" }).click();
    const dialog = page.getByRole("dialog", { name: 'Delete "stage.jpg"?' });
    expect(await dialog.innerText()).toContain(
      "This image is used in Hero and Newsletters. It will be removed from that section. It will be removed from newsletters, even delivered ones.",
    );
    await site.asOwner("DELETE", `/api/letters/${id}`);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await file("stage.jpg").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Delete stage.jpg" }).click();
    await dialog.getByRole("button", { name: "Delete file" }).click();
    await dashboard.waitForToast("File deleted successfully");
    await page.getByText(EMPTY).waitFor();
  });
});

test("File sizes display in B, KB, MB or GB with one decimal place", () => {
  expect(
    [0, 900, 1536, 5 * 1024 ** 2, 3.25 * 1024 ** 3, 2048 * 1024 ** 3].map(formatFileSize),
  ).toEqual(["0.0 B", "900.0 B", "1.5 KB", "5.0 MB", "3.3 GB", "2048.0 GB"]);
});
