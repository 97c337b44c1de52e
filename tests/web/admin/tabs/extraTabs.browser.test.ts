/** The tabs of dates, the showreel and packages as their owner uses them (specification, section 2.24). */
import { beforeEach, describe, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site);
const { button, field, dialog } = dashboard;

beforeEach(async () => {
  for (const list of ["events", "videos", "packages", "testimonials"])
    await replaceItems(site, `/api/${list}`);
  await site.asOwner("POST", "/api/package-settings", { place: "coaching" });
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/London" });
});

const setExtras = (...names: string[]) => site.asOwner("POST", "/api/extras", { on: names });
const readStored = (list: string) => site.asOwner("GET", `/api/${list}`);
const rows = () => dashboard.page.locator("li.list-row");
const preview = () => dashboard.page.frameLocator("iframe[title='Desktop preview']");
const sectionRow = (name: string) => dashboard.page.locator(".section-row", { hasText: name });

describe("the Dates tab", () => {
  const addDate = (event: object) =>
    site.asOwner("POST", "/api/events", { title: "The Velvet Hour", ...event });
  beforeEach(() => setExtras("dates"));

  test("an event added on a phone is duplicated to a week later, with the focus on the date", async () => {
    await dashboard.open("dates", { width: 390 });
    await dashboard.waitForText("No events yet");
    await button("Add Event").click();
    await field("Title").fill("The Velvet Hour");
    await field("Starts: date").fill("2099-03-01");
    await field("Starts: time").fill("20:00");
    await field("City").fill("Leeds");
    await button("Save").click();
    await dialog().waitFor({ state: "detached" });
    await button("Duplicate The Velvet Hour").click();
    await waitForValue(() => isFocused(field("Starts: date")), true);
    await field("City").fill("York");
    await button("Save").click();
    await waitForValue(async () => (await readStored("events")).length, 2);
    const all: { startsAt: string; city: string }[] = await readStored("events");
    expect(all.map(({ startsAt, city }) => [startsAt, city])).toEqual([
      ["2099-03-01T20:00", "Leeds"],
      ["2099-03-08T20:00", "York"],
    ]);
  });

  test("upcoming and past events are in separate lists, and the form reports errors and past dates", async () => {
    await addDate({ title: "Long ago", startsAt: "2001-03-01T20:00" });
    await addDate({ title: "Gone", startsAt: "2099-03-02T20:00", tickets: "out" });
    await addDate({
      title: "Off",
      startsAt: "2099-03-01T20:00",
      status: "cancelled",
      city: "Hull",
    });
    await dashboard.open("dates");
    await waitForValue(() => rows().locator("strong").allInnerTexts(), ["Off", "Gone"]);
    await rows().first().getByText("Canceled", { exact: true }).waitFor();
    await rows().first().getByText("20:00 · Hull").waitFor();
    await rows().nth(1).getByText("Sold out", { exact: true }).waitFor();
    await dashboard.waitForText(/^London time \(now \d\d:\d\d\)$/);
    await button(/^Past/).click();
    await waitForValue(() => rows().locator("strong").allInnerTexts(), ["Long ago"]);
    await button("Delete Long ago").click();
    await dashboard.waitForToast("Event deleted successfully");
    await button("Undo").click();
    await waitForValue(() => rows().locator("strong").allInnerTexts(), ["Long ago"]);
    await button("Add Event").click();
    await field("Title").fill("Now");
    await field("Starts: date").fill("2001-03-01");
    await field("Starts: time").fill("20:00");
    await dialog().getByText("This event is in the past. It will appear under Past.").waitFor();
    await button("Add end time").click();
    await field("Ends (optional): date").fill("2001-02-28");
    await field("Ends (optional): time").fill("20:00");
    await dialog().getByLabel("Type", { exact: true }).selectOption("screen");
    expect(await field("Channel").count()).toBe(1);
    expect(await field("Watch link").count()).toBe(1);
    await button("Save").click();
    await dialog()
      .locator(".field-error", { hasText: "The end must be after the start." })
      .waitFor();
    expect(await readStored("events")).toHaveLength(3);
    expect(await field("Title").inputValue()).toBe("Now");
    await button("Cancel").click();
    await dashboard.goTo("dates", { sub: "settings" });
    await dashboard.waitForText(`${site.url}/dates.ics`);
  });
});

describe("the Showreel tab", () => {
  const addVideo = async (video: object) => {
    const [{ imageUrl: poster }] = await site.asOwner("GET", "/api/highlights");
    const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
    await site.asOwner("POST", "/api/videos", { title: "Reel", url, poster, ...video });
  };
  beforeEach(() => setExtras("showreel"));

  test("rows show where each video plays and which video is large, and a channel's URL is refused", async () => {
    await addVideo({ title: "Reel", length: "2:10", captioned: true });
    await addVideo({ title: "Trailer", url: "https://harbourtv.example/the-velvet-hour" });
    await dashboard.open("showreel");
    await waitForValue(
      () => rows().locator(".quiet").allInnerTexts(),
      ["YouTube · 2:10 · Captions", "Opens on harbourtv.example"],
    );
    expect(await rows().nth(0).getByText("Large", { exact: true }).count()).toBe(1);
    expect(await rows().nth(1).getByText("Large", { exact: true }).count()).toBe(0);
    await button("Add Video").click();
    await field("Link").fill("https://www.youtube.com/@ada");
    await field("Title").fill("Mine");
    await field("Link").focus();
    await field("Title").focus();
    await dialog("Add Video")
      .getByText("This link doesn't lead to a single video. Open the video and paste its link.")
      .waitFor();
    expect(await field("Title").inputValue()).toBe("Mine");
    await button("Cancel").click();
    await dashboard.goTo("showreel", { sub: "preview" });
    await preview().locator(".reel a[data-embed]").first().waitFor();
    expect(await preview().locator("iframe").count()).toBe(0);
    await dashboard.goTo("styles", { sub: "sections" });
    await sectionRow("Showreel").getByText("2 videos", { exact: true }).waitFor();
  });
});

describe("the tab of coaching packages", () => {
  const addPackage = (item: object) =>
    site.asOwner("POST", "/api/packages", { title: "Twelve weeks", ...item });
  beforeEach(() => setExtras("packages"));

  test("rows show price and link, and more than twelve lines of What's included are refused", async () => {
    await addPackage({ title: "First call", price: "Free", per: "20 minutes", buttonText: "" });
    await addPackage({
      price: "£450",
      buttonLink: "https://buy.stripe.com/x",
      featured: true,
      order: 1,
    });
    await addPackage({ title: "An evening", isActive: false, order: 2 });
    await dashboard.open("packages");
    await waitForValue(
      () => rows().locator("span.quiet").allInnerTexts(),
      [
        "Free, 20 minutes · no button",
        "£450 · links to buy.stripe.com",
        "links to your enquiry form",
      ],
    );
    const badges = (words: string) =>
      rows().evaluateAll((all, text) => all.map((each) => each.textContent!.includes(text)), words);
    expect(await badges("Highlighted")).toEqual([false, true, false]);
    expect(await badges("Hidden")).toEqual([false, false, true]);
    await button("Add Package").click();
    await field("Title").fill("Everything");
    const lines = Array.from({ length: 13 }, (_, at) => `One, two ${at}`).join("\n");
    await field("What's included").fill(lines);
    await field("Title").focus();
    await dialog("Add Package").getByText("Use at most 12 lines.").waitFor();
    expect(await field("What's included").inputValue()).toBe(lines);
    await button("Cancel").click();
    await dashboard.goTo("packages", { sub: "preview" });
    await preview().getByRole("heading", { name: "Twelve weeks" }).waitFor();
    await dashboard.goTo("styles", { sub: "sections" });
    await sectionRow("Highlights").waitFor();
    expect(await sectionRow("Packages").count()).toBe(0);
    await dashboard.goTo("packages", { sub: "settings" });
    await field("Show on").selectOption("Both pages");
    await button("Save Settings").click();
    await waitForValue(
      async () => (await (await fetch(site.url)).text()).includes('id="packages"'),
      true,
    );
    await dashboard.goTo("styles", { sub: "sections" });
    await sectionRow("Packages")
      .getByText(/^\d packages$/)
      .waitFor();
  });
});
