/**
 * The Trash screen: an item is restored with one press or deleted permanently; the trash is emptied after a question.
 */
import { beforeEach, expect, test } from "bun:test";
import { setUpDashboard, followLink } from "../../../support/dashboard.ts";
import { makeForm, submitEnquiry } from "../../../support/enquiryForm.ts";
import { inspectAtWidths, expectAccessible } from "../../../support/expectAccessible.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, dialog } = dashboard;
const rows = () => dashboard.page.locator(".bin-row");
const readRows = async () =>
  (await rows().allInnerTexts()).map((text) => text.replaceAll("\n", " "));

beforeEach(() => site.asOwner("DELETE", "/api/bin"));

/** Deletes a picture in use, a highlight, a submission, and another form with its submission; returns that form. */
async function deleteOneOfEachKind(): Promise<{ form: string }> {
  const { asOwner } = site;
  const picture = await uploadPicture(site, "full-house.png", await createPicture("png", 400, 300));
  const show = { title: "Radio hour", imageUrl: picture.url };
  const highlight = await asOwner("POST", "/api/highlights", show);
  const sent = async (title: string, name: string) => {
    const { formId: form, ids } = await makeForm(site, title, [["text", "Name"]]);
    await submitEnquiry(site, form, { [ids[0]!]: name });
    const [{ id: enquiry }] = await asOwner("GET", `/api/form-submissions/${form}`);
    return { form, enquiry: enquiry as string };
  };
  const [doomed, remaining] = [
    await sent("Brand collaboration", "Ann"),
    await sent("Coaching", "Paul West"),
  ];
  await asOwner("DELETE", `/api/uploads/${picture.id}`);
  await asOwner("DELETE", `/api/highlights/${highlight.id}`);
  await asOwner("DELETE", `/api/form-submissions/${remaining.enquiry}`);
  await asOwner("DELETE", `/api/forms/${doomed.form}`);
  return doomed;
}

async function openBin(): Promise<void> {
  await dashboard.open("email");
  await followLink(dashboard.page, "tab=email&account=bin");
  await dashboard.card("Trash").waitFor();
  await dashboard.page.getByText("Loading the trash...").waitFor({ state: "detached" });
}

test("the trash shows what each deleted item was and how long it stays, and a click restores an item", async () => {
  const { form: formId } = await deleteOneOfEachKind();
  await openBin();
  await waitForValue(() => rows().count(), 4);
  const [form, enquiry, highlight, picture] = await readRows();
  expect(form).toMatch(
    /^Brand collaboration Form with 1 field and 1 submission · Today, \d\d:\d\d 30 days left Restore$/,
  );
  expect(enquiry).toMatch(/^Submission from Paul West Today, \d\d:\d\d 30 days left Restore$/);
  expect(highlight).toMatch(/^Radio hour Highlight · Today/);
  expect(picture).toMatch(/^full-house.png Image, unused · Today/);
  const shown = dashboard.page.locator(".bin-row img");
  await waitForValue(() => shown.evaluate((each: HTMLImageElement) => each.naturalWidth > 0), true);
  const kinds = () => dashboard.page.locator(".bin-kinds button").allInnerTexts();
  await waitForValue(
    async () => (await kinds()).map((text) => text.replace(/\s+/g, " ")),
    ["All 4", "Images 1", "Submissions 1", "Other 2"],
  );
  // On a phone items can be restored with a thumb, and nothing is cut off.
  await inspectAtWidths(dashboard.page, [390], async () => {
    const heights = await dashboard.page
      .locator(".bin-row button, .bin-kinds button, .bin-card .card-actions button")
      .evaluateAll((all) =>
        // On a phone a single item can only be restored: the button to delete it permanently is hidden.
        all
          .filter((each) => each.checkVisibility())
          .map((each) => Math.round(each.getBoundingClientRect().height)),
      );
    expect(heights.length).toBeGreaterThan(5);
    expect(heights.filter((height) => height < 38)).toEqual([]);
    const filter = dashboard.page.locator(".bin-kinds");
    expect(await filter.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await expectAccessible(dashboard.page);
  });
  await dashboard.page.locator(".bin-kinds button", { hasText: "Submissions" }).click();
  await waitForValue(
    async () => (await readRows()).map((text) => text.slice(0, 20)),
    ["Submission from Paul"],
  );
  await dashboard.page.locator(".bin-kinds button", { hasText: "All" }).click();
  await button("Restore Radio hour").click();
  await dashboard.waitForToast("Highlight restored");
  await waitForValue(() => rows().count(), 3);
  expect((await readRows())[2]).toMatch(/^full-house.png Image, used in Highlights/);
  expect((await site.asOwner("GET", "/api/highlights"))[0].title).toBe("Radio hour");
  await button("Restore Brand collaboration").click();
  await dashboard.waitForToast("Form restored");
  expect(await site.asOwner("GET", `/api/form-submissions/${formId}`)).toHaveLength(1);
  await button("Account").click();
  const line = dashboard.page.locator("#account-menu a", { hasText: "Trash" });
  await waitForValue(async () => (await line.innerText()).replace(/\s+/g, " "), "Trash 2");
  expect(dashboard.page.problems()).toEqual([]);
});

test("the owner is asked before an item is deleted permanently, and before the trash is emptied", async () => {
  await deleteOneOfEachKind();
  await openBin();
  await button("Delete Radio hour permanently").click();
  await dialog('Delete "Radio hour" permanently?').waitFor();
  await button("Cancel").click();
  await waitForValue(() => rows().count(), 4);
  await button("Delete Radio hour permanently").click();
  await button("Delete permanently").click();
  await dashboard.waitForToast("Deleted permanently");
  await waitForValue(() => rows().count(), 3);
  await button("Empty trash").click();
  await dialog("Empty the trash?").getByText("All 3 items").waitFor();
  await button("Delete 3 permanently").click();
  await dashboard.waitForToast("Trash emptied");
  await dashboard.waitForText("Deleted items stay here for 30 days.");
  expect(await site.asOwner("GET", "/api/bin")).toEqual([]);
  await dashboard.waitForText("The trash is empty");
  expect(await button("Empty trash").count()).toBe(0);
});
