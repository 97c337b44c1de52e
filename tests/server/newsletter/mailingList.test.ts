/**
 * With mail set up, nobody can add someone else to the mailing list or remove them (specification, section 4.19).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities, type Item } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { waitForValue, type Site } from "../../support/testSite.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LIST_PATH = "/api/email-subscriptions";
const LONG_AGO = "2020-01-01T00:00:00.000Z";

let site: Site;
let server: MailServer;
let context: AppContext;
beforeAll(async () => {
  ({ site, server, context } = await startMailSite({ hasAddress: true }));
});
afterAll(() => Promise.all([site.stop(), server.stop()]));

const getSettings = () => site.store.of(entities.letterSettings);
let nextNumber = 0;
let address = "";
beforeEach(async () => {
  address = `person${nextNumber++}@example.com`;
  await getSettings().update((value) => ({ ...value, doubleOptIn: true, welcome: true }));
});

const subscribe = (email = address, more = {}) =>
  site.visitor().post(LIST_PATH, { email, ...more });
const unsubscribe = (email = address) => site.visitor().post(`${LIST_PATH}/unsubscribe`, { email });
const readRow = async (email = address) =>
  structuredClone(await site.store.of(entities.emailSubscriptions).findUnique(email));
const readStatus = async (email = address) => (await readRow(email))?.status;
const findMessages = (email = address) =>
  server.received.filter(({ to }) => to?.[0]?.address === email);
const countMessages = (email = address) => findMessages(email).length;
/** Returns the path and query of the link in the newest message to this address. */
const readLink = (email = address) => {
  const { pathname, search } = new URL(
    /https?:\/\/\S+\?t=\S+/.exec(findMessages(email).at(-1)!.text!)![0],
  );
  return pathname + search;
};
/** Waits until every pending message is written and sent. */
async function waitUntilSettled(): Promise<void> {
  context.mailingList.checkNow();
  const listPending = async () =>
    (await site.store.of(entities.emailSubscriptions).readKeys()).filter(
      (key) => key.owed !== null,
    );
  await waitForValue(listPending, []);
  context.mail.outbox.sendDue();
  const waiting = async () =>
    (await site.store.of(entities.outbox).readKeys()).filter(({ state }) => state === "waiting");
  await waitForValue(waiting, []);
}

test("a new subscriber is pending until the button on the confirmation page is clicked", async () => {
  const name = "Annabel Example";
  const { status, body } = await subscribe(address, { name });
  expect([status, body]).toEqual([201, { status: "pending" }]);
  expect(await readRow()).toMatchObject({
    status: "pending",
    source: "website",
    consent: "Get the updates. News from Your Name, straight to your inbox. Unsubscribe anytime.",
    confirmedAt: null,
  });
  await waitForValue(countMessages, 1);
  expect(findMessages()[0]).toMatchObject({ subject: "Confirm your subscription · Your Name" });
  expect(findMessages()[0]!.text).not.toContain("Annabel");
  const page = await site.visitor().get(readLink());
  expect([page.status, page.headers.get("referrer-policy")]).toEqual([200, "no-referrer"]);
  expect(page.text).toContain(">Confirm</button>");
  expect(await readStatus()).toBe("pending");
  const link = readLink();
  const pressed = await site.visitor().post(link);
  expect(pressed.text).toContain("Successfully subscribed!");
  expect(await readRow()).toMatchObject({ status: "active", name });
  expect((await readRow())!.confirmedAt).toBeString();
  // A second confirmation isn't an error.
  expect((await site.visitor().post(link)).status).toBe(200);
  await waitForValue(countMessages, 2);
  await waitUntilSettled();
  expect(countMessages()).toBe(2);
  const { subject, headers } = findMessages()[1]!;
  expect(subject).toBe("Welcome · Your Name");
  expect(Object.fromEntries(headers.map(({ key, value }) => [key, value]))).toMatchObject({
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "list-unsubscribe": expect.stringContaining("/unsubscribe?t=u."),
  });
});

test("a confirmation link works for 7 days, and unconfirmed subscribers are removed afterwards", async () => {
  await subscribe();
  await waitForValue(countMessages, 1);
  const link = readLink();
  site.advance(7 * DAY_MS + 1000);
  const late = await site.visitor().post(link);
  expect(late.status).toBe(404);
  expect(late.text).toContain("This link no longer works");
  context.mailingList.checkNow();
  await waitForValue(readStatus, undefined);
  expect((await site.visitor().get(link)).status).toBe(404);
});

test("a clock that jumps ahead doesn't remove a subscriber who can still confirm", async () => {
  await subscribe();
  // Waits until the subscriber is stored as no longer owed a message.
  await waitForValue(async () => (await readRow())?.owed, null);
  const rows = site.store.of(entities.emailSubscriptions);
  const { id: _, ...row } = (await readRow())!;
  const long = { id: Bun.randomUUIDv7(), email: `old-${address}`, subscribedAt: LONG_AGO };
  await rows.insert({ ...row, ...long, written: [] });
  site.setUntrustedOffset(30 * DAY_MS);
  context.mailingList.checkNow();
  await waitForValue(() => readStatus(long.email), undefined);
  site.setUntrustedOffset(0);
  expect(await readStatus()).toBe("pending");
});

test("only the link sent to a subscriber's email address can remove the subscriber from the mailing list", async () => {
  await getSettings().update((value) => ({ ...value, doubleOptIn: false, welcome: false }));
  expect((await subscribe()).body).toEqual({ status: "active" });
  expect((await unsubscribe()).body).toEqual({ status: "unsubscribed" });
  await waitForValue(countMessages, 1);
  expect(await readStatus()).toBe("active");
  expect((await site.visitor().get(readLink())).text).toContain(">Unsubscribe</button>");
  expect(await readStatus()).toBe("active");
  expect((await site.visitor().post(readLink())).text).toContain("Successfully unsubscribed!");
  expect(await readStatus()).toBe("unsubscribed");
});

test("a confirmation message's plain text has a colon before links, as the site's language writes it", async () => {
  const owner = await site.owner();
  await owner.post("/api/site", { language: "fr" });
  await subscribe();
  await waitForValue(countMessages, 1);
  expect(findMessages()[0]!.text).toMatch(/\nConfirmer\u00a0: http/);
  await site.visitor().post(readLink());
  await waitForValue(countMessages, 2);
  expect(findMessages()[1]!.text).toMatch(/\nSe désinscrire\u00a0: http/);
  await owner.post("/api/site", { language: "en" });
});

test("a mail program unsubscribes with one call, from any origin (RFC 8058)", async () => {
  await getSettings().update((value) => ({ ...value, doubleOptIn: false }));
  await subscribe();
  await waitForValue(countMessages, 1);
  const { status } = await site.visitor().post(readLink(), "List-Unsubscribe=One-Click", {
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://mail.example.com",
    "sec-fetch-site": "cross-site",
  });
  expect(status).toBe(200);
  expect(await readStatus()).toBe("unsubscribed");
});

test("an unsubscribe link writes nothing once somebody has left", async () => {
  await getSettings().update((value) => ({ ...value, doubleOptIn: false }));
  await subscribe();
  await waitForValue(countMessages, 1);
  const link = readLink();
  const changes: string[] = [];
  site.store.onChange((name) => void changes.push(name));
  expect((await site.visitor().post(link)).status).toBe(200);
  const first = changes.length;
  expect((await site.visitor().post(link)).status).toBe(200);
  expect([first > 0, changes.length]).toEqual([true, first]);
});

test("a changed, truncated or invented link to confirm or unsubscribe has no effect", async () => {
  await getSettings().update((value) => ({ ...value, doubleOptIn: false }));
  await subscribe();
  await waitForValue(countMessages, 1);
  const link = readLink();
  const { id } = (await readRow())!;
  const wrong = [
    link.slice(0, -1) + (link.endsWith("A") ? "B" : "A"),
    link.replace(id, Bun.randomUUIDv7()),
    link.replace("t=u.", "t=c."),
    link.replace("/unsubscribe", "/confirm-subscription"),
    `/unsubscribe?t=u.${id}..${"A".repeat(32)}`,
    "/unsubscribe?t=",
    "/unsubscribe",
  ];
  for (const path of wrong)
    expect([path, (await site.visitor().post(path)).status]).toEqual([path, 404]);
  expect(await readStatus()).toBe("active");
});

test("a mailbox gets at most one confirmation message in four hours, however its email address is written", async () => {
  const spellings = [
    "bomb@gmail.com",
    "b.omb@gmail.com",
    "bomb+1@gmail.com",
    "bo.mb+2@googlemail.com",
  ];
  const all = () => spellings.reduce((sum, email) => sum + countMessages(email), 0);
  const bomb = async () => {
    for (const email of [...spellings, ...spellings]) await subscribe(email);
    await waitUntilSettled();
  };
  for (const expected of [1, 2, 3, 3, 3, 3]) {
    await bomb();
    expect(all()).toBe(expected);
    site.advance(4 * HOUR_MS);
  }
  await bomb();
  expect(all()).toBe(4);
});

test("a visitor can't change a subscriber's name, and people who complained get no more mail", async () => {
  await subscribe(address, { name: "Ann" });
  await waitForValue(countMessages, 1);
  await site.visitor().post(readLink());
  await subscribe(address, { name: "Somebody else" });
  expect(await readRow()).toMatchObject({ name: "Ann", status: "active" });
  await waitUntilSettled();
  const before = countMessages();
  const unsubscribed = { status: "unsubscribed", unreachable: "complained" } as const;
  const rows = site.store.of(entities.emailSubscriptions);
  await rows.updateUnique(address, (row: Item<"emailSubscriptions">) => ({
    ...row,
    ...unsubscribed,
  }));
  expect((await subscribe()).body).toEqual({ status: "pending" });
  await waitUntilSettled();
  expect(countMessages()).toBe(before);
});

test("the privacy policy says which provider sends newsletters, and that reading them isn't tracked", async () => {
  const page = await (await fetch(`${site.url}/privacy-policy`)).text();
  const text = page
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
  for (const words of [
    "such as a confirmation link, a thank-you for your enquiry, or our reply",
    "with the link in every newsletter",
    "Addresses that aren't confirmed within 7 days are removed",
    "We never track whether you read it or click its links",
    "Emails that we send you pass through our email provider and yours, which can see your address and the content",
  ])
    expect(text).toContain(words);
});
