/** The tabs of dates, the showreel and packages as their owner uses them (specification, section 2.24). */
import { beforeEach, describe, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { countEfforts, type Efforts } from "../../../support/efforts.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = sampleSite();
const dashboard = dashboardForAll(site);
const { button, field, dialog } = dashboard;

beforeEach(async () => {
  for (const list of ["events", "videos", "packages", "testimonials"])
    await onlyItems(site, `/api/${list}`);
  await site.asOwner("POST", "/api/package-settings", { place: "coaching" });
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/London" });
});

const on = (...names: string[]) => site.asOwner("POST", "/api/extras", { on: names });
const stored = (list: string) => site.asOwner("GET", `/api/${list}`);
const rows = () => dashboard.page.locator("li.list-row");
const preview = () => dashboard.page.frameLocator("iframe[title='Desktop preview']");
const sectionRow = (name: string) => dashboard.page.locator(".section-row", { hasText: name });

/** From the gallery to what visitors see, on a phone: the typed values, and the most taps and fields allowed. */
const WALKTHROUGHS = [
  {
    extra: "Showreel",
    one: "Video",
    empty: "Paste the link to your reel and choose a cover image.",
    typed: { Link: "https://www.youtube.com/watch?v=dQw4w9WgXcQ", Title: "Reel 2026" },
    most: [9, 3],
    path: "/",
    seen: "Play Reel 2026",
  },
  {
    extra: "Packages",
    one: "Package",
    empty: "Add a package with its price.",
    typed: { Title: "Twelve weeks", Price: "£450", "What's included": "Six sessions\nA plan" },
    most: [8, 3],
    path: "/coaching",
    seen: "Book: Twelve weeks",
  },
  {
    extra: "Testimonials",
    one: "Testimonial",
    empty: "No testimonials yet",
    typed: { Quote: "He said one sentence that I still say to myself.", Name: "Mia Okafor" },
    most: [5, 2],
    path: "/coaching",
    seen: "I still say to myself",
  },
] as const;

test("from the gallery to a public video, package and testimonial on a phone in few taps and fields", async () => {
  await on();
  await dashboard.open("add", { width: 390 });
  for (const { extra, one, empty, typed, most, path, seen } of WALKTHROUGHS) {
    const counted = await countEfforts(dashboard.page);
    await button(`Add ${extra}`).click();
    await dashboard.shows(empty);
    await button(`Add ${one}`).last().click();
    for (const [at, [label, words]] of Object.entries(typed).entries()) {
      // The first one has the focus.
      if (at === 0) await eventually(() => isFocused(field(label)), true);
      else await field(label).click();
      await field(label).fill(words);
    }
    if (one === "Video") await dialog("Add Video").getByRole("radio").nth(1).click();
    await button("Save").click();
    await dashboard.toast(`${one} created successfully`);
    const { taps, fields } = await counted();
    console.log(`From the gallery to a public ${one}: ${taps} taps, ${fields} fields.`);
    expect([one, taps <= most[0], fields <= most[1]]).toEqual([one, true, true]);
    const { text } = await site.visitor().get(path);
    const section = text.slice(text.indexOf(`id="${extra.toLowerCase()}"`));
    expect((section + section.replaceAll(/<[^>]*>/g, "")).includes(seen)).toBe(true);
    await dashboard.page.evaluate(() => history.pushState(null, "", "?tab=add"));
  }
});

describe("dates", () => {
  const addDate = (event: object) =>
    site.asOwner("POST", "/api/events", { title: "The Velvet Hour", ...event });
  beforeEach(() => on("dates"));

  test("a tour of twelve dates on a phone takes at most 70 taps and 26 fields", async () => {
    await dashboard.open("dates", { width: 390 });
    const counted = await countEfforts(dashboard.page);
    await dashboard.shows("No events yet");
    await button("Add Event").click();
    await field("Title").fill("The Velvet Hour");
    await field("Starts: date").fill("2099-03-01");
    await field("Starts: time").fill("20:00");
    await field("Venue").fill("Palace Theatre");
    await field("City").fill("Leeds");
    await button("Save").click();
    const made: Efforts[] = [];
    for (let week = 1; week < 3; week++) {
      await eventually(async () => (await stored("events")).length, week);
      await dialog().waitFor({ state: "detached" });
      made.push(await counted());
      await button("Duplicate The Velvet Hour")
        .nth(week - 1)
        .click();
      // The copy is a week later, with the focus on its day.
      const day = field("Starts: date");
      await eventually(() => isFocused(day), true);
      await field("City").fill(`City ${week}`);
      await button("Save").click();
    }
    await eventually(async () => (await stored("events")).length, 3);
    made.push(await counted());
    // Each that follows takes as much as the third did.
    const [, two, three] = made as [Efforts, Efforts, Efforts];
    const ofTwelve = (name: keyof Efforts) => three[name] + 9 * (three[name] - two[name]);
    expect(three.taps).toBeGreaterThan(two.taps);
    expect(ofTwelve("taps")).toBeLessThanOrEqual(70);
    expect(ofTwelve("fields")).toBeLessThanOrEqual(26);
    const all: { startsAt: string; venue: string }[] = await stored("events");
    expect(all.map(({ startsAt, venue }) => [startsAt, venue])).toEqual([
      ["2099-03-01T20:00", "Palace Theatre"],
      ["2099-03-08T20:00", "Palace Theatre"],
      ["2099-03-15T20:00", "Palace Theatre"],
    ]);
  });

  test("upcoming and past events are separate, with their unusual states; the form reports errors, past dates and the zone; the settings show the calendar's address", async () => {
    await addDate({ title: "Long ago", startsAt: "2001-03-01T20:00" });
    await addDate({ title: "Gone", startsAt: "2099-03-02T20:00", tickets: "out" });
    await addDate({
      title: "Off",
      startsAt: "2099-03-01T20:00",
      status: "cancelled",
      city: "Hull",
    });
    await dashboard.open("dates");
    await eventually(() => rows().locator("strong").allInnerTexts(), ["Off", "Gone"]);
    await rows().first().getByText("Canceled", { exact: true }).waitFor();
    await rows().first().getByText("20:00 · Hull").waitFor();
    await rows().nth(1).getByText("Sold out", { exact: true }).waitFor();
    await dashboard.shows(/^London time \(now \d\d:\d\d\)$/);
    await button(/^Past/).click();
    await eventually(() => rows().locator("strong").allInnerTexts(), ["Long ago"]);
    await button("Delete Long ago").click();
    await dashboard.toast("Event deleted successfully");
    await button("Undo").click();
    await eventually(() => rows().locator("strong").allInnerTexts(), ["Long ago"]);
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
    expect(await stored("events")).toHaveLength(3);
    expect(await field("Title").inputValue()).toBe("Now");
    await button("Cancel").click();
    await dashboard.goTo("dates", { sub: "settings" });
    await dashboard.shows(`${site.url}/dates.ics`);
  });
});

describe("the showreel", () => {
  const addVideo = async (video: object) => {
    const [{ imageUrl: poster }] = await site.asOwner("GET", "/api/highlights");
    const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
    await site.asOwner("POST", "/api/videos", { title: "Reel", url, poster, ...video });
  };
  beforeEach(() => on("showreel"));

  test("rows show where each video plays, and which one is large; a channel is refused at its field, and no input is lost; previews show posters, and Styles lists the section once it is on", async () => {
    await addVideo({ title: "Reel", length: "2:10", captioned: true });
    await addVideo({ title: "Trailer", url: "https://harbourtv.example/the-velvet-hour" });
    await dashboard.open("showreel");
    await eventually(
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
      .getByText("That's a channel. Paste the link to a single video.")
      .waitFor();
    expect(await field("Title").inputValue()).toBe("Mine");
    await button("Cancel").click();
    await dashboard.goTo("showreel", { sub: "preview" });
    await preview().locator(".reel a[data-embed]").first().waitFor();
    expect(await preview().locator("iframe").count()).toBe(0);
    await dashboard.goTo("styles", { sub: "sections" });
    const row = sectionRow("Showreel");
    await row.getByText("2 videos", { exact: true }).waitFor();
    await on();
    await dashboard.open("styles", { sub: "sections" });
    await sectionRow("Highlights").waitFor();
    expect(await row.count()).toBe(0);
    expect(await stored("videos")).toHaveLength(2);
  });
});

describe("packages", () => {
  const addPackage = (item: object) =>
    site.asOwner("POST", "/api/packages", { title: "Twelve weeks", ...item });
  beforeEach(() => on("packages"));

  test("rows show price and link; more than twelve lines are refused at their field; Styles lists them while they are on the home page, which Settings choose", async () => {
    await addPackage({ title: "First call", price: "Free", per: "20 minutes", buttonText: "" });
    await addPackage({
      price: "£450",
      buttonLink: "https://buy.stripe.com/x",
      featured: true,
      order: 1,
    });
    await addPackage({ title: "An evening", isActive: false, order: 2 });
    await dashboard.open("packages");
    await eventually(
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
    await eventually(
      async () => (await (await fetch(site.url)).text()).includes('id="packages"'),
      true,
    );
    await dashboard.goTo("styles", { sub: "sections" });
    await sectionRow("Packages")
      .getByText(/^\d packages$/)
      .waitFor();
  });
});
