/**
 * Joining and leaving the mailing list takes the same work for known and unknown addresses (specification, section
 * 6.6).
 */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { type SubscriptionMail, subscribe } from "../../../src/server/newsletter/subscriptions.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";
import { createSubscriber } from "../../support/subscribers.ts";
import { createFaultyDisk } from "../storage/faultyDisk.ts";

/** Longer than an fsync on an ordinary virtual server. */
const SYNC_DELAY_MS = 60;

let operations: string[] = [];
const slowDisk = createFaultyDisk(async (operation) => {
  operations.push(operation);
  if (operation === "sync") await Bun.sleep(SYNC_DELAY_MS);
}, true);

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" }, disk: slowDisk }));

const joinList = (email: string) => site.visitor().post("/api/email-subscriptions", { email });
const leaveList = (email: string) =>
  site.visitor().post("/api/email-subscriptions/unsubscribe", { email });

/** A kind of call. `at` is the number of the round, on which the address may depend. */
type Call = (at: number) => ReturnType<typeof joinList>;

const CALLS: Readonly<Record<string, Call>> = {
  "joining, unknown": (at) => joinList(`new${at}@example.com`),
  "joining, active": () => joinList("stays@example.com"),
  "joining, left": (at) => joinList(`left${at}@example.com`),
  "leaving, unknown": (at) => leaveList(`nobody${at}@example.com`),
  "leaving, active": (at) => leaveList(`active${at}@example.com`),
  "leaving, left": () => leaveList("gone@example.com"),
};
const NAMES = Object.keys(CALLS);

/** The shortest time of each kind so far, since a busy machine only adds to it. */
class LeastTimes {
  readonly times = new Map<string, number>();
  readonly #works = new Map<string, string[]>();

  note(name: string, ms: number, work: string[]): void {
    this.times.set(name, Math.min(ms, this.times.get(name) ?? Infinity));
    // The site may also have done other work.
    const shortest = this.#works.get(name);
    if (!shortest || work.length < shortest.length) this.#works.set(name, work.toSorted());
  }

  workOf = (name: string) => this.#works.get(name)!.join(" ");

  /** Returns the difference between the fastest and the slowest kind, in milliseconds. */
  spread(): number {
    const times = [...this.times.values()];
    return Math.max(...times) - Math.min(...times);
  }
}

/** Calls with the same work differ by at most one step of 50 ms; with different work by four fsyncs. */
const MAX_SPREAD = 100;

test("response times don't reveal whether an email address is or was on the mailing list", async () => {
  await Promise.all([joinList("stays@example.com"), joinList("gone@example.com")]);
  await leaveList("gone@example.com");
  const least = new LeastTimes();
  const end = performance.now() + 40_000;
  for (let at = 0; at < 3 || (least.spread() >= MAX_SPREAD && performance.now() < end); at++) {
    await Promise.all([joinList(`active${at}@example.com`), joinList(`left${at}@example.com`)]);
    await leaveList(`left${at}@example.com`);
    for (const [name, call] of Object.entries(CALLS)) {
      operations = [];
      const started = performance.now();
      expect((await call(at)).status).toBeOneOf([200, 201]);
      least.note(name, performance.now() - started, operations);
    }
  }
  const [work] = NAMES.map(least.workOf);
  expect(NAMES.map((name) => [name, least.workOf(name)])).toEqual(
    NAMES.map((name) => [name, work!]),
  );
  // A journal line, which each write syncs.
  expect(work).toBe("write");
  expect(least.spread()).toBeLessThan(MAX_SPREAD);
});

test("with mail set up, joining causes the same writes whether the email address is on the list or not", async () => {
  const mailingList: SubscriptionMail = {
    isDoubleOptIn: () => true,
    canMailLinks: () => true,
    findDueWelcome: () => null,
    checkNow: () => {},
  };
  const people = site.store.of(entities.emailSubscriptions);
  const states = {
    active: { status: "active" },
    pending: { status: "pending" },
    left: { status: "unsubscribed" },
    complained: { status: "unsubscribed", unreachable: "complained" },
    bounced: { status: "active", unreachable: "bounced" },
  } as const;
  for (const [name, state] of Object.entries(states))
    await people.insert(createSubscriber(`${name}@example.com`, state));
  const least = new LeastTimes();
  for (let at = 0; at < 3; at++)
    for (const name of ["unknown", ...Object.keys(states)]) {
      const email = name === "unknown" ? `unknown${at}@example.org` : `${name}@example.com`;
      operations = [];
      await subscribe(
        {
          store: site.store,
          clock: Date.now,
          visitorQuota: { isOpen: () => true, assertOpen() {}, consume: async () => {} },
          mailingList,
        },
        { email, name: null },
        { address: "192.0.2.1", userAgent: null },
      );
      least.note(name, 0, operations);
    }
  const work = least.workOf("unknown");
  expect(work).toContain("write");
  for (const name of Object.keys(states)) expect([name, least.workOf(name)]).toEqual([name, work]);
});
