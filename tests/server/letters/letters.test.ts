/** Letters go to whom they are meant for, once, at the owner's word (specification, section 4.20). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { NEVER_WRITTEN_TO } from "../../../src/schema/visitors.ts";
import { isAddressGone } from "../../../src/server/letters/mailRefusal.ts";
import type { Client } from "../../support/client.ts";
import { type MailServer, startMailServer } from "../../support/mailServer.ts";
import { freePort } from "../../support/program.ts";
import { OWNER } from "../../support/site.ts";
import { type Site, startSite } from "../../support/startSite.ts";
import { eventually } from "../../support/waits.ts";

const HOUR = 60 * 60 * 1000;

let site: Site;
let server: MailServer;
let owner: Client;
beforeAll(async () => {
  server = await startMailServer({ login: false, plain: true });
  const port = freePort();
  site = await startSite({
    port,
    env: {
      RATE_LIMIT: "off",
      SITE_URL: `http://127.0.0.1:${port}`,
      MAIL_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: "Vera <site@example.com>",
    },
  });
  owner = await site.owner();
});
afterAll(() => Promise.all([site.stop(), server.stop()]));

const people = () => site.store.of(entities.emailSubscriptions);
beforeEach(async () => {
  await people().deleteWhere({});
  server.refuse(undefined);
  server.taken.length = 0;
  await owner.post("/api/letters/settings", { postalAddress: "12 Lamp Street\nLondon" });
});

const add = (email: string, more: object = {}) =>
  people().insert({
    ...NEVER_WRITTEN_TO,
    written: [],
    id: Bun.randomUUIDv7(),
    email,
    name: null,
    status: "active",
    source: "website",
    subscribedAt: "2026-11-20T10:00:00.000Z",
    ipAddress: null,
    userAgent: null,
    ...more,
  });
const WORDS = {
  subject: "News for {first name}",
  preview: "One evening",
  body: '<p>Hi {first name},</p><p>come <b>soon</b>.</p><p><img src="https://elsewhere.example/spy.gif" alt=""><img src="/uploads/a.jpg" alt="A stage"></p>',
  buttonText: "Keep me a seat",
  buttonLink: "/coaching",
};
/** A letter that was tested. */
async function ready(words: object = WORDS): Promise<string> {
  const { body } = await owner.post("/api/letters", words);
  const { status } = await owner.post(`/api/letters/${body.id}/test`, {});
  expect(status).toBe(200);
  server.taken.length = 0;
  return body.id;
}
const ALL = { kind: "all" };
const send = (id: string, audience: object = ALL, at?: string) =>
  owner.post(`/api/letters/${id}/send`, { audience, ...(at && { at }) });
const letter = async (id: string) => (await owner.get(`/api/letters/${id}`)).body;
const stateOf = async (id: string) => (await letter(id)).state;
/** Of letters: the owner is told of logins meanwhile. */
const arrived = () => server.taken.filter(({ to }) => to![0]!.address !== OWNER.email);
const receivers = () =>
  arrived()
    .map(({ to }) => to![0]!.address!)
    .toSorted();

test("a letter comes as it was written: name, button, pictures of this site, postal address, the way out", async () => {
  await add("ann@example.com", { name: "Ann <b>" });
  await add("nameless@example.com");
  const id = await ready();
  expect((await send(id)).status).toBe(200);
  await eventually(() => stateOf(id), "sent");
  expect(receivers()).toEqual(["ann@example.com", "nameless@example.com"]);
  const [ann, nameless] = ["ann@example.com", "nameless@example.com"].map((address) =>
    server.taken.find(({ to }) => to![0]!.address === address)!,
  );
  expect(ann!.subject).toBe("News for Ann <b>");
  expect(nameless!.subject).toBe("News for");
  expect(ann!.html).toContain("Hi Ann &lt;b&gt;,");
  expect(nameless!.text).toContain("Hi,\n");
  expect(ann!.html).not.toContain("elsewhere");
  expect(ann!.html).toContain(`src="${site.url}/uploads/a.jpg"`);
  expect(ann!.html).toContain(`href="${site.url}/coaching"`);
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
  expect((await site.visitor().post(pathname + search)).status).toBe(200);
  expect((await people().findUnique("ann@example.com"))!.status).toBe("unsubscribed");
  expect((await people().findUnique("nameless@example.com"))!.status).toBe("active");
  expect(await letter(id)).toMatchObject({
    total: 2,
    sent: 2,
    refused: 0,
    leftOut: 0,
    unsubscribed: 1,
  });
});

test("it goes to all who are active and can be reached, of a source, or since a day", async () => {
  await add("all@example.com");
  await add("coaching@example.com", { source: "coaching" });
  await add("new@example.com", { subscribedAt: "2026-11-21T10:00:00.000Z" });
  await add("left@example.com", { status: "unsubscribed" });
  await add("pending@example.com", { status: "pending" });
  await add("gone@example.com", { unreachable: "bounced" });
  const cases: [object, string[]][] = [
    [ALL, ["all@example.com", "coaching@example.com", "new@example.com"]],
    [{ kind: "source", source: "coaching" }, ["coaching@example.com"]],
    [{ kind: "since", since: "2026-11-21" }, ["new@example.com"]],
  ];
  for (const [audience, expected] of cases) {
    server.taken.length = 0;
    const counted = await owner.post("/api/letters/audience", { audience });
    expect(counted.body).toEqual({ count: expected.length });
    const id = await ready();
    await send(id, audience);
    await eventually(() => stateOf(id), "sent");
    expect(receivers()).toEqual(expected);
  }
  const { body } = await owner.get("/api/letters");
  expect(body).toMatchObject({ active: 3, pending: 1, unsubscribed: 1, unreachable: 1 });
});

test("without a test, an address, words or recipients it doesn't go, and says why", async () => {
  const { body: empty } = await owner.post("/api/letters", {});
  const why = async (id: string) => (await send(id)).body.error;
  expect(await why(empty.id)).toBe("Nobody would get this letter. Choose other recipients.");
  await add("ann@example.com");
  expect(await why(empty.id)).toBe("Give the letter a subject first.");
  await owner.put(`/api/letters/${empty.id}`, { subject: "News" });
  expect(await why(empty.id)).toBe("Write the letter first.");
  await owner.put(`/api/letters/${empty.id}`, { body: "<p>Hi</p>" });
  expect(await why(empty.id)).toBe("Send a test to yourself first, and look at it.");
  const tested = await owner.post(`/api/letters/${empty.id}/test`, {});
  expect(tested.body.tested.to).toBe(
    OWNER.email.toLowerCase() === tested.body.tested.to ? tested.body.tested.to : OWNER.email,
  );
  const subjects = server.taken.map(({ subject }) => subject!);
  expect(subjects.filter((subject) => subject.startsWith("Test"))).toEqual(["Test: News"]);
  // Other words are another letter.
  await owner.put(`/api/letters/${empty.id}`, { subject: "Other news" });
  expect(await why(empty.id)).toBe("Send a test to yourself first, and look at it.");
  await owner.post("/api/letters/settings", { postalAddress: " " });
  expect(await why(empty.id)).toBe(
    "Enter your postal address first: the law asks for it in every letter.",
  );
  expect(await stateOf(empty.id)).toBe("draft");
});

test("a scheduled letter waits for its time, and can be taken back until then", async () => {
  await add("ann@example.com");
  const id = await ready();
  const at = new Date(Date.now() + HOUR).toISOString();
  expect((await send(id, ALL, "2020-01-01T00:00:00Z")).status).toBe(422);
  expect((await send(id, ALL, at)).body).toMatchObject({ state: "scheduled", sendAt: at });
  expect((await owner.put(`/api/letters/${id}`, { subject: "x" })).status).toBe(409);
  expect((await owner.post(`/api/letters/${id}/cancel`)).body.state).toBe("draft");
  await send(id, ALL, at);
  site.advance(HOUR + 1000);
  // Any look finds it: that of another letter, or the one every 15 seconds.
  const other = await ready();
  await send(other);
  await eventually(() => stateOf(id), "sent");
  await eventually(() => stateOf(other), "sent");
  expect(arrived().length).toBe(2);
});

test("who is refused for good is told of and left out from now on; the others get it", async () => {
  await add("ann@example.com");
  const id = await ready();
  server.refuse(550);
  await send(id);
  await eventually(() => stateOf(id), "sent");
  expect(await letter(id)).toMatchObject({
    sent: 0,
    refused: 1,
    troubles: [
      {
        to: "ann@example.com",
        state: "refused",
        problem: "The mail server says that this address can't be reached.",
      },
    ],
  });
  expect((await people().findUnique("ann@example.com"))!.unreachable).toBe("bounced");
});

test("who is refused for now is tried again, and ten refusals in a row stop it", async () => {
  for (let at = 0; at < 12; at++) await add(`p${at}@example.com`);
  const id = await ready();
  server.refuse(450);
  await send(id);
  await eventually(() => stateOf(id), "paused");
  expect((await letter(id)).problem).toStartWith("The mail server refused ten messages in a row");
  expect((await people().findUnique("p0@example.com"))!.unreachable).toBeNull();
  server.refuse(undefined);
  site.advance(2 * 60_000);
  expect((await owner.post(`/api/letters/${id}/resume`)).status).toBe(200);
  await eventually(() => stateOf(id), "sent");
  expect(receivers()).toEqual(
    Array.from({ length: 12 }, (_, at) => `p${at}@example.com`).toSorted(),
  );
  expect(await letter(id)).toMatchObject({ total: 12, sent: 12, refused: 0, troubles: [] });
});

test("a pause holds, and nobody who leaves or is erased meanwhile gets it", async () => {
  for (let at = 0; at < 20; at++) await add(`p${at}@example.com`);
  const id = await ready();
  await send(id);
  await eventually(() => arrived().length > 3, true);
  expect((await owner.post(`/api/letters/${id}/pause`)).status).toBe(200);
  const { length } = arrived();
  expect(length).toBeLessThan(18);
  const fresh = await site.loginAsOwner();
  const erased = await fresh.post("/api/people/erase", { email: "p19@example.com" });
  expect(erased.body).toMatchObject({ subscriptions: 1 });
  await people().updateUnique("p18@example.com", (row) => ({ ...row, status: "unsubscribed" }));
  // One may have been in flight.
  expect(arrived().length).toBeLessThanOrEqual(length + 1);
  await owner.post(`/api/letters/${id}/resume`);
  await eventually(() => stateOf(id), "sent");
  expect(receivers()).toHaveLength(18);
  expect(new Set(receivers()).size).toBe(18);
  expect(await letter(id)).toMatchObject({ total: 20, sent: 18, leftOut: 2 });
});

test("what stood still for more than two days isn't sent by itself", async () => {
  await add("ann@example.com");
  const id = await ready();
  await send(id, ALL, new Date(Date.now() + 48 * HOUR).toISOString());
  site.advance(5 * 24 * HOUR);
  owner = await site.loginAsOwner();
  const other = await ready();
  await send(other);
  await eventually(() => stateOf(id), "paused");
  await eventually(() => stateOf(other), "sent");
  expect(arrived().length).toBe(1);
  await owner.post(`/api/letters/${id}/resume`);
  await eventually(() => stateOf(id), "sent");
  expect(arrived().length).toBe(2);
});

test("a letter is a page for everybody only where its owner says so, without names and foreign pictures", async () => {
  await add("ann@example.com", { name: "Ann" });
  const id = await ready();
  await send(id);
  await eventually(() => stateOf(id), "sent");
  const page = (path: string) => site.visitor().get(path);
  const statuses = async () => [
    (await page("/letters")).status,
    (await page(`/letters/${id}`)).status,
  ];
  expect(await statuses()).toEqual([404, 404]);
  await owner.post(`/api/letters/${id}/publish`, { isPublic: true });
  expect(await statuses()).toEqual([404, 404]);
  const linkedFrom = async (path: string) => (await page(path)).text.includes(">Letters</a>");
  const isInSitemap = async () => (await page("/sitemap.xml")).text.includes("/letters<");
  expect([await linkedFrom("/"), await isInSitemap()]).toEqual([false, false]);
  await owner.post("/api/letters/settings", { archive: true });
  expect(await statuses()).toEqual([200, 200]);
  expect(await linkedFrom("/")).toBe(true);
  expect(await linkedFrom("/coaching")).toBe(true);
  expect(await isInSitemap()).toBe(true);
  expect((await page("/letters")).text).toContain(`href="/letters/${id}"`);
  const { text, headers } = await page(`/letters/${id}`);
  expect(text).toContain('<h1 dir="auto">News for</h1>');
  expect(text).toContain("<p>Hi,</p>");
  expect(text).toContain('href="/coaching"');
  expect(text).not.toMatch(/first name|Ann|elsewhere|unsubscribe/);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  await owner.post(`/api/letters/${id}/publish`, { isPublic: false });
  expect(await statuses()).toEqual([200, 404]);
  const draft = await ready();
  await owner.post(`/api/letters/${draft}/publish`, { isPublic: true });
  expect((await page(`/letters/${draft}`)).status).toBe(404);
});

test("only what says that a mailbox is gone leaves somebody out, not a full one or a blocked sender", () => {
  const gone = ["550 5.1.1 no such user", "550 No such mailbox here", "550 5.2.1 disabled"];
  const there = ["552 5.2.2 mailbox full", "550 5.7.1 blocked", "554 5.7.509 DMARC", null];
  expect(gone.map((said) => isAddressGone({ said }))).toEqual(gone.map(() => true));
  expect(there.map((said) => isAddressGone({ said }))).toEqual(there.map(() => false));
});
