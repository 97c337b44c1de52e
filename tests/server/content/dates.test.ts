/** Dates in calls, pages and calendars (specification, section 2.24). */
import { beforeEach, describe, expect, test } from "bun:test";
import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { entities, type Item } from "../../../src/schema/index.ts";
import table from "../../fixtures/dates.json";
import { getStyleElement } from "../../support/extraStyles.ts";
import { readCalendarEntries } from "../../support/callSite.ts";
import { waitForValue, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const HOUR_MS = 3_600_000;
const START = "2099-03-14T20:00";

const site = setUpSiteForAll(() => startSite({ hasAddress: true }));

const fetchPage = async (path = "/") => (await site.visitor().get(path)).text;
const addEvent = (event: object) =>
  site.asOwner("POST", "/api/events", { title: "The Velvet Hour", ...event });
/** The unfolded lines of a feed's first date. */
const unfoldLines = (text: string) => text.replaceAll("\r\n ", "").split("\r\n");
const fetchFeed = (path = "/dates.ics") => site.visitor().get(path);
const parseEvents = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((each) => new ICAL.Event(each));

/** The events in a page's structured data. */
const readStructuredEvents = (html: string) => {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!;
  return JSON.parse(json)["@graph"].filter(
    (each: object & { "@type": string }) => each["@type"] === "Event",
  );
};

/** A moment from now as a wall time in UTC. */
const getWallTimeIn = (ms: number) =>
  new Date(Date.now() + site.readOffset() + ms).toISOString().slice(0, 16);

beforeEach(async () => {
  await site.store.of(entities.events).update(() => []);
  await site.asOwner("POST", "/api/site", { timeZone: "UTC" });
  await site.asOwner("POST", "/api/extras", { on: ["dates"] });
  await site.asOwner("POST", "/api/event-settings", { onPage: 5, past: "hide" });
});

test("while the section of dates is off, the page is the same as without events, and there is no calendar feed", async () => {
  const empty = await fetchPage();
  expect((await fetchFeed()).status).toBe(200);
  const { id } = await addEvent({ startsAt: START });
  expect((await fetchFeed(`/dates/${id}.ics`)).status).toBe(200);
  await site.asOwner("POST", "/api/extras", { on: [] });
  expect(await fetchPage()).toBe(empty);
  for (const path of ["/dates.ics", `/dates/${id}.ics`])
    expect((await fetchFeed(path)).status).toBe(404);
  expect((await site.visitor().get("/api/events")).body).toEqual([]);
  expect(await site.asOwner("GET", "/api/events")).toHaveLength(1);
});

test("a tour of events with the same title shows the towns in large type", async () => {
  for (const city of ["Hamburg", "Leeds"])
    await addEvent({ startsAt: START, venue: "Apollo", city });
  await waitForValue(async () => (await fetchPage()).includes(">Hamburg</h3>"), true);
  const html = await fetchPage();
  expect(html).toContain(">Leeds</h3>");
  expect(html).toContain(">The Velvet Hour, Apollo</p>");
  await addEvent({ startsAt: START, title: "Another", city: "Bath" });
  await waitForValue(async () => (await fetchPage()).includes(">Another</h3>"), true);
  expect(await fetchPage()).not.toContain(">Leeds</h3>");
});

test("an event shows its day, time, title, place and a link to its tickets", async () => {
  const { id } = await addEvent({
    startsAt: START,
    venue: "Palace Theatre",
    city: "Manchester",
    ticketUrl: "https://tickets.example/1",
    tickets: "few",
    note: "With special guests",
  });
  const html = (await fetchPage()).replaceAll(/<!-- -->/g, "");
  expect(html).toContain(`${getStyleElement("dates")}<section id="dates"`);
  expect(html).toContain(
    '<time dateTime="2099-03-14T20:00:00+00:00"><b class="display">14</b><span>Mar 2099</span><small>Sat\u00a020:00</small></time>',
  );
  expect(html).toContain("Palace Theatre, Manchester");
  expect(html).toContain(
    'aria-label="Only a few tickets left: The Velvet Hour">Only a few tickets left</a>',
  );
  expect(html).toContain(
    `href="/dates/${id}.ics" aria-label="Add The Velvet Hour to your calendar"`,
  );
  expect(html).toContain(`href="webcal://${new URL(site.url).host}/dates.ics"`);
  expect(html).toContain('<button formAction="/#dates">Dates</button>');
});

test("links of events with the same title have distinct accessible names", async () => {
  for (const [city, startsAt] of [
    ["Leeds", "2099-03-14T20:00"],
    ["York", "2099-03-15T20:00"],
  ])
    await addEvent({ city, startsAt, ticketUrl: "https://tickets.example/1" });
  const html = await fetchPage();
  expect(html).toContain('aria-label="Tickets: The Velvet Hour, Leeds, 14 Mar"');
  expect(html).toContain('aria-label="Add The Velvet Hour, York, 15 Mar to your calendar"');
});

test.each([
  [{ kind: "stage", tickets: "sale" }, ">Tickets</a>"],
  [{ kind: "stage", tickets: "free" }, ">Free tickets</a>"],
  [{ kind: "online", tickets: "sale" }, ">Join</a>"],
  [{ kind: "online", tickets: "free" }, ">Join for free</a>"],
  [{ kind: "screen" }, ">Watch</a>"],
  [{ tickets: "out" }, '<span class="date-action">Sold out</span>'],
  [{ status: "postponed" }, '<span class="date-action">Postponed</span>'],
  [{ status: "cancelled" }, "<s>The Velvet Hour</s>"],
])("an event with %j is shown as %s", async (event, shown) => {
  await addEvent({ startsAt: START, ticketUrl: "https://tickets.example/1", ...event });
  expect(await fetchPage()).toContain(shown);
});

test("events of several days, all-day events and events in another time zone are shown as such", async () => {
  await addEvent({ startsAt: "2099-01-15T10:00", endsAt: "2099-01-17T16:00" });
  await addEvent({ startsAt: "2099-02-01T00:00", allDay: true });
  await addEvent({ startsAt: "2099-03-01T20:00", timeZone: "America/New_York" });
  const html = (await fetchPage()).replaceAll(/<!-- -->/g, "");
  expect(html).toContain("<span>– 17 Jan 2099</span>");
  expect(html).toContain(
    '<time dateTime="2099-02-01"><b class="display">1</b><span>Feb 2099</span><small>Sun</small></time>',
  );
  expect(html).toContain('<time dateTime="2099-03-01T20:00:00-05:00">');
  expect(html).toContain("<small>Sun\u00a020:00 (New York time)</small>");
});

test("the next five events are visible, the others in an expandable list, in chronological order", async () => {
  for (const day of [19, 12, 13, 14, 15, 16, 17, 18])
    await addEvent({ title: `Night ${day}`, startsAt: `2099-03-${day}T20:00` });
  const html = await fetchPage();
  const [shown, rest] = html.split("<summary>All 8 dates</summary>");
  const nights = (text: string) =>
    [...text.matchAll(/<h3 dir="auto">Night (\d+)/g)].map(([, day]) => Number(day));
  expect(nights(shown!)).toEqual([12, 13, 14, 15, 16]);
  expect(nights(rest!)).toEqual([17, 18, 19]);
  expect(rest).toStartWith('<ol start="6">');
});

test("once all events are over, the page says so, and shows the last five events if the owner chose that", async () => {
  for (const hour of [1, 2, 3, 4, 5, 6])
    await addEvent({ title: `Past ${hour}`, startsAt: `2001-01-0${hour}T20:00` });
  expect(await fetchPage()).toContain(
    "No upcoming dates. Join the mailing list to hear about new ones first.",
  );
  expect(await fetchPage()).toContain("data-updates");
  expect(await fetchPage()).not.toContain("Past 6");
  await site.asOwner("POST", "/api/event-settings", { past: "last" });
  const html = await fetchPage();
  expect(html).toContain("<summary>Past dates</summary>");
  expect([...html.matchAll(/<h3 dir="auto">Past (\d)/g)].map(([, day]) => day).join("")).toBe(
    "65432",
  );
});

test("200 event times in 12 time zones equal another tool's on the page, in the feed and in structured data", async () => {
  const initial = getInitialValues(entities.events.fields) as Item<"events">;
  await site.store.of(entities.events).update(() =>
    table.map(({ zone, wall }, at) => ({
      ...initial,
      id: Bun.randomUUIDv7(),
      title: `No. ${at}`,
      city: "Leeds",
      startsAt: wall,
      timeZone: zone,
    })),
  );
  const inFeed = new Map(
    parseEvents((await fetchFeed()).text).map(({ summary, component }) => [
      summary,
      component.getFirstProperty("dtstart")!.toICALString().split(":")[1],
    ]),
  );
  const onPage = new Map(
    [
      ...(await fetchPage()).matchAll(
        /dateTime="([^"]+)"(?:(?!dateTime).)*?<h3 dir="auto">([^<]+)/g,
      ),
    ].map(([, at, title]) => [title, at]),
  );
  // Structured data has the next twenty dates; once they are over, the twenty after them.
  const forEngines = new Map<string, string>();
  for (let left = table.length; left > 0; left -= 20) {
    const next = readStructuredEvents(await fetchPage());
    expect(next).toHaveLength(20);
    for (const { name, startDate } of next) forEngines.set(name, startDate);
    await site.store
      .of(entities.events)
      .update((all) => all.filter(({ title }) => !forEngines.has(title)));
  }
  const wrong = table.flatMap((row, at) => {
    const title = `No. ${at}`;
    const times = [inFeed.get(title), onPage.get(title), forEngines.get(title)];
    return Bun.deepEquals(times, [row.utc, row.local, row.local]) ? [] : [{ ...row, said: times }];
  });
  expect(wrong).toEqual([]);
  expect([inFeed.size, onPage.size, forEngines.size]).toEqual([200, 200, 200]);
}, 60_000);

describe("the calendar feed", () => {
  test("has all-day events as dates and canceled events as canceled, and gets a 304 if unchanged", async () => {
    const { id } = await addEvent({
      title: "Ünïcode; comma, \\ 🎭 " + "lång ".repeat(18).trim(),
      note: "One\nTwo".replace("\n", " "),
      startsAt: "2099-03-14T00:00",
      endsAt: "2099-03-15T00:00",
      allDay: true,
      status: "cancelled",
      venue: "Palace; Theatre, left",
      country: "GB",
    });
    const first = await fetchFeed();
    expect(first.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(first.headers.get("cache-control")).toBe("no-cache");
    for (const line of [
      "DTSTART;VALUE=DATE:20990314",
      "DTEND;VALUE=DATE:20990316",
      "STATUS:CANCELLED",
      `UID:${id}@${new URL(site.url).host}`,
      "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
      "X-PUBLISHED-TTL:PT6H",
    ])
      expect(unfoldLines(first.text)).toContain(line);
    for (const line of first.text.split("\r\n"))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const [read] = parseEvents(first.text);
    expect(read!.summary).toStartWith("Ünïcode; comma, \\ 🎭 lång");
    expect(read!.location).toBe("Palace; Theatre, left, United Kingdom");
    const etag = first.headers.get("etag")!;
    expect((await site.visitor().get("/dates.ics", { "if-none-match": etag })).status).toBe(304);
  });

  test("has at most 200 public events, including those that ended in the last thirty days", async () => {
    const old = new Date(Date.now() + site.readOffset() - 40 * 24 * HOUR_MS)
      .toISOString()
      .slice(0, 16);
    await addEvent({ title: "Old", startsAt: old });
    await addEvent({ title: "Just over", startsAt: getWallTimeIn(-48 * HOUR_MS) });
    const hidden = await addEvent({
      title: "Secret",
      startsAt: START,
      shownFrom: "2099-01-01T00:00",
    });
    expect(parseEvents((await fetchFeed()).text).map(({ summary }) => summary)).toEqual([
      "Just over",
    ]);
    expect((await fetchFeed(`/dates/${hidden.id}.ics`)).status).toBe(404);
    expect((await fetchFeed("/dates/00000000-0000-7000-8000-000000000000.ics")).status).toBe(404);
    expect((await site.visitor().get("/api/events")).text).not.toContain("Secret");
    const [{ id: _, ...one }] = await site.asOwner("GET", "/api/events");
    const at = (minute: number) => new Date(Date.UTC(2099, 2, 14, 0, minute)).toISOString();
    await site.store.of(entities.events).update(() =>
      Array.from({ length: 201 }, (_each, minute) => ({
        ...one,
        id: Bun.randomUUIDv7(),
        startsAt: at(minute).slice(0, 16),
      })),
    );
    expect(parseEvents((await fetchFeed()).text)).toHaveLength(200);
  });

  const HOSTILE = [
    "END:VEVENT",
    "Show\r\nEND:VEVENT\r\nEND:VCALENDAR",
    "one\ntwo",
    "one\rtwo",
    "one\u2028two\u0085three",
    "back\\slash, comma; semicolon: colon",
    "ends with a backslash\\",
    "\\n is not a break",
    'a "quoted" part',
    "DTSTART;TZID=Europe/Berlin:20990314T200000",
    "ünïcödé 🎭".repeat(8),
  ];

  test.each(HOSTILE)("with the text %j is read correctly by two other programs", async (text) => {
    await site.asOwner("POST", "/api/site", { name: text });
    const ticketUrl = "https://tickets.example/a,b;c?d=e";
    const sent = { title: text, note: text, venue: text, city: "Bath", ticketUrl };
    const { title, note, venue } = await addEvent({ ...sent, startsAt: START });
    const { name } = (await site.visitor().get("/api/site")).body;
    const file = (await fetchFeed()).text;
    const stored = { summary: title, description: note, location: `${venue}, Bath` };
    const calendar = new ICAL.Component(ICAL.parse(file));
    const entries = calendar.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
    expect(entries).toEqual([expect.objectContaining(stored)]);
    const url = "https://tickets.example/a%2Cb%3Bc?d=e";
    expect(entries[0]!.component.getFirstPropertyValue("url")).toBe(url);
    // The second program also takes END:VEVENT within a line for the end of an event.
    if (text.includes("END:")) return;
    const other = convertIcsCalendar(undefined, file);
    expect(other.events).toEqual([expect.objectContaining({ ...stored, url })]);
    // The second program doesn't unescape the calendar's name, which is a text too (RFC 7986, section 5.1).
    expect(other.name?.replace(/\\([\\;,])/g, "$1")).toBe(name.replaceAll("\n", " "));
  });

  test("has the names of countries in the site's language", async () => {
    await site.asOwner("POST", "/api/site", { language: "de" });
    await addEvent({ startsAt: START, city: "Wien", country: "AT" });
    const [entry] = parseEvents((await fetchFeed()).text);
    await site.asOwner("POST", "/api/site", { language: "en" });
    expect(entry!.location).toBe("Wien, Österreich");
  });

  test("can also be downloaded as a file with a single event", async () => {
    const { id } = await addEvent({ startsAt: START });
    await addEvent({ title: "Another", startsAt: "2099-03-15T20:00" });
    const { headers, text } = await fetchFeed(`/dates/${id}.ics`);
    expect(headers.get("content-disposition")).toBe('attachment; filename="date.ics"');
    expect(parseEvents(text).map(({ summary }) => summary)).toEqual(["The Velvet Hour"]);
  });
});

test("an event's structured data has a place with an address, or an online event's URL, as Google requires", async () => {
  const startsAt = "2099-03-14T20:00";
  await addEvent({ title: "Somewhere", startsAt });
  await addEvent({ title: "In a country", startsAt, country: "US" });
  await addEvent({ title: "At a venue", startsAt, venue: "The Loft" });
  await addEvent({ title: "In a city", startsAt, city: "Leeds" });
  await addEvent({ title: "Online", startsAt, kind: "online" });
  const places = readStructuredEvents(await fetchPage()).map((event: Record<string, unknown>) => [
    event["name"],
    event["location"],
  ]);
  expect(Object.fromEntries(places)).toEqual({
    "At a venue": { "@type": "Place", name: "The Loft", address: "The Loft" },
    "In a city": {
      "@type": "Place",
      name: "Leeds",
      address: { "@type": "PostalAddress", addressLocality: "Leeds" },
    },
    "In a country": {
      "@type": "Place",
      address: { "@type": "PostalAddress", addressCountry: "US" },
    },
    Online: { "@type": "VirtualLocation", url: expect.stringMatching(/^https?:\/\/[^/]+\/$/) },
  });
});

test("an event's link within the site, or with non-ASCII letters, is a full ASCII URL in the calendar feed", async () => {
  const event = { startsAt: START, kind: "online" };
  await addEvent({ ...event, title: "Here", ticketUrl: "/coaching" });
  await addEvent({ ...event, title: "There", ticketUrl: "https://müller.example/ä ö" });
  await addEvent({ ...event, title: "Nowhere" });
  const here = `${site.url}/coaching`;
  const there = "https://xn--mller-kva.example/%C3%A4%20%C3%B6";
  const urls = parseEvents((await fetchFeed()).text).map((each) => [
    each.summary,
    each.component.getFirstPropertyValue("url"),
  ]);
  expect(Object.fromEntries(urls)).toEqual({ Here: here, There: there, Nowhere: null });
  const [first] = readStructuredEvents(await fetchPage()).filter(
    ({ name }: { name: string }) => name === "Here",
  );
  expect([first.offers.url, first.location.url]).toEqual([here, here]);
});

test("an event whose start is skipped by a clock change still ends after its start", async () => {
  const startsAt = "2099-03-29T02:30";
  await addEvent({ startsAt, endsAt: "2099-03-29T03:15", timeZone: "Europe/Berlin", city: "Köln" });
  const [entry] = readCalendarEntries((await fetchFeed()).text);
  expect([entry!.start, entry!.end]).toEqual([
    "2099-03-29T01:30:00.000Z",
    "2099-03-29T02:15:00.000Z",
  ]);
  expect(readStructuredEvents(await fetchPage())).toMatchObject([
    { startDate: "2099-03-29T03:30:00+02:00", endDate: "2099-03-29T04:15:00+02:00" },
  ]);
});

test("structured data has the events that people can attend, with time, place and tickets", async () => {
  await addEvent({
    startsAt: START,
    timeZone: "America/New_York",
    endsAt: "2099-03-14T22:00",
    venue: "The Loft",
    address: "1 Main St",
    city: "New York",
    country: "US",
    ticketUrl: "https://tickets.example/1",
    tickets: "few",
    status: "postponed",
  });
  await addEvent({
    title: "Class",
    kind: "online",
    startsAt: "2099-03-15T00:00",
    allDay: true,
    ticketUrl: "https://class.example/1",
  });
  await addEvent({ title: "On TV", kind: "screen", startsAt: "2099-03-16T20:00" });
  const [first, second, ...more] = readStructuredEvents(await fetchPage());
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    "@type": "Event",
    startDate: "2099-03-14T20:00:00-04:00",
    endDate: "2099-03-14T22:00:00-04:00",
    eventStatus: "https://schema.org/EventPostponed",
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    location: {
      "@type": "Place",
      name: "The Loft",
      address: { streetAddress: "1 Main St", addressLocality: "New York", addressCountry: "US" },
    },
    offers: {
      url: "https://tickets.example/1",
      availability: "https://schema.org/LimitedAvailability",
    },
  });
  expect(second).toMatchObject({
    startDate: "2099-03-15",
    location: { "@type": "VirtualLocation", url: "https://class.example/1" },
  });
});

describe("an event in a calendar file", () => {
  const readEntry = async (id: string) =>
    readCalendarEntries((await fetchFeed(`/dates/${id}.ics`)).text)[0]!;
  const changeEvent = (id: string, event: object) =>
    site.asOwner("PUT", `/api/events/${id}`, event);

  test("gets a higher sequence and a later timestamp after each change, and unchanged events keep theirs", async () => {
    const { id } = await addEvent({ startsAt: START, timeZone: "Europe/Berlin" });
    const other = await addEvent({ startsAt: START, timeZone: "Europe/Berlin" });
    const otherBefore = await readEntry(other.id);
    const steps = [
      {},
      { startsAt: "2099-04-02T20:00" },
      { venue: "Palace Theatre" },
      { title: "The Velvet Night" },
      { note: "With guests" },
      { status: "postponed" },
      { status: "cancelled" },
    ];
    const entries = [];
    for (const step of steps) {
      await changeEvent(id, step);
      entries.push(await readEntry(id));
    }
    for (const [at, { sequence, stamp, uid }] of entries.slice(1).entries()) {
      const before = entries[at]!;
      expect(uid).toBe(before.uid);
      expect(sequence).toBeGreaterThan(before.sequence);
      expect(stamp > before.stamp).toBe(true);
    }
    expect(entries[0]!.sequence).toBe(0);
    expect(entries.at(-1)!.status).toBe("CANCELLED");
    // The same change again changes nothing, nor does a client that sends the time.
    await changeEvent(id, { status: "cancelled", changedAt: "2030-01-01T00:00:00.000Z" });
    expect(await readEntry(id)).toEqual(entries.at(-1)!);
    expect(await readEntry(other.id)).toEqual(otherBefore);
    expect((await site.visitor().get("/api/events")).text).not.toContain("changedAt");
  });

  test("has a higher sequence than before once an earlier version is restored", async () => {
    const { id } = await addEvent({ startsAt: START, timeZone: "Europe/Berlin" });
    const unchanged = await addEvent({
      title: "Stays",
      startsAt: START,
      timeZone: "Europe/Berlin",
    });
    const stays = await readEntry(unchanged.id);
    const { revision } = site.store.of(entities.events).read();
    await changeEvent(id, { startsAt: "2099-04-02T20:00" });
    const moved = await readEntry(id);
    await site.asOwner("POST", `/api/history/events/${revision}/restore`);
    const back = await readEntry(id);
    expect(back.start).toBe("2099-03-14T19:00:00.000Z");
    expect(back.sequence).toBeGreaterThan(moved.sequence);
    expect(back.stamp > moved.stamp).toBe(true);
    expect(await readEntry(unchanged.id)).toEqual(stays);
  });

  test("without a time zone moves when the site's time zone changes", async () => {
    await addEvent({ startsAt: START });
    // As if the date and its settings had been saved a while ago.
    const id = Bun.randomUUIDv7("hex", Date.now() - 60_000);
    await site.store.of(entities.events).update(([event]) => [{ ...event!, id }]);
    const before = await readEntry(id);
    await waitForValue(() => Date.now() > Date.parse(before.stamp) + 1000, true);
    await site.asOwner("POST", "/api/site", { timeZone: "Asia/Tokyo" });
    const after = await readEntry(id);
    expect(after.start).not.toBe(before.start);
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(after.stamp > before.stamp).toBe(true);
  });
});

// Last, since a day without a request ends the owner's session.
test("an event leaves the page at its end, three hours after its start, or after its whole day", async () => {
  await site.store.of(entities.events).update(() => []);
  await addEvent({ title: "Open", startsAt: getWallTimeIn(-3 * HOUR_MS + 60_000) });
  await addEvent({
    title: "Ends",
    startsAt: getWallTimeIn(-9 * HOUR_MS),
    endsAt: getWallTimeIn(60_000),
  });
  await addEvent({ title: "Whole", startsAt: getWallTimeIn(0), allDay: true });
  await addEvent({ title: "Later", startsAt: getWallTimeIn(48 * HOUR_MS) });
  // An unrelated change, so that the timer is set by the advanced clock.
  const noteTime = () => site.store.of(entities.site).update((each) => ({ ...each }));
  const titles = async () =>
    [...(await fetchPage()).matchAll(/<h3 dir="auto">(\w+)/g)].map(([, title]) => title!).sort();
  await waitForValue(titles, ["Ends", "Later", "Open", "Whole"]);
  site.advance(120_000);
  await noteTime();
  await waitForValue(titles, ["Later", "Whole"]);
  site.advance(24 * HOUR_MS);
  await noteTime();
  await waitForValue(titles, ["Later"]);
});
