/** Suggested times: from the reply to the call that both sides know about (specification, section 4.21). */
import { beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { startCallSite, readCalendarEntry, getWallTimeIn } from "../../support/callSite.ts";
import { forgeTokens, findOpenedTokens } from "../../support/forgedTokens.ts";
import { OWNER, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startCallSite);
const OWNER_EMAIL = OWNER.email;
const ANN_EMAIL = "ann@example.com";
const stripComments = (html: string) => html.replaceAll("<!-- -->", "");

beforeEach(() => site.clear());

describe("a reply with suggested times", () => {
  test("stores the times with the enquiry, and mails a link for each with its time zone", async () => {
    const { id, reply } = await site.sendAndSuggest(["2027-03-28T20:00", "2027-03-14T20:00"], {
      country: "Germany",
    });
    const [stored] = (await site.getEnquiry(id)).replies;
    const where = { how: "call", text: "" } as const;
    expect(stored!.offers).toEqual([
      { at: "2027-03-14T20:00", zone: "Europe/London", minutes: 30, where },
      { at: "2027-03-28T20:00", zone: "Europe/London", minutes: 30, where },
    ]);
    const [email] = await site.waitForMessages("A call", ANN_EMAIL);
    const link = site.linkOf(id, reply);
    expect(email!.html).toContain(`href="${site.url}${link}&amp;at=0"`);
    for (const words of [
      `Sunday 14 March 2027, 20:00: ${site.url}${link}&at=0`,
      `Sunday 28 March 2027, 20:00: ${site.url}${link}&at=1`,
      "Vera Lind will call you.",
      "London time, GMT+00:00\n21:00 in Berlin",
      "London time, GMT+01:00\n21:00 in Berlin",
    ])
      expect(email!.text).toContain(words);
    await site.sendAndSuggest([getWallTimeIn(30)], { email: "bo@example.com" });
    const [one] = await site.waitForMessages("A call", "bo@example.com");
    expect(one!.text).toMatch(/Times are shown in London time, GMT\+0\d:00\./);
  });

  test("says whether owner and visitor meet by phone, online or at a place", async () => {
    const phone = "+44 7700 900342";
    const called = await site.sendAndSuggest([getWallTimeIn(30)], { phone });
    const where = { how: "call", text: phone };
    expect((await site.getEnquiry(called.id)).replies).toMatchObject([{ offers: [{ where }] }]);
    const pageOf = async (more: object) =>
      (await site.visitor().get((await site.sendAndSuggest([getWallTimeIn(30)], {}, more)).link))
        .text;
    const online = await pageOf({ how: "online", where: "https://meet.example/vera", minutes: 45 });
    for (const expected of ["45 minutes", "https://meet.example/vera"])
      expect(online).toContain(expected);
    expect(await pageOf({ how: "place", where: "Café <Nero>" })).toContain("Café &lt;Nero&gt;");
  });

  const SIX_TIMES = [1, 2, 3, 4, 5, 6].map((hour) => getWallTimeIn(30 + hour));
  const createPlace = (where: string) => ({ at: [getWallTimeIn(30)], how: "place", where });
  const ONLINE = { at: [getWallTimeIn(30)], how: "online", where: "http://meet.example" };
  test.each<[object, object]>([
    [{ at: ["2001-03-14T20:00"] }, { "at.0": "This time has passed. Choose a later one." }],
    [{ at: [getWallTimeIn(30), "20:00"] }, { "at.1": "Enter a date such as March 14, 2027." }],
    [{ at: [getWallTimeIn(30), "2027-03-14T25:00"] }, { "at.1": "Enter a time such as 20:00." }],
    [{ at: [getWallTimeIn(30), getWallTimeIn(30)] }, { "at.1": "This time is listed twice." }],
    [{ at: SIX_TIMES }, { at: "Suggest at most five times." }],
    [{ at: [getWallTimeIn(30)], minutes: 20 }, { minutes: "Choose one of the options." }],
    [{ at: [getWallTimeIn(30)], how: "pigeon" }, { how: "Choose one of the options." }],
    [ONLINE, { where: "Enter a full link that starts with https://." }],
    [createPlace(" "), { where: "This can't be empty." }],
    [createPlace("x".repeat(121)), { where: "Use at most 120 characters." }],
  ])("is refused with the values %j, and nothing is stored", async (more, fields) => {
    const id = await site.sent();
    const owner = await site.owner();
    const path = `/api/form-submissions/${id}/replies`;
    const refused = await owner.post(path, { subject: "A call", text: "When?", ...more });
    expect([refused.status, refused.body.fields]).toEqual([422, fields]);
    expect((await site.getEnquiry(id)).replies).toEqual([]);
  });

  test("moves times skipped by a clock change an hour ahead, and uses the first of two repeated hours", async () => {
    // London, 28 March 2027 at 1:00 and 31 October 2027 at 2:00.
    const { link } = await site.sendAndSuggest(["2027-03-28T01:30", "2027-10-31T01:30"]);
    const html = stripComments((await site.visitor().get(link)).text);
    expect(html).toContain("Sunday 28 March 2027, 02:30</b><small>London time, GMT+01:00");
    expect(html).toContain("Sunday 31 October 2027, 01:30</b><small>London time, GMT+01:00");
  });

  test("is refused while three such replies are open, or while a call is booked", async () => {
    const id = await site.sent();
    for (const hours of [30, 40, 50]) await site.suggest(id, [getWallTimeIn(hours)]);
    const owner = await site.owner();
    const path = `/api/form-submissions/${id}/replies`;
    const more = () =>
      owner.post(path, { subject: "A call", text: "When?", at: [getWallTimeIn(60)] });
    const refused = await more();
    expect([refused.status, refused.body.error]).toEqual([
      409,
      "Three replies with suggested times are still waiting for an answer. Send this one without times.",
    ]);
    expect((await owner.get(path)).body.times.refusal).toBe(refused.body.error);
    // A reply without times is sent too.
    expect((await owner.post(path, { subject: "A", text: "B" })).status).toBe(201);
    const { replies } = await site.getEnquiry(id);
    await site.pressButton(site.linkOf(id, replies[0]!.id), { time: "0" });
    expect((await more()).body.error).toBe(
      "A call with this person is already booked. Reschedule or cancel it first.",
    );
  });

  test("shows the owner beforehand which times are suggested to others or booked", async () => {
    await site.sendAndSuggest([getWallTimeIn(30)], { name: "Ana Lopez" }, { minutes: 60 });
    const booked = await site.sendAndSuggest([getWallTimeIn(40), getWallTimeIn(41)], {
      name: "Dev",
    });
    await site.pressButton(booked.link, { time: "1" });
    const id = await site.sent();
    const { times } = (await (await site.owner()).get(`/api/form-submissions/${id}/replies`)).body;
    expect(times).toEqual({
      zone: "Europe/London",
      number: "",
      taken: [
        { at: getWallTimeIn(30), minutes: 60, who: "Ana" },
        { at: getWallTimeIn(41), minutes: 30, who: "Dev" },
      ],
      refusal: null,
    });
  });
});

describe("choosing a suggested time", () => {
  test("books the call, ends the other replies and mails visitor and owner a calendar file", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30), getWallTimeIn(31)], {
      phone: "+44 7700 900342",
      country: "Germany",
    });
    const other = await site.suggest(id, [getWallTimeIn(50)]);
    const chosen = await site.pressButton(link, { time: "1" });
    expect(chosen.status).toBe(200);
    expect(stripComments(chosen.text)).toMatch(
      /<h1 dir="auto">You&#x27;re booked for \w+ \d+ \w+( \d+)?, \d\d:00\.<\/h1>/,
    );
    const after = await site.getEnquiry(id);
    expect(after).toMatchObject({ stage: "booked", status: "reviewed" });
    expect(after.booked).toMatchObject({
      at: getWallTimeIn(31),
      zone: "Europe/London",
      sequence: 0,
    });
    expect(after.replies.map(({ ended }) => ended)).toEqual(["chosen", "closed"]);
    // Every link of this reply is used up, also the second time, and permanently.
    for (const again of [link, site.linkOf(id, other)])
      for (const answer of [
        await site.visitor().get(again),
        await site.pressButton(again, { time: "0" }),
      ])
        expect(stripComments(answer.text)).toContain('<h1 dir="auto">You&#x27;re booked for ');
    expect((await site.getEnquiry(id)).booked).toEqual(after.booked);

    const [visitorMail] = await site.waitForMessages("Your call with Vera Lind", ANN_EMAIL);
    const [ours] = await site.waitForMessages(/^Ann chose .* · Vera Lind$/, OWNER_EMAIL);
    const start = Temporal.PlainDateTime.from(getWallTimeIn(31)).toZonedDateTime("Europe/London");
    const shared = {
      method: "PUBLISH",
      uid: `${after.booked!.id}@${new URL(site.url).host}`,
      sequence: 0,
      status: "CONFIRMED",
      start: new Date(start.epochMilliseconds).toISOString(),
      end: new Date(start.epochMilliseconds + 1_800_000).toISOString(),
    };
    expect(readCalendarEntry(visitorMail!)).toMatchObject({
      ...shared,
      summary: "Your call with Vera Lind",
    });
    expect(readCalendarEntry(ours!)).toMatchObject({
      ...shared,
      summary: "Ann Example, Inner name",
    });
    expect(readCalendarEntry(ours!).text).toMatch(/DTSTART:\d{8}T\d{6}Z/);
    expect(visitorMail!.text).toContain("Vera Lind will call you at +44 7700 900342.");
    for (const expected of [visitorMail!.text, chosen.text])
      expect(expected).toMatch(/\d\d:00 in Berlin/);
    expect(ours!.text).toContain("Call them at +44 7700 900342.");
    expect(ours!.replyTo![0]!.address).toBe(ANN_EMAIL);
    expect(site.server.received.filter(({ attachments }) => attachments.length > 0)).toHaveLength(
      2,
    );
  });

  test("is refused if the time is missing or unknown", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    for (const fields of [{}, { time: "" }, { time: "1" }, { time: "-1" }, { time: "0x0" }]) {
      const { status, text: page } = await site.pressButton(link, fields as Record<string, string>);
      expect([status, page.includes("Choose one of the options.")]).toEqual([422, true]);
    }
    expect((await site.getEnquiry(id)).booked).toBeNull();
  });

  test("is refused if it overlaps another booked call, and the page no longer offers the time", async () => {
    const one = await site.sendAndSuggest(
      [getWallTimeIn(30), getWallTimeIn(33)],
      {},
      { minutes: 60 },
    );
    const half = `${getWallTimeIn(30).slice(0, 14)}30`;
    const other = await site.sendAndSuggest([half, getWallTimeIn(31)], {
      name: "Bo",
      email: "bo@example.com",
    });
    expect((await site.pressButton(one.link, { time: "0" })).status).toBe(200);
    const page = stripComments((await site.visitor().get(other.link)).text);
    expect(page.match(/<input[^>]*type="radio"/g)).toHaveLength(1);
    const late = await site.pressButton(other.link, { time: "0" });
    expect(late.status).toBe(409);
    expect(late.text).toContain("That time is no longer available. Please choose another.");
    // A call may begin when another one ends.
    expect((await site.pressButton(other.link, { time: "1" })).status).toBe(200);
    const third = await site.sendAndSuggest([half], { name: "Cy" });
    expect((await site.visitor().get(third.link)).text).toContain(
      "None of these times are available anymore.",
    );
  });

  test("books one call for ten simultaneous clicks, and only one for ten people who choose the same time", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30), getWallTimeIn(31)]);
    const pressed = await Promise.all(
      Array.from({ length: 10 }, (_, at) => site.pressButton(link, { time: String(at % 2) })),
    );
    const titles = new Set(pressed.map((answer) => /<h1[^>]*>(.*?)<\/h1>/.exec(answer.text)![1]));
    expect([...titles]).toEqual([expect.stringMatching(/^You(?:'|&#x27;)re booked for/)]);
    expect(await site.store.of(entities.outbox).count({ kind: "call" })).toBe(2);
    expect((await site.getEnquiry(id)).booked).not.toBeNull();

    const many = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        site.sendAndSuggest([getWallTimeIn(60)], { name: `P ${at}`, email: `p${at}@example.com` }),
      ),
    );
    const answers = await Promise.all(
      many.map((each) => site.pressButton(each.link, { time: "0" })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const all = await Promise.all(many.map((each) => site.getEnquiry(each.id)));
    expect(all.filter(({ booked }) => booked !== null)).toHaveLength(1);
  });
});

describe("the answer that no time suits", () => {
  test("is stored once with the visitor's note, and reported to the owner", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    const answer = await site.pressButton(link, { none: "1", line: " Only on Mondays. " });
    expect([answer.status, answer.text.includes('<h1 dir="auto">Thank you</h1>')]).toEqual([
      200,
      true,
    ]);
    await site.pressButton(link, { none: "1", line: "Again" });
    await site.pressButton(link, { time: "0" });
    expect(await site.getEnquiry(id)).toMatchObject({
      booked: null,
      stage: "talking",
      callsUntil: null,
      notes: [{ by: "Ann", text: 'None of the suggested times work. "Only on Mondays."' }],
      replies: [{ ended: "declined" }],
    });
    const [message] = await site.waitForMessages(
      "None of your times work for Ann · Vera Lind",
      OWNER_EMAIL,
    );
    expect(message!.text).toContain("> Only on Mondays.");
    expect(await site.store.of(entities.outbox).count({ kind: "call" })).toBe(1);
  });

  test("is refused if the visitor's note is too long or has control characters, and the page keeps the note", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    const line = `${"x".repeat(5990)} THE END`;
    const long = await site.pressButton(link, { none: "1", line });
    expect([long.status, long.text.includes("Use at most 300 characters.")]).toEqual([422, true]);
    expect(long.text).toContain(`>${line}</textarea>`);
    expect(long.text).toContain("5998 / 300");
    const hidden = await site.pressButton(link, { none: "1", line: "a\u0007b" });
    expect(hidden.status).toBe(422);
    expect((await site.pressButton(link, { none: "1", line: "x".repeat(66_000) })).status).toBe(
      413,
    );
    expect((await site.getEnquiry(id)).notes).toEqual([]);
  });
});

test("a line break in a visitor's note counts as one character, although browsers send two", async () => {
  const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
  const line = Array.from({ length: 150 }, () => "x").join("\r\n");
  expect((await site.pressButton(link, { none: "1", line: `${line}\r\nxx` })).status).toBe(422);
  expect((await site.pressButton(link, { none: "1", line })).status).toBe(200);
  expect((await site.getEnquiry(id)).notes[0]!.text).toContain(
    `"${line.replaceAll("\r\n", "\n")}"`,
  );
});

describe("the link to suggested times", () => {
  test("changes nothing when it is opened, since some programs open the links in messages", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30), getWallTimeIn(31)]);
    const before = await site.getEnquiry(id);
    const messages = await site.store.of(entities.outbox).count();
    const page = await site.visitor().get(link);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    for (const agent of ["GoogleImageProxy", "WhatsApp/2.23.20.0", "HeadlessChrome/131.0.0.0"])
      for (const method of ["GET", "HEAD", "OPTIONS"] as const)
        for (const path of [link, `${link}&at=1`, `${link}&time=1`, `${link}&none=1`])
          await site.visitor().call(method, path, undefined, { "user-agent": agent });
    expect(await site.getEnquiry(id)).toEqual(before);
    expect(await site.store.of(entities.outbox).count()).toBe(messages);
    expect((await site.visitor().call("HEAD", link)).status).toBe(200);
  });

  test("opens a page without scripts and pictures, on which the chosen time is selected", async () => {
    const { link } = await site.sendAndSuggest([getWallTimeIn(30), getWallTimeIn(31)]);
    const page = (await site.visitor().get(`${link}&at=1`)).text;
    expect(page).toMatch(/<input type="radio" required="" name="time" checked="" value="1"\/>/);
    expect(page).not.toMatch(/<script|<img|checked="" value="0"/);
  });

  test("works for browsers that send the Origin null because of the page's referrer policy", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    expect((await site.pressButton(link, { time: "0" }, { origin: "null" })).status).toBe(200);
    expect((await site.getEnquiry(id)).stage).toBe("booked");
  });

  test("opens nothing and books no call if it is forged", async () => {
    const { id, reply, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    const other = await site.sendAndSuggest([getWallTimeIn(40)], { email: "bo@example.com" });
    const token = link.split("t=")[1]!;
    const forged = [
      ...forgeTokens(token, `${id}.${reply}`),
      "",
      `${id}.${reply}`,
      `${id}.${reply}.`,
      // A token of another reply, with this one's id.
      `${other.id}.${other.reply}.${token.split(".")[2]}`,
      `${id}.${other.reply}.${token.split(".")[2]}`,
      site.store.siteId,
      "..",
      token.toUpperCase(),
    ];
    const open = (each: string, at: number) =>
      at % 2 === 0
        ? site.pressButton(`/times?t=${each}`, { time: "0" })
        : site.visitor().get(`/times?t=${each}`);
    expect(await findOpenedTokens(forged, open)).toEqual([]);
    expect([(await site.getEnquiry(id)).booked, (await site.getEnquiry(other.id)).booked]).toEqual([
      null,
      null,
    ]);
  }, 120_000);

  test("ends when the enquiry is deleted or the person is erased", async () => {
    const binned = await site.sendAndSuggest([getWallTimeIn(30)]);
    const owner = await site.owner();
    await owner.delete(`/api/form-submissions/${binned.id}`);
    const erased = await site.sendAndSuggest([getWallTimeIn(30)], { email: "eve@example.com" });
    await site.asOwner("POST", "/api/people/erase", { email: "eve@example.com" });
    for (const { link } of [binned, erased])
      for (const { status, text: page } of [
        await site.visitor().get(link),
        await site.pressButton(link, { time: "0" }),
      ])
        expect([status, page.includes("This link no longer works")]).toEqual([410, true]);
  });
});
