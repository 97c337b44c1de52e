/**
 * Strangers' events fill the audit log only up to a limit, and nobody can remove their own entries (specification,
 * section 6.7).
 */
import { describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { AuditLog } from "../../../src/server/accounts/auditLog.ts";
import { readAuditLog } from "../../support/readAuditLog.ts";
import { waitForValue, OWNER, setUpSiteForEach, startSite } from "../../support/testSite.ts";

const PROXY = { TRUSTED_PROXIES: "127.0.0.1" };
const site = setUpSiteForEach(() => startSite({ env: PROXY }));

describe("failed logins in the audit log", () => {
  const failLogin = (address: string, username = "Ada") =>
    site
      .visitor()
      .post(
        "/api/auth/login",
        { username, password: "no password" },
        { "x-forwarded-for": address },
      );

  test("from one IP address for one account share one entry with a count", async () => {
    for (let at = 0; at < 4; at++) await failLogin("198.51.100.7");
    await failLogin("198.51.100.7", "nobody");
    const owner = await site.logInAsOwner();
    const { body } = await owner.get("/api/audit-log?kind=failedLogin");
    expect(body).toMatchObject([
      { who: "Unknown user", count: 1, detail: "For an unknown account" },
      { who: "Unknown user", count: 4, detail: "For Ada", address: "198.51.x.x" },
    ]);
  });

  test("from many IP addresses make only 21 entries in an hour", async () => {
    await Promise.all(Array.from({ length: 24 }, (_, at) => failLogin(`10.${at}.0.1`)));
    const owner = await site.logInAsOwner();
    const { body } = await owner.get("/api/audit-log?kind=failedLogin");
    expect(body).toHaveLength(21);
    expect(body[0]).toMatchObject({ count: 4, detail: "From many addresses", address: null });
  });
});

test("200 simultaneous password reset requests by strangers make at most two audit log entries", async () => {
  const MAIL = { MAIL_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Vera <site@example.com>" };
  const mailing = await startSite({ env: { ...PROXY, ...MAIL, SITE_URL: "http://localhost" } });
  const from = (at: number) => ({ host: "localhost", "x-forwarded-for": `10.${at}.0.1` });
  const requestReset = (at: number) =>
    mailing.visitor().post("/api/auth/forgotten", { login: "nobody" }, from(at));
  // All at once, so that they are written together.
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, at) => requestReset(at)));
  expect(statuses.every(({ status }) => status === 200)).toBe(true);
  const records = mailing.store.of(entities.auditLog);
  await waitForValue(async () => (await records.count()) > 0, true);
  await mailing.waitForAuditLog();
  expect(await records.count()).toBeLessThanOrEqual(2);
  const { items } = await records.readPage({ offset: 0, limit: 9 });
  expect(items[0]).toMatchObject({ kind: "failedLogin", what: "requested a password reset" });
  await mailing.stop();
});

test("refused calls from many IP addresses and browsers make only 21 audit log entries", async () => {
  const reader = await site.logInAs("reader");
  for (let at = 0; at < 60; at++) {
    const browser = ["Chrome", "Firefox", "Safari", "Edg", "OPR/"][at % 5]!;
    const from = { "x-forwarded-for": `10.${at}.0.1`, "user-agent": browser };
    expect((await reader.get("/api/audit-log", from)).status).toBe(403);
  }
  const owner = await site.logInAsOwner();
  expect((await owner.get("/api/audit-log?kind=people")).body).toHaveLength(21);
});

test("erasing a person's data keeps the audit log's authors and its entries about accounts", async () => {
  const owner = await site.logInAsOwner();
  const users = site.store.of(entities.users);
  // A username from before the rules for names: another person's address.
  await users.update((all) => all.map((each) => ({ ...each, username: "eve@example.com" })));
  const thief = site.visitor();
  const again = { username: "eve@example.com", password: OWNER.password };
  expect((await thief.post("/api/auth/login", again)).status).toBe(200);
  await thief.get("/api/export");
  await thief.post("/api/invitations", { email: "eve@example.com.au", role: "admin" });
  await thief.post("/api/people/erase", { email: "eve@example.com" });
  await thief.post("/api/people/erase", { email: "eve@example.com.au" });
  expect(await readAuditLog(owner)).toEqual([
    "eve@example.com erased a person's data (0 submissions, 0 subscriptions)",
    "eve@example.com invited eve@example.com.au as Owner",
    "eve@example.com exported everything",
    "eve@example.com logged in",
    "Ada logged in",
  ]);
});

/** An audit log with its own clock, and its entries. */
function createLogOf2030() {
  const time = { now: Date.parse("2030-01-01T00:00:00Z") };
  const log = new AuditLog({ store: site.store, clock: () => time.now, log: () => {} });
  return { time, log, records: site.store.of(entities.auditLog) };
}

test("many audit log entries caused by strangers don't displace an owner's entry", async () => {
  const { time, log, records } = createLogOf2030();
  log.record({ kind: "people", action: "gave kim the role Owner" });
  for (const kind of ["failedLogin", "login"] as const)
    for (let at = 0; at < 3_000; at++) {
      // The most that a stranger gets recorded, for twelve days.
      time.now += 180_000;
      log.record({ kind, action: `${kind} ${at}` });
    }
  await log.whenFlushed();
  expect(await records.count()).toBeLessThanOrEqual(2 * 2_700 + 1);
  const { items } = await records.readPage({ offset: 0, limit: 1 });
  expect(items[0]!.what).toBe("gave kim the role Owner");
});

test("the audit log stores entries for a year, at most 10,000 of them", async () => {
  const { time, log, records } = createLogOf2030();
  const add = async (count: number) => {
    for (let at = 0; at < count; at++)
      log.record({ kind: "content", action: `changed ${time.now} ${at}` });
    await log.whenFlushed();
  };
  await add(50);
  time.now += 366 * 24 * 3600_000;
  await add(10_450);
  expect(await records.count()).toBeLessThanOrEqual(10_200);
  const { items } = await records.readPage({ offset: 0, limit: 1 });
  expect(items[0]!.at! > "2030-12").toBe(true);
});
