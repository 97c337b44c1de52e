/** What an owner does with calls, where they stand, and the calendar that follows them (specification, section 4.21). */
import { beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { callSite, entriesOf, entryIn, wallIn } from "../../../support/callSite.ts";
import { keptTexts } from "../../../support/keptTexts.ts";
import { siteForAll } from "../../../support/siteForAll.ts";

const site = siteForAll(callSite);

beforeEach(async () => {
  await site.store.of(entities.formSubmissions).deleteWhere({});
  await site.store.of(entities.outbox).deleteWhere({});
  site.server.taken.length = 0;
});

/** A call that was agreed on. */
async function booked(at: string, answers: Record<string, unknown> = {}, more: object = {}) {
  const made = await site.offered([at], answers, more);
  await site.press(made.link, { time: "0" });
  return made;
}

const pathOf = (id: string) => `/api/form-submissions/${id}/call`;

describe("a call", () => {
  test("is moved and called off under the same id, with a higher number each time", async () => {
    const { id } = await booked(wallIn(30));
    const first = entryIn((await site.arrived("Your call with Vera Lind", "ann@example.com"))[0]!);
    for (const [at, sequence] of [
      [wallIn(40), 1],
      [wallIn(50), 2],
    ] as const) {
      const moved = await site.asOwner("PUT", pathOf(id), { at });
      expect(moved.booked).toMatchObject({ at, sequence, zone: "Europe/London" });
    }
    const all = await site.arrived("Your call with Vera Lind was moved", "ann@example.com", 2);
    expect(all.map((each) => entryIn(each).sequence).toSorted()).toEqual([1, 2]);
    expect(new Set(all.map((each) => entryIn(each).uid))).toEqual(new Set([first.uid]));
    const off = await site.asOwner("DELETE", pathOf(id));
    expect([off.booked, off.stage, off.callsUntil]).toEqual([null, "talking", null]);
    const [told] = await site.arrived("Your call with Vera Lind is off", "ann@example.com");
    expect(entryIn(told!)).toMatchObject({ uid: first.uid, sequence: 3, status: "CANCELLED" });
    expect(entryIn(told!).method).toBe("PUBLISH");
    expect(told!.text).toMatch(/It was to be on \w+ \d+ \w+( \d+)?, \d\d:00\./);
  });

  test("isn't moved into the past or over another, and only one that is there is", async () => {
    const other = await booked(wallIn(50), { name: "Bo Lee", email: "bo@example.com" });
    const { id } = await booked(wallIn(30));
    const owner = await site.owner();
    for (const [at, words] of [
      ["2001-01-01T10:00", "This time has passed. Choose a later one."],
      [wallIn(50), "You have a call with Bo then."],
      ["10:00", "Enter a day such as 14 March 2027."],
    ] as const) {
      const refused = await owner.put(pathOf(id), { at });
      expect([refused.status, refused.body.fields]).toEqual([422, { at: words }]);
    }
    // Over itself it may be.
    expect((await owner.put(pathOf(other.id), { at: wallIn(50) })).status).toBe(200);
    expect((await owner.delete(pathOf(other.id))).status).toBe(200);
    for (const call of [
      await owner.delete(pathOf(other.id)),
      await owner.put(pathOf(other.id), { at: wallIn(60) }),
    ])
      expect([call.status, call.body.error]).toEqual([
        409,
        "There is no call with them. Reload the page.",
      ]);
    expect((await owner.delete(pathOf("nope"))).status).toBe(404);
    const reader = await site.loginAs("reader");
    expect((await reader.put(pathOf(id), { at: wallIn(60) })).status).toBe(403);
    expect((await site.get(id)).booked).toMatchObject({ at: wallIn(30), sequence: 0 });
  });

  test("frees its time once it is called off or moved", async () => {
    const { id } = await booked(wallIn(30));
    const other = await site.offered([wallIn(30)], { email: "bo@example.com" });
    expect((await site.visitor().get(other.link)).text).toContain("None of these times is left.");
    await site.asOwner("PUT", pathOf(id), { at: wallIn(40) });
    expect((await site.press(other.link, { time: "0" })).status).toBe(200);
  });

  test("two that are moved to one time at once don't both go there", async () => {
    const one = await booked(wallIn(30));
    const other = await booked(wallIn(40), { email: "bo@example.com" });
    const owner = await site.owner();
    const moved = await Promise.all(
      [one, other].map(({ id }) => owner.put(pathOf(id), { at: wallIn(60) })),
    );
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

describe("what is to be followed up", () => {
  test("holds calls of the next two weeks with their time, in order with reminders", async () => {
    const far = await booked(wallIn(24 * 15));
    const soon = await booked(wallIn(48), { name: "Bo" });
    const due = await site.sent({ name: "Cy" });
    await site.asOwner("PUT", `/api/form-submissions/${due}/progress`, { remindOn: "2026-01-01" });
    const both = await booked(wallIn(72), { name: "Di" });
    const path = `/api/form-submissions/${both.id}/progress`;
    await site.asOwner("PUT", path, { remindOn: "2026-02-01" });
    const all = await site.asOwner("GET", "/api/follow-ups");
    const told = all.map(({ id, isDue, callAt }: any) => [id, isDue, callAt]);
    expect(told).toEqual([
      [due, true, null],
      [both.id, true, wallIn(72)],
      [soon.id, false, wallIn(48)],
    ]);
    expect(told.flat()).not.toContain(far.id);
    await site.asOwner("DELETE", pathOf(soon.id));
    expect(await site.asOwner("GET", "/api/follow-ups")).toHaveLength(2);
  });
});

describe("the calendar of calls", () => {
  const make = async () => (await site.asOwner("POST", "/api/calls-calendar", {})).path as string;
  const read = (path: string) => site.visitor().get(path);

  test("is there for whoever has its key, until another is made or it is ended", async () => {
    expect(await site.asOwner("GET", "/api/calls-calendar")).toEqual({ since: null });
    for (const path of ["/calls.ics", "/calls.ics?k=", `/calls.ics?k=${"A".repeat(22)}`])
      expect((await read(path)).status).toBe(404);
    const first = await make();
    expect(Buffer.from(first.split("k=")[1]!, "base64url")).toHaveLength(16);
    expect((await read(first)).status).toBe(200);
    const second = await make();
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
    // Nothing of the key is kept.
    const kept = await keptTexts(site.config);
    expect(kept.filter(({ text }) => text.includes(second.split("k=")[1]!))).toEqual([]);
    await site.asOwner("DELETE", "/api/calls-calendar");
    expect((await read(second)).status).toBe(404);
    const reader = await site.loginAs("reader");
    for (const method of ["GET", "POST", "DELETE"] as const)
      expect((await reader.call(method, "/api/calls-calendar")).status).toBe(403);
  });

  test("has each call by name and form, moved ones once, and nothing of the answers", async () => {
    const phone = "+44 7700 900342";
    const call = await booked(wallIn(30), { phone, town: "Leeds" });
    const place = { how: "place", where: "Room 5" };
    const there = await booked(wallIn(40), { name: "Bo Lee", email: "bo@example.com" }, place);
    const off = await booked(wallIn(50), { name: "Cy", email: "cy@example.com" });
    await site.asOwner("PUT", pathOf(there.id), { at: wallIn(20) });
    await site.asOwner("DELETE", pathOf(off.id));
    const { text, headers } = await read(await make());
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const host = new URL(site.url).host;
    expect(
      entriesOf(text).map(({ uid, summary, location, sequence }) => [
        uid,
        summary,
        location,
        sequence,
      ]),
    ).toEqual([
      [`${there.reply}@${host}`, "Bo Lee, Inner name", "Room 5", 1],
      [`${call.reply}@${host}`, "Ann Example, Inner name", null, 0],
    ]);
    expect(text).not.toMatch(/7700|example\.com|Leeds|sing/);
    await site.asOwner("POST", "/api/people/erase", { email: "bo@example.com" });
    expect((await read(await make())).text).not.toContain("Bo Lee");
  });
});
