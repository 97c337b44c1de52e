/** Letters reach their recipients once, when the owner sends them (specification, section 4.20). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { isUnknownMailbox } from "../../../src/server/newsletter/mailRefusals.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";
import { TO_ALL, type LetterSite, startLetterSite, LETTER } from "../../support/letterSite.ts";
import { waitForValue, OWNER } from "../../support/testSite.ts";

const HOUR_MS = 60 * 60 * 1000;
const PHOTO = "tests/fixtures/portraits/collins.jpg";

let letterSite: LetterSite;
beforeAll(async () => {
  letterSite = await startLetterSite();
});
afterAll(() => letterSite.stop());
beforeEach(() => letterSite.reset());

test("a newsletter that is too long after sanitizing is refused with a message", async () => {
  const body = "<".repeat(60_000);
  const { status, body: answer } = await letterSite
    .owner()
    .post("/api/letters", { subject: "News", body });
  expect([status, answer.fields]).toEqual([
    422,
    { body: "This text is too long. The limit is 200 KB, including images." },
  ]);
});

test("a newsletter arrives with the reader's name, its links and pictures, the postal address and an unsubscribe link", async () => {
  await letterSite.addSubscriber("ann@example.com", { name: "Ann O'Hara" });
  await letterSite.addSubscriber("nameless@example.com");
  const id = await letterSite.sendAndWait(await letterSite.createTestedLetter());
  expect(letterSite.listRecipients()).toEqual(["ann@example.com", "nameless@example.com"]);
  const [ann, nameless] = ["ann@example.com", "nameless@example.com"].map((address) =>
    letterSite.server.received.find(({ to }) => to![0]!.address === address)!,
  );
  expect(ann!.subject).toBe("News for Ann O'Hara");
  expect(nameless!.subject).toBe("News for");
  expect(ann!.html).toContain("Hi Ann O&#x27;Hara,");
  expect(nameless!.text).toContain("Hi,\n");
  expect(ann!.html).not.toContain("elsewhere");
  expect(ann!.html).toContain(`src="${letterSite.site.url}/uploads/a.jpg"`);
  expect(ann!.html).toContain(`href="${letterSite.site.url}/coaching"`);
  expect(ann!.text).toContain("12 Lamp Street\nLondon");
  const headers = Object.fromEntries(ann!.headers.map(({ key, value }) => [key, value]));
  expect(headers).toMatchObject({
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "auto-submitted": "auto-generated",
    precedence: "bulk",
  });
  const link = /<(.*)>/.exec(headers["list-unsubscribe"]!)![1]!;
  expect(ann!.text).toContain(link);
  const { pathname, search } = new URL(link);
  expect((await letterSite.site.visitor().post(pathname + search)).status).toBe(200);
  expect((await letterSite.people().findUnique("ann@example.com"))!.status).toBe("unsubscribed");
  expect((await letterSite.people().findUnique("nameless@example.com"))!.status).toBe("active");
  const counts = { total: 2, sent: 2, refused: 0, leftOut: 0, unsubscribed: 1 };
  expect(await letterSite.letter(id)).toMatchObject(counts);
});

test("a newsletter's plain text has a colon before links, as the site's language writes it", async () => {
  await letterSite.addSubscriber("ann@example.com");
  await letterSite.owner().post("/api/site", { language: "fr" });
  await letterSite.sendAndWait(await letterSite.createTestedLetter());
  await letterSite.owner().post("/api/site", { language: "en" });
  const email = letterSite.server.received.find(({ to }) => to![0]!.address === "ann@example.com");
  expect(email!.text).toMatch(/\nSe désinscrire\u00a0: http/);
  expect(email!.text).toMatch(/\S\u00a0: https?:\S+\/coaching\n/);
});

test.skipIf(process.env["TEST_DATABASE_URL"] !== undefined)(
  "nobody gets a newsletter twice if the disk is full and can't store who got it",
  async () => {
    let isReadOnly = false;
    const disk = createFaultyDisk((operation, path) => {
      if (isReadOnly && operation === "write" && path.startsWith(own.site.dataDir))
        throw createDiskError("EROFS");
    }, true);
    const own = await startLetterSite({ disk });
    await own.reset();
    await own.addSubscriber("ann@example.com");
    await own.addSubscriber("ben@example.com");
    const id = await own.createTestedLetter();
    own.server.whenReceived(() => (isReadOnly = true));
    await own.send(id);
    const hasFailed = () => own.site.log.some((line) => line.includes("newsletter failed"));
    await waitForValue(hasFailed, true);
    own.server.whenReceived(undefined);
    isReadOnly = false;
    for (const step of ["pause", "resume"])
      expect((await own.owner().post(`/api/letters/${id}/${step}`)).status).toBe(200); // oxlint-disable-line no-await-in-loop
    await waitForValue(async () => own.readState(id), "sent");
    expect(own.listRecipients()).toEqual(["ann@example.com", "ben@example.com"]);
    expect(await own.letter(id)).toMatchObject({ total: 2, sent: 2, leftOut: 0 });
    await own.stop();
  },
);

test("a newsletter's pictures are sent as JPEG or PNG, at twice their displayed size", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const upload = async (make: (image: Bun.Image) => Bun.Image, name: string) => {
    const bytes = await make(new Bun.Image(await Bun.file(PHOTO).bytes())).bytes();
    const form = new FormData();
    form.set("file", new File([new Uint8Array(bytes)], name));
    return (await letterSite.owner().post("/api/upload", form)).body;
  };
  const wide = await upload((image) => image.resize(1600, 1200).webp({ quality: 80 }), "a.webp");
  const small = await upload((image) => image.resize(300, 225).webp({ quality: 80 }), "b.webp");
  const large = await upload((image) => image.resize(2000, 1500).jpeg({ quality: 80 }), "c.jpg");
  const plain = await upload((image) => image.resize(640, 480).jpeg({ quality: 80 }), "d.jpg");
  const body = [wide, small, large, plain]
    .map(({ url }) => `<p><img src="${url}" alt="" height="90"></p>`)
    .join("");
  await letterSite.sendAndWait(await letterSite.createTestedLetter({ ...LETTER, body }));
  const pictures = [...letterSite.arrived()[0]!.html!.matchAll(/<img[^>]*>/g)].map(([tag]) => tag);
  const expected = [
    ["544", 1088, 816],
    ["300", 300, 225],
    ["544", 1088, 816],
    ["544", 640, 480],
  ] as const;
  for (const [at, [width, ...pixels]] of expected.entries()) {
    const tag = pictures[at]!;
    expect(/ width="(\d+)"/.exec(tag)?.[1]).toBe(width);
    expect(tag).not.toContain("height=");
    const src = / src="([^"]*)"/.exec(tag)![1]!;
    expect(src).toMatch(/\/uploads\/[0-9a-f]{32}(-1088)?\.jpg$/);
    // The second response is the cached file.
    for (const _ of [1, 2]) {
      const response = await fetch(src);
      expect(response.headers.get("content-type")).toBe("image/jpeg");
      const image = await new Bun.Image(await response.bytes()).metadata();
      expect([image.format, image.width, image.height]).toEqual(["jpeg", ...pixels]);
    }
  }
  expect(pictures[3]).toContain(plain.url);
  // Only the format used in messages is served, and the copy is deleted with its picture.
  const copy = `/uploads/${wide.filename.slice(0, 32)}-1088`;
  const visitor = letterSite.site.visitor();
  expect((await visitor.get(`${copy}.png`)).status).toBe(404);
  expect((await letterSite.owner().delete(`/api/uploads/${wide.id}`)).status).toBe(204);
  expect((await visitor.get(`${copy}.jpg`)).status).toBe(404);
});

test("a newsletter omits a reader's typed name if it contains a web address", async () => {
  await letterSite.addSubscriber("ann@example.com", { name: "paypa1-support.com/login" });
  await letterSite.sendAndWait(await letterSite.createTestedLetter());
  const [email] = letterSite.arrived();
  expect(email!.subject).toBe("News for");
  expect(email!.html! + email!.text!).not.toContain("paypa1");
});

test("a newsletter is sent to all active and reachable subscribers, or to a selection by source or day", async () => {
  await letterSite.addSubscriber("all@example.com");
  await letterSite.addSubscriber("coaching@example.com", { source: "coaching" });
  await letterSite.addSubscriber("new@example.com", { subscribedAt: "2026-11-21T10:00:00.000Z" });
  await letterSite.addSubscriber("left@example.com", { status: "unsubscribed" });
  const subscribedAt = new Date().toISOString();
  await letterSite.addSubscriber("pending@example.com", { status: "pending", subscribedAt });
  await letterSite.addSubscriber("gone@example.com", { unreachable: "bounced" });
  for (const [audience, expected] of [
    [TO_ALL, ["all@example.com", "coaching@example.com", "new@example.com"]],
    [{ kind: "source", source: "coaching" }, ["coaching@example.com"]],
    [{ kind: "since", since: "2026-11-21" }, ["new@example.com"]],
  ] as [object, string[]][]) {
    letterSite.server.received.length = 0;
    const counted = await letterSite.owner().post("/api/letters/audience", { audience });
    expect(counted.body).toEqual({ count: expected.length });
    await letterSite.sendAndWait(await letterSite.createTestedLetter(), audience);
    expect(letterSite.listRecipients()).toEqual(expected);
  }
  // The day begins in the owner's zone, here ten hours after London's.
  const site = letterSite.site.store.of(entities.site);
  const { value } = site.read();
  await site.update((each) => ({ ...each, timeZone: "Pacific/Honolulu" }));
  const audience = { kind: "since", since: "2026-11-21" };
  const countSince = async () =>
    (await letterSite.owner().post("/api/letters/audience", { audience })).body.count;
  expect(await countSince()).toBe(1);
  await letterSite.addSubscriber("evening@example.com", {
    subscribedAt: "2026-11-21T09:59:59.999Z",
  });
  expect(await countSince()).toBe(1);
  await letterSite.addSubscriber("morning@example.com", {
    subscribedAt: "2026-11-21T10:00:00.000Z",
  });
  expect(await countSince()).toBe(2);
  await site.update(() => value);
  const { body } = await letterSite.owner().get("/api/letters");
  expect(body).toMatchObject({ active: 5, pending: 1, unsubscribed: 1, unreachable: 1 });
});

test("a preview is the newsletter as it is sent, and stores nothing", async () => {
  const letters = async () => (await letterSite.owner().get("/api/letters")).body.letters.length;
  const before = await letters();
  const words = { subject: "News", body: "<p>Hi {first name},</p><script>forbidden()</script>" };
  const { status, body } = await letterSite.owner().post("/api/letters/preview", words);
  expect([status, body.size]).toEqual([200, Buffer.byteLength(body.html)]);
  expect(body.html).toMatch(/Hi \w+,/);
  expect(body.html).toContain("12 Lamp Street");
  expect(body.html).not.toContain("forbidden");
  const wrong = await letterSite.owner().post("/api/letters/preview", { subject: 7 });
  expect([wrong.status, wrong.body.code]).toEqual([422, "invalid"]);
  expect(await letters()).toBe(before);
});

test("a scheduled newsletter can't be deleted; a canceled one can be deleted and restored", async () => {
  const owner = letterSite.owner();
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  const path = `/api/letters/${id}`;
  await letterSite.send(id, TO_ALL, new Date(Date.now() + HOUR_MS).toISOString());
  const early = await owner.delete(path);
  expect(early.body.error).toBe(
    "This newsletter is scheduled. Unschedule it before you delete it.",
  );
  await owner.post(`${path}/cancel`);
  expect((await owner.delete(path)).status).toBe(204);
  expect([(await owner.get(path)).status, (await owner.delete(path)).status]).toEqual([404, 404]);
  expect((await owner.post(`/api/bin/${id}/restore`)).status).toBe(200);
  expect((await owner.get(path)).body).toMatchObject({ state: "draft" });
});

test("a newsletter's text that somebody else changed meanwhile isn't overwritten", async () => {
  const owner = letterSite.owner();
  const path = `/api/letters/${await letterSite.createTestedLetter()}`;
  const { headers, body: before } = await owner.get(path);
  const put = (words: object, seen: Headers) =>
    owner.put(path, words, { "if-match": seen.get("etag")! });
  // A test message changes neither the text nor its ETag.
  await owner.post(`${path}/test`, {});
  const first = await put({ subject: "One" }, headers);
  expect(first.status).toBe(200);
  const second = await put({ preview: "Two" }, headers);
  expect(second.status).toBe(412);
  expect(second.body.current).toMatchObject({ subject: "One", preview: before.preview });
  const seen = await put({ preview: "Two" }, first.headers);
  expect(seen.status).toBe(200);
  expect((await owner.get(path)).body).toMatchObject({ subject: "One", preview: "Two" });
});

test("without a test, a postal address, text or recipients a newsletter is refused with the reason", async () => {
  const { body: empty } = await letterSite.owner().post("/api/letters", {});
  const why = async (id: string) => (await letterSite.send(id)).body.error;
  expect(await why(empty.id)).toBe("This newsletter has no recipients. Choose a different group.");
  await letterSite.addSubscriber("ann@example.com");
  expect(await why(empty.id)).toBe("Add a subject first.");
  await letterSite.owner().put(`/api/letters/${empty.id}`, { subject: "News" });
  expect(await why(empty.id)).toBe("Write the newsletter first.");
  await letterSite.owner().put(`/api/letters/${empty.id}`, { body: "<p>Hi</p>" });
  expect(await why(empty.id)).toBe("Send yourself a test first, and check it.");
  const tested = await letterSite.owner().post(`/api/letters/${empty.id}/test`, {});
  expect(tested.body.tested.to.toLowerCase()).toBe(OWNER.email.toLowerCase());
  const subjects = letterSite.server.received.map(({ subject }) => subject!);
  expect(subjects.filter((subject) => subject.startsWith("Test"))).toEqual(["Test: News"]);
  // A changed text has to be tested again.
  await letterSite.owner().put(`/api/letters/${empty.id}`, { subject: "Other news" });
  expect(await why(empty.id)).toBe("Send yourself a test first, and check it.");
  // A test is sent without the postal address, the letter isn't.
  await letterSite.owner().post("/api/letters/settings", { postalAddress: " " });
  expect((await letterSite.owner().post(`/api/letters/${empty.id}/test`, {})).status).toBe(200);
  expect(await why(empty.id)).toBe(
    "Enter your postal address first. The law requires it in every newsletter.",
  );
  expect(await letterSite.readState(empty.id)).toBe("draft");
});

test("a scheduled newsletter waits for its time, and can be canceled until then", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  const at = new Date(Date.now() + HOUR_MS).toISOString();
  expect((await letterSite.send(id, TO_ALL, "2020-01-01T00:00:00Z")).status).toBe(422);
  expect((await letterSite.send(id, TO_ALL, at)).body).toMatchObject({
    state: "scheduled",
    sendAt: at,
  });
  const changed = await letterSite.owner().put(`/api/letters/${id}`, { subject: "x" });
  expect([changed.status, changed.body.error]).toEqual([
    409,
    "Only drafts can be changed. Reload the page.",
  ]);
  expect((await letterSite.send(id, TO_ALL, at)).body.error).toBe(
    "Only drafts can be sent. Reload the page.",
  );
  expect((await letterSite.owner().post(`/api/letters/${id}/cancel`)).body.state).toBe("draft");
  await letterSite.send(id, TO_ALL, at);
  const other = await letterSite.createTestedLetter();
  letterSite.site.advance(HOUR_MS + 1000);
  await letterSite.logInAgain();
  // Any check finds the due letter: that of another letter, or that of every 15 seconds.
  await letterSite.send(other);
  await waitForValue(() => letterSite.readState(id), "sent");
  await waitForValue(() => letterSite.readState(other), "sent");
  expect(letterSite.arrived().length).toBe(2);
});

test("a clock that jumps ahead doesn't send a scheduled newsletter, nor delay a newsletter that is sent now", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  await letterSite.send(id, TO_ALL, new Date(Date.now() + 72 * HOUR_MS).toISOString());
  letterSite.site.setUntrustedOffset(30 * 24 * HOUR_MS);
  await letterSite.logInAgain();
  await letterSite.sendAndWait(await letterSite.createTestedLetter());
  expect(await letterSite.readState(id)).toBe("scheduled");
  letterSite.site.setUntrustedOffset(0);
  await letterSite.logInAgain();
  expect((await letterSite.owner().post(`/api/letters/${id}/cancel`)).status).toBe(200);
});

test("a permanently refused recipient is listed, and is marked as unreachable", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  letterSite.server.refuseRecipients(550);
  await letterSite.sendAndWait(id);
  const problem = "The mail server rejected this recipient's address.";
  const troubles = [{ to: "ann@example.com", state: "refused", problem }];
  expect(await letterSite.letter(id)).toMatchObject({ sent: 0, refused: 1, troubles });
  expect((await letterSite.people().findUnique("ann@example.com"))!.unreachable).toBe("bounced");
});

test("ten temporary refusals in a row pause a newsletter, and all its recipients get it after it is resumed", async () => {
  for (let at = 0; at < 12; at++) await letterSite.addSubscriber(`p${at}@example.com`);
  const id = await letterSite.createTestedLetter();
  letterSite.server.refuseRecipients(450);
  await letterSite.send(id);
  await waitForValue(() => letterSite.readState(id), "paused");
  expect((await letterSite.letter(id)).problem).toStartWith(
    "The mail server rejected ten messages in a row",
  );
  expect((await letterSite.people().findUnique("p0@example.com"))!.unreachable).toBeNull();
  letterSite.server.refuseRecipients(undefined);
  letterSite.site.advance(2 * 60_000);
  expect((await letterSite.owner().post(`/api/letters/${id}/resume`)).status).toBe(200);
  await waitForValue(() => letterSite.readState(id), "sent");
  expect(letterSite.listRecipients()).toEqual(
    Array.from({ length: 12 }, (_, at) => `p${at}@example.com`).toSorted(),
  );
  expect(await letterSite.letter(id)).toMatchObject({
    total: 12,
    sent: 12,
    refused: 0,
    troubles: [],
  });
});

test("a newsletter's list of recipients is deleted with it, even if a kill interrupts the deletion", async () => {
  const progress = letterSite.site.store.of(entities.letterProgress);
  const rows = letterSite.site.store.of(entities.letterRecipients);
  const left = async (id: string) => [
    progress.read().value.filter((each) => each.id === id).length,
    (await rows.readKeys({ letterId: id })).length,
  ];
  for (let at = 0; at < 10; at++) await letterSite.addSubscriber(`p${at}@example.com`); // oxlint-disable-line no-await-in-loop -- in this order
  const id = await createPausedLetter();
  expect(await left(id)).toEqual([1, 10]);
  const remaining = await Array.fromAsync(rows.scan({ where: { letterId: id } }));
  const noted = progress.read().value.filter((each) => each.id === id);
  expect((await letterSite.owner().delete(`/api/letters/${id}`)).status).toBe(204);
  expect(await left(id)).toEqual([0, 0]);
  // The state that a kill between writes leaves, of this letter and of a sent letter.
  letterSite.server.refuseRecipients(undefined);
  const sent = await letterSite.sendAndWait(await letterSite.createTestedLetter());
  await letterSite.site.letters.sender.whenIdle();
  const [row] = remaining;
  await rows.insert(row!);
  await rows.insert({ ...row!, id: Bun.randomUUIDv7(), letterId: sent, state: "waiting" });
  await progress.update((list) => [...list, ...noted, { ...noted[0]!, id: sent }]);
  letterSite.site.letters.sender.sendDue();
  await letterSite.site.letters.sender.whenIdle();
  expect([...(await left(id)), ...(await left(sent))]).toEqual([0, 0, 0, 0]);
});

/** Sends a letter that ten refusals in a row pause. */
async function createPausedLetter(): Promise<string> {
  const { body } = await letterSite.owner().post("/api/letters", LETTER);
  letterSite.server.respondToRecipients((to) =>
    to.startsWith("p") ? "450 4.2.1 busy" : undefined,
  );
  expect((await letterSite.owner().post(`/api/letters/${body.id}/test`, {})).status).toBe(200);
  await letterSite.send(body.id);
  await waitForValue(() => letterSite.readState(body.id), "paused");
  return body.id;
}

test("a paused newsletter is not sent, and later omits people who have unsubscribed or were erased", async () => {
  for (let at = 0; at < 20; at++) await letterSite.addSubscriber(`p${at}@example.com`);
  const id = await letterSite.createTestedLetter();
  // The fourth message is in flight until the pause holds, however fast the others are.
  const paused = Promise.withResolvers<void>();
  letterSite.server.whenReceived(() =>
    letterSite.arrived().length === 4 ? paused.promise : undefined,
  );
  await letterSite.send(id);
  await waitForValue(() => letterSite.arrived().length, 4);
  expect((await letterSite.owner().post(`/api/letters/${id}/pause`)).status).toBe(200);
  letterSite.server.whenReceived(undefined);
  paused.resolve();
  await letterSite.site.letters.sender.whenIdle();
  const fresh = await letterSite.site.logInAsOwner();
  const erased = await fresh.post("/api/people/erase", { email: "p19@example.com" });
  expect(erased.body).toMatchObject({ subscriptions: 1 });
  await letterSite
    .people()
    .updateUnique("p18@example.com", (row) => ({ ...row, status: "unsubscribed" }));
  expect(letterSite.arrived().length).toBe(4);
  await letterSite.owner().post(`/api/letters/${id}/resume`);
  await waitForValue(() => letterSite.readState(id), "sent");
  expect(letterSite.listRecipients()).toHaveLength(18);
  expect(new Set(letterSite.listRecipients()).size).toBe(18);
  expect(await letterSite.letter(id)).toMatchObject({ total: 20, sent: 18, leftOut: 2 });
});

test("a newsletter that is more than two days late is paused instead of sent", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  await letterSite.send(id, TO_ALL, new Date(Date.now() + 48 * HOUR_MS).toISOString());
  letterSite.site.advance(5 * 24 * HOUR_MS);
  await letterSite.logInAgain();
  const other = await letterSite.createTestedLetter();
  await letterSite.send(other);
  await waitForValue(() => letterSite.readState(id), "paused");
  await waitForValue(() => letterSite.readState(other), "sent");
  expect(letterSite.arrived().length).toBe(1);
  await letterSite.owner().post(`/api/letters/${id}/resume`);
  await waitForValue(() => letterSite.readState(id), "sent");
  expect(letterSite.arrived().length).toBe(2);
});

test("a newsletter becomes a public page only if the owner publishes it", async () => {
  await letterSite.addSubscriber("ann@example.com", { name: "Annabel" });
  const id = await letterSite.sendAndWait(await letterSite.createTestedLetter());
  const page = (path: string) => letterSite.site.visitor().get(path);
  const both = ["/letters", `/letters/${id}`];
  const statuses = () => Promise.all(both.map(async (path) => (await page(path)).status));
  expect(await statuses()).toEqual([404, 404]);
  await letterSite.owner().post(`/api/letters/${id}/publish`, { isPublic: true });
  expect(await statuses()).toEqual([404, 404]);
  const linkedFrom = async (path: string) => (await page(path)).text.includes(">Newsletters</a>");
  const isInSitemap = async () => (await page("/sitemap.xml")).text.includes("/letters<");
  expect([await linkedFrom("/"), await isInSitemap()]).toEqual([false, false]);
  await letterSite.owner().post("/api/letters/settings", { archive: true });
  expect(await statuses()).toEqual([200, 200]);
  for (const path of ["/", "/coaching"]) expect(await linkedFrom(path)).toBe(true);
  expect(await isInSitemap()).toBe(true);
  expect((await page("/letters")).text).toContain(`href="/letters/${id}"`);
  const { text, headers } = await page(`/letters/${id}`);
  expect(text).toContain('<h1 dir="auto">News for</h1>');
  expect(text).toContain("<p>Hi,</p>");
  expect(text).toContain('href="/coaching"');
  expect(text).not.toMatch(/first name|Annabel|elsewhere|unsubscribe/);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  await letterSite.owner().post(`/api/letters/${id}/publish`, { isPublic: false });
  expect(await statuses()).toEqual([200, 404]);
  const draft = await letterSite.createTestedLetter();
  await letterSite.owner().post(`/api/letters/${draft}/publish`, { isPublic: true });
  expect((await page(`/letters/${draft}`)).status).toBe(404);
});

test("only a missing mailbox makes an email address unreachable, not a full mailbox or a blocked sender", () => {
  const missing = ["550 5.1.1 no such user", "550 No such mailbox here", "550 5.2.1 disabled"];
  const existing = ["552 5.2.2 mailbox full", "550 5.7.1 blocked", "554 5.7.509 DMARC", null];
  expect(missing.map((response) => isUnknownMailbox({ response }))).toEqual(
    missing.map(() => true),
  );
  expect(existing.map((response) => isUnknownMailbox({ response }))).toEqual(
    existing.map(() => false),
  );
});

// Last, since nothing can be sent afterwards.
test("a stop of the site interrupts a hanging newsletter, and the current recipient counts as not tried", async () => {
  await letterSite.addSubscriber("ann@example.com");
  const id = await letterSite.createTestedLetter();
  const sending = Promise.withResolvers<void>();
  letterSite.server.simulateFailure("silent");
  letterSite.server.whenReceived(sending.resolve);
  await letterSite.send(id);
  await sending.promise;
  letterSite.site.mail.setShutdownDeadline(0);
  await letterSite.site.letters.stop();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", problem: null });
  const recipients = letterSite.site.store
    .of(entities.letterRecipients)
    .scan({ where: { letterId: id } });
  expect(await Array.fromAsync(recipients)).toMatchObject([{ state: "waiting", attempts: 0 }]);
});
