/**
 * Someone who types hundreds of addresses causes few messages to strangers, and everyone else gets their message
 * (specification, section 4.19).
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import {
  SITE_MESSAGE_LIMITS,
  type DueSubscription,
  planSignupMail,
  type RecentMail,
} from "../../../src/server/newsletter/signupMailLimits.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { waitForValue, OWNER, type Site } from "../../support/testSite.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("hundreds of strangers' email addresses, typed from fifty IP addresses,", () => {
  let site: Site;
  let server: MailServer;
  let context: AppContext;
  beforeEach(async () => {
    ({ site, server, context } = await startMailSite({
      hasAddress: true,
      hasLimits: true,
      env: { TRUSTED_PROXIES: "127.0.0.1" },
    }));
    site.stopClock();
  });
  afterEach(() => Promise.all([site.stop(), server.stop()]));

  const subscribe = (email: string, from: string) =>
    site.visitor().call("POST", "/api/email-subscriptions", { email }, { "x-forwarded-for": from });
  const getRows = () => site.store.of(entities.emailSubscriptions);
  const countPending = async () => (await getRows().readKeys({ owed: { not: null } })).length;
  const countQueued = async () =>
    (await site.store.of(entities.outbox).readKeys({ kind: "confirm" })).length;
  /** Waits until everything that may be sent now is written, and this many people still wait. */
  const waitUntilSettled = (left: number) =>
    waitForValue(async () => {
      context.mailingList.checkNow();
      return countPending();
    }, left);

  /** Subscribes 400 strangers, and returns how many were accepted. */
  async function subscribeStrangers(): Promise<number> {
    const calls = Array.from({ length: 400 }, (_, at) =>
      subscribe(`stranger${at}@d${at % 97}.example`, `198.18.${at % 50}.1`),
    );
    return (await Promise.all(calls)).filter(({ status }) => status === 201).length;
  }

  test("get a hundred messages an hour until everybody has one, and the owner is notified once", async () => {
    expect(await subscribeStrangers()).toBe(300);
    await waitUntilSettled(200);
    expect([await countQueued(), await countPending()]).toEqual([SITE_MESSAGE_LIMITS.hour, 200]);
    expect(await getRows().count({ status: "pending" })).toBe(300);

    const owner = await site.owner();
    const codes = async () =>
      (await owner.get("/api/notices")).body.map(({ code }: { code: string }) => code);
    const warnings = () =>
      server.received.filter(
        ({ to, subject }) =>
          to![0]!.address === OWNER.email && subject!.startsWith("Unusually many sign-ups"),
      ).length;
    expect(await codes()).toContain("mailing_list_crowd");
    await waitForValue(warnings, 1);
    await codes();

    // A person from elsewhere is first in the queue.
    site.advance(MINUTE_MS);
    expect((await subscribe("fan@example.com", "203.0.113.9")).status).toBe(201);
    site.advance(HOUR_MS);
    await waitUntilSettled(101);
    expect(await countQueued()).toBe(2 * SITE_MESSAGE_LIMITS.hour);
    expect((await getRows().findUnique("fan@example.com"))!.owed).toBe(null);
    site.advance(HOUR_MS);
    await waitUntilSettled(1);
    site.advance(HOUR_MS);
    await waitUntilSettled(0);
    expect([await countQueued(), await countPending()]).toEqual([301, 0]);
    expect(await codes()).not.toContain("mailing_list_crowd");
    expect(warnings()).toBe(1);
  }, 60_000);
});

const NOW = Date.parse("2026-11-23T12:00:00Z");
const createSubscription = (
  email: string,
  ipAddress: string | null = "192.0.2.1",
): DueSubscription => ({
  id: email,
  email,
  owed: "confirm",
  ipAddress,
});
const createMany = (count: number, each: (at: number) => DueSubscription) =>
  Array.from({ length: count }, (_, at) => each(at));
const createQueuedBefore = (ago: number, to: string): RecentMail => ({
  kind: "confirm",
  to,
  at: NOW - ago,
});
const getIds = (all: readonly DueSubscription[]) => all.map(({ id }) => id);

test("messages to hundreds of email addresses typed by one person don't delay messages to others", () => {
  const strangers = createMany(500, (at) =>
    createSubscription(`s@a${at}.example`, `198.18.0.${at % 250}`),
  );
  const fans = createMany(40, (at) => createSubscription(`fan@b${at}.example`, `203.0.${at}.1`));
  const { due, waiting, dropped } = planSignupMail([...strangers, ...fans], [], NOW);
  expect(getIds(due)).toEqual(expect.arrayContaining(getIds(fans)));
  expect([due.length, waiting.length, dropped.length]).toEqual([100, 440, 0]);
});

test("welcome messages have the same hourly limit as confirmation messages", () => {
  const welcomed = createMany(200, (at) => ({
    ...createSubscription(`s@a${at}.example`),
    owed: "welcome",
  }));
  expect(planSignupMail(welcomed, [], NOW).due).toHaveLength(SITE_MESSAGE_LIMITS.hour);
});

test("one domain gets at most 25 messages in an hour, and other domains aren't delayed", () => {
  const all = [
    ...createMany(60, (at) => createSubscription(`${at}@one.example`)),
    createSubscription("x@two.example"),
  ];
  const { due, waiting } = planSignupMail(
    all,
    [createQueuedBefore(30 * MINUTE_MS, "y@ONE.example")],
    NOW,
  );
  expect([due.length, waiting.length]).toEqual([25, 36]);
  expect(getIds(due)).toContain("x@two.example");
});

test("at most 600 messages are sent in a day, whatever the hourly limits allow", () => {
  const written = createMany(590, (at) => createSubscription(`w@c${at}.example`)).map(({ email }) =>
    createQueuedBefore(2 * HOUR_MS, email),
  );
  const { due, waiting } = planSignupMail(
    createMany(50, (at) => createSubscription(`n@d${at}.example`)),
    written,
    NOW,
  );
  expect([due.length, waiting.length]).toEqual([10, 40]);
});

test("when too many messages wait, those caused by the busiest networks are dropped", () => {
  const strangers = createMany(3000, (at) =>
    createSubscription(`s@a${at}.example`, `198.18.${at % 20}.1`),
  );
  const fans = createMany(200, (at) => createSubscription(`fan@b${at}.example`, `203.0.${at}.1`));
  const { due, waiting, dropped } = planSignupMail([...strangers, ...fans], [], NOW);
  expect([due.length, waiting.length, dropped.length]).toEqual([100, 1000, 2100]);
  expect(getIds(dropped).filter((id) => id.startsWith("fan"))).toEqual([]);
});
