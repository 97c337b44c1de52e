/** An owner's actions on calls, their lists, and the calendar feed (specification, section 4.21). */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { TRANSLATED_LANGUAGES } from "../../../src/schema/core/languages.ts";
import { getWords } from "../../../src/web/words/allWords.ts";
import { addColon, fillPlaceholders } from "../../../src/web/words/placeholders.ts";
import {
  startCallSite,
  readCalendarEntries,
  readCalendarEntry,
  getWallTimeIn,
} from "../../support/callSite.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import { startPushService } from "../../support/pushService.ts";
import { waitForValue, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startCallSite);

beforeEach(() => site.clear());

/** Sends an enquiry and books a call. */
async function bookCall(at: string, answers: Record<string, unknown> = {}, more: object = {}) {
  const made = await site.sendAndSuggest([at], answers, more);
  await site.pressButton(made.link, { time: "0" });
  return made;
}

/** Names, notes and places that would be code or markup in some format. */
const HOSTILE = [
  "A\r\nATTENDEE:mailto:evil@example.com",
  "A\nBEGIN:VEVENT",
  "A;B,C\\\\n\\",
  '<img src=x onerror="alert(1)">',
  "مرحبا 👩‍👩‍👧 ".repeat(20).trim(),
];

const createPath = (id: string) => `/api/form-submissions/${id}/call`;

/** Expects that a call can be neither canceled nor rescheduled. */
async function expectBothRefused(id: string, words: string): Promise<void> {
  const owner = await site.owner();
  for (const { status, body } of [
    await owner.delete(createPath(id)),
    await owner.put(createPath(id), { at: getWallTimeIn(60) }),
  ])
    expect([status, body.error]).toEqual([409, words]);
}

describe("a booked call", () => {
  test("keeps its calendar id when moved or canceled, with a higher sequence each time", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    const first = readCalendarEntry(
      (await site.waitForMessages("Your call with Vera Lind", "ann@example.com"))[0]!,
    );
    for (const [moves, at] of [getWallTimeIn(40), getWallTimeIn(50)].entries()) {
      const moved = await site.asOwner("PUT", createPath(id), { at });
      expect(moved.booked).toMatchObject({ at, sequence: moves + 1, zone: "Europe/London" });
    }
    const all = await site.waitForMessages(
      "Your call with Vera Lind has been rescheduled",
      "ann@example.com",
      2,
    );
    expect(all.map((each) => readCalendarEntry(each).sequence).toSorted()).toEqual([1, 2]);
    const stamps = all.map((each) => readCalendarEntry(each).stamp).toSorted();
    expect([first.stamp < stamps[0]!, stamps[0]! < stamps[1]!]).toEqual([true, true]);
    expect(new Set(all.map((each) => readCalendarEntry(each).uid))).toEqual(new Set([first.uid]));
    const off = await site.asOwner("DELETE", createPath(id));
    expect([off.booked, off.stage, off.callsUntil]).toEqual([null, "talking", null]);
    const [notification] = await site.waitForMessages(
      "Your call with Vera Lind has been canceled",
      "ann@example.com",
    );
    expect(readCalendarEntry(notification!)).toMatchObject({
      uid: first.uid,
      sequence: 3,
      status: "CANCELLED",
    });
    expect(readCalendarEntry(notification!).method).toBe("PUBLISH");
    expect(notification!.text).toMatch(/It was scheduled for \w+ \d+ \w+( \d+)?, \d\d:00\./);
  });

  test("can't be moved into the past or over another booked call", async () => {
    const other = await bookCall(getWallTimeIn(50), { name: "Bo Lee", email: "bo@example.com" });
    const { id } = await bookCall(getWallTimeIn(30));
    const owner = await site.owner();
    for (const [at, words] of [
      ["2001-01-01T10:00", "This time has passed. Choose a later one."],
      [getWallTimeIn(50), "You already have a call with Bo at that time."],
      ["10:00", "Enter a date such as March 14, 2027."],
    ] as const) {
      const refused = await owner.put(createPath(id), { at });
      expect([refused.status, refused.body.fields]).toEqual([422, { at: words }]);
    }
    // A call may overlap itself.
    expect((await owner.put(createPath(other.id), { at: getWallTimeIn(50) })).status).toBe(200);
    expect((await owner.delete(createPath(other.id))).status).toBe(200);
    await expectBothRefused(other.id, "No call is booked with this person. Reload the page.");
    expect((await owner.delete(createPath("nope"))).status).toBe(404);
    expect((await site.getEnquiry(id)).booked).toMatchObject({
      at: getWallTimeIn(30),
      sequence: 0,
    });
  });

  test("can be neither moved nor canceled once it is over, and nobody is notified", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    await site.waitForMessages("Your call with Vera Lind", "ann@example.com");
    await site.submissions.update(id, (each) => ({
      ...each,
      booked: { ...each.booked!, at: getWallTimeIn(-2) },
    }));
    await expectBothRefused(id, "This call is over. Reload the page.");
    expect(await site.getEnquiry(id)).toMatchObject({ stage: "booked", booked: { sequence: 0 } });
    await waitForValue(() => site.store.of(entities.outbox).count({ state: "waiting" }), 0);
    const subjects = site.server.received.map(({ subject }) => subject!);
    expect(subjects.filter((each) => / has been (rescheduled|canceled)$/.test(each))).toEqual([]);
  });

  test("frees its former time when it is moved", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    const other = await site.sendAndSuggest([getWallTimeIn(30)], { email: "bo@example.com" });
    expect((await site.visitor().get(other.link)).text).toContain(
      "None of these times are available anymore.",
    );
    await site.asOwner("PUT", createPath(id), { at: getWallTimeIn(40) });
    expect((await site.pressButton(other.link, { time: "0" })).status).toBe(200);
  });

  test("can't be moved to a time to which another call is being moved", async () => {
    const one = await bookCall(getWallTimeIn(30));
    const other = await bookCall(getWallTimeIn(40), { email: "bo@example.com" });
    const owner = await site.owner();
    const moved = await Promise.all(
      [one, other].map(({ id }) => owner.put(createPath(id), { at: getWallTimeIn(60) })),
    );
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

describe("a deleted enquiry with a booked call", () => {
  const countCalls = async () =>
    (await site.asOwner("GET", "/api/form-submission-counts"))["form"]?.calls ?? 0;
  const countMessages = () => site.store.of(entities.outbox).count({ kind: "call" });

  test("cancels the call and notifies the visitor, and is restored without a call", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    const first = readCalendarEntry(
      (await site.waitForMessages("Your call with Vera Lind", "ann@example.com"))[0]!,
    );
    expect(await countCalls()).toBe(1);
    const owner = await site.owner();
    expect((await owner.delete(`/api/form-submissions/${id}`)).status).toBe(204);
    const [off] = await site.waitForMessages(
      "Your call with Vera Lind has been canceled",
      "ann@example.com",
    );
    expect(readCalendarEntry(off!)).toMatchObject({
      uid: first.uid,
      sequence: 1,
      status: "CANCELLED",
    });
    expect(off!.text).toMatch(/It was scheduled for \w+ \d+ \w+( \d+)?, \d\d:00\./);
    expect(await countCalls()).toBe(0);
    const before = await countMessages();
    expect((await owner.post(`/api/bin/${id}/restore`)).status).toBe(200);
    expect(await site.getEnquiry(id)).toMatchObject({
      booked: null,
      stage: "talking",
      callsUntil: null,
    });
    await owner.delete(`/api/form-submissions/${id}`);
    expect(await countMessages()).toBe(before);
    const [happened] = (await owner.get("/api/audit-log")).body.filter(
      ({ what }: { what: string }) => what === "canceled a call",
    );
    expect(happened).toMatchObject({ kind: "data" });
  });

  test("notifies the visitor even if the message can be sent only after the enquiry was purged", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    const outbox = site.store.of(entities.outbox);
    const waiting = () => outbox.readKeys({ state: "waiting" });
    await waitForValue(waiting, []);
    site.server.refuseRecipients(451);
    const owner = await site.owner();
    await owner.delete(`/api/form-submissions/${id}`);
    await owner.delete(`/api/bin/${id}`);
    const [key] = await waiting();
    await waitForValue(async () => (await outbox.get(key!.id))?.attempts, 1);
    site.server.refuseRecipients(undefined);
    await site.mail.outbox.retry(key!.id);
    await site.waitForMessages("Your call with Vera Lind has been canceled", "ann@example.com");
  });

  test("notifies nobody of a call that is over", async () => {
    const { id } = await bookCall(getWallTimeIn(30));
    await site.submissions.update(id, (each) => ({
      ...each,
      booked: { ...each.booked!, at: "2026-01-01T10:00" },
    }));
    const before = await countMessages();
    await (await site.owner()).delete(`/api/form-submissions/${id}`);
    expect([await countMessages(), await countCalls()]).toEqual([before, 0]);
  });

  test("is found with its call by email address, and erasing the person notifies nobody", async () => {
    await bookCall(getWallTimeIn(30), { email: "eve@example.com" });
    const email = { email: "eve@example.com" };
    expect(await site.asOwner("POST", "/api/people/find", email)).toMatchObject({ calls: 1 });
    // A message in flight would arrive after the erasure, in the next test.
    await site.waitForMessages("Your call with Vera Lind", email.email);
    await site.waitForMessages(/ chose /, "Ada@example.com");
    await site.asOwner("POST", "/api/people/erase", email);
    expect(await countMessages()).toBe(0);
    expect(await site.store.of(entities.outbox).count({ kind: "reply" })).toBe(0);
  });
});

test.each(HOSTILE)("a visitor's name %j is only text in files, pages and emails", async (name) => {
  const { link } = await bookCall(getWallTimeIn(30), { name });
  const page = (await site.visitor().get(link)).text;
  expect(page).not.toMatch(/<img/);
  const [notification] = await site.waitForMessages(/ chose /, "Ada@example.com");
  const entry = readCalendarEntry(notification!);
  expect(entry.text.match(/^(?:ATTENDEE|BEGIN:VEVENT)/gm)).toEqual(["BEGIN:VEVENT"]);
  expect(entry.summary.replaceAll(/\s+/g, " ")).toBe(`${name}, Inner name`.replaceAll(/\s+/g, " "));
  expect(notification!.html).not.toMatch(/<img src=x/);
  const { path } = await site.asOwner("POST", "/api/calls-calendar", {});
  const followed = await site.visitor().get(path);
  expect(readCalendarEntries(followed.text)).toHaveLength(1);
  for (const line of followed.text.split("\r\n"))
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test("owners' devices are notified when a visitor chooses a time or says that no time suits", async () => {
  const service = startPushService();
  const owner = await site.owner();
  const [device] = (await owner.post("/api/push", service.subscription)).body.devices;
  const { id } = await bookCall(getWallTimeIn(30), { name: "Dev" });
  const other = await site.sendAndSuggest([getWallTimeIn(40)], {
    name: "Bo",
    email: "bo@example.com",
  });
  await site.pressButton(other.link, { none: "1", line: "Never" });
  const titles = () => service.received.map(({ notification }) => notification.title);
  await waitForValue(() => titles().includes("None of your times work"), true);
  const chosen = service.received.find(
    ({ notification }) => notification.title === "Call booked",
  )!.notification;
  expect(chosen.body).toMatch(/^Dev, \w+ \d+ \w+( \d+)?, \d\d:00$/);
  expect(chosen.link).toContain(`enquiry=${id}`);
  const none = service.received.find(
    ({ notification }) => notification.title === "None of your times work",
  )!.notification;
  expect(none.body).toBe("Bo, Inner name");
  await site.asOwner("POST", "/api/people/erase", { email: "bo@example.com" });
  const left = await site.store.of(entities.outbox).readKeys({ kind: "push" });
  expect(left.some(({ about }) => about?.includes(other.id))).toBe(false);
  await owner.delete(`/api/push/${device.id}`);
  await service.stop();
});

const OTHER_LANGUAGES = TRANSLATED_LANGUAGES.filter((language) => language !== "en");
// The types require every text of each language; `COMBINATIONS=all` reads them all.
describe.each(process.env["COMBINATIONS"] ? OTHER_LANGUAGES : OTHER_LANGUAGES.slice(0, 2))(
  "on a site in the language %s",
  (language) => {
    beforeEach(() => site.asOwner("POST", "/api/site", { language }));
    afterAll(() => site.asOwner("POST", "/api/site", { language: "en" }));

    test("the page of suggested times, the emails and the calendar file are translated", async () => {
      const { callTimes, answers } = getWords(language).words;
      const { link } = await site.sendAndSuggest([getWallTimeIn(30)], {
        country: "Japan",
        phone: "+44 7700 900342",
      });
      const page = (await site.visitor().get(link)).text;
      for (const text of [callTimes.chooseTitle, callTimes.chooseTime, callTimes.noneWork])
        expect(page).toContain(text);
      expect(page).toContain(`<html lang="${language}"`);
      expect(page).toContain("Tokyo");
      expect(page).not.toMatch(/Take|None of|That is/);
      expect((await site.pressButton(link, {})).text).toContain(answers.choose);
      const chosen = (await site.pressButton(link, { time: "0" })).text;
      expect(chosen).toContain(callTimes.bookedText);
      const subject = fillPlaceholders(callTimes.booked, { name: "Vera Lind" });
      const [notification] = await site.waitForMessages(subject, "ann@example.com");
      expect(readCalendarEntry(notification!).summary).toBe(subject);
      expect(notification!.text).toContain(callTimes.addToCalendar);
      const [sent] = await site.waitForMessages("A call", "ann@example.com");
      expect(sent!.text).toContain(addColon(callTimes.chooseTitle, getWords(language).words));
    });
  },
);

describe("the list of follow-ups", () => {
  test("has the booked calls of the next two weeks with their times, sorted together with reminders", async () => {
    const far = await bookCall(getWallTimeIn(24 * 15));
    const upcoming = await bookCall(getWallTimeIn(48), { name: "Bo" });
    const due = await site.sent({ name: "Cy" });
    await site.asOwner("PUT", `/api/form-submissions/${due}/progress`, { remindOn: "2026-01-01" });
    const both = await bookCall(getWallTimeIn(72), { name: "Di" });
    const path = `/api/form-submissions/${both.id}/progress`;
    await site.asOwner("PUT", path, { remindOn: "2026-02-01" });
    const all = await site.asOwner("GET", "/api/follow-ups");
    const notification = all.map(({ id, isDue, callAt }: any) => [id, isDue, callAt]);
    expect(notification).toEqual([
      [due, true, null],
      [both.id, true, getWallTimeIn(72)],
      [upcoming.id, false, getWallTimeIn(48)],
    ]);
    expect(notification.flat()).not.toContain(far.id);
    await site.asOwner("DELETE", createPath(upcoming.id));
    expect(await site.asOwner("GET", "/api/follow-ups")).toHaveLength(2);
  });
});

describe("the calendar of booked calls", () => {
  const createCalendar = async () =>
    (await site.asOwner("POST", "/api/calls-calendar", {})).path as string;
  const readCalendar = (path: string) => site.visitor().get(path);

  test("can be read with the key in its URL, until the key is replaced or revoked", async () => {
    const none = { since: null, isUsed: false };
    expect(await site.asOwner("DELETE", "/api/calls-calendar")).toEqual(none);
    expect(await site.asOwner("GET", "/api/calls-calendar")).toEqual(none);
    await site.sendAndSuggest([getWallTimeIn(30)]);
    expect(await site.asOwner("GET", "/api/calls-calendar")).toEqual({ ...none, isUsed: true });
    for (const path of ["/calls.ics", "/calls.ics?k=", `/calls.ics?k=${"A".repeat(22)}`])
      expect((await readCalendar(path)).status).toBe(404);
    const first = await createCalendar();
    expect(Buffer.from(first.split("k=")[1]!, "base64url")).toHaveLength(16);
    expect((await readCalendar(first)).status).toBe(200);
    const second = await createCalendar();
    expect([(await readCalendar(first)).status, (await readCalendar(second)).status]).toEqual([
      404, 200,
    ]);
    // The key itself isn't stored.
    const stored = await readStoredTexts(site.config);
    expect(stored.filter(({ text }) => text.includes(second.split("k=")[1]!))).toEqual([]);
    await site.asOwner("DELETE", "/api/calls-calendar");
    expect((await readCalendar(second)).status).toBe(404);
  });

  test("ends when the account that created it is removed or is no longer an owner", async () => {
    const owner = await site.owner();
    for (const end of ["removed", "demoted"] as const) {
      const other = await site.logInAs("admin");
      const { path } = (await other.post("/api/calls-calendar", {})).body;
      expect((await readCalendar(path)).status).toBe(200);
      const people = (await owner.get("/api/users")).body as { id: string; username: string }[];
      const { id } = people.at(-1)!;
      if (end === "removed") await owner.delete(`/api/users/${id}`);
      else await owner.put(`/api/users/${id}`, { role: "editor" });
      expect([end, (await readCalendar(path)).status]).toEqual([end, 404]);
      if (end === "demoted") {
        await owner.put(`/api/users/${id}`, { role: "admin" });
        expect((await readCalendar(path)).status).toBe(404);
      }
      expect((await owner.get("/api/calls-calendar")).body.since).toBeNull();
    }
    const ownerLink = await createCalendar();
    expect((await readCalendar(ownerLink)).status).toBe(200);
    expect((await owner.get("/api/calls-calendar")).body.since).toBeString();
  });

  test("has each call once, with the visitor's and the form's name but without answers", async () => {
    const phone = "+44 7700 900342";
    const call = await bookCall(getWallTimeIn(30), { phone, town: "Leeds" });
    const place = { how: "place", where: "Room 5" };
    const inPerson = await bookCall(
      getWallTimeIn(40),
      { name: "Bo Lee", email: "bo@example.com" },
      place,
    );
    const off = await bookCall(getWallTimeIn(50), { name: "Cy", email: "cy@example.com" });
    await site.asOwner("PUT", createPath(inPerson.id), { at: getWallTimeIn(20) });
    await site.asOwner("DELETE", createPath(off.id));
    const { text, headers } = await readCalendar(await createCalendar());
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const host = new URL(site.url).host;
    expect(readCalendarEntries(text)).toMatchObject([
      {
        uid: `${inPerson.reply}@${host}`,
        summary: "Bo Lee, Inner name",
        location: "Room 5",
        sequence: 1,
      },
      {
        uid: `${call.reply}@${host}`,
        summary: "Ann Example, Inner name",
        location: null,
        sequence: 0,
      },
    ]);
    expect(text).not.toMatch(/7700|example\.com|Leeds|sing/);
    await site.asOwner("POST", "/api/people/erase", { email: "bo@example.com" });
    expect((await readCalendar(await createCalendar())).text).not.toContain("Bo Lee");
  });
});
