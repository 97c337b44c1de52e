/** Events are recorded, readable and bounded (specification, section 6.7). */
import { describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { readAuditLog } from "../../support/readAuditLog.ts";
import { createEmptyPng } from "../../support/png.ts";
import { OWNER, setUpSiteForEach, startSite } from "../../support/testSite.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";

const site = setUpSiteForEach(() => startSite({ env: { TRUSTED_PROXIES: "127.0.0.1" } }));

const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
const FROM = { "x-forwarded-for": "203.0.113.77", "user-agent": CHROME };

test("a login's audit log entry has the person, the time and the shortened IP address", async () => {
  const owner = site.visitor();
  await owner.post("/api/auth/login", OWNER, FROM);
  const { body, headers } = await owner.get("/api/audit-log");
  expect(body).toEqual([
    {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      kind: "login",
      who: "Ada",
      userId: expect.any(String),
      what: "logged in",
      detail: "",
      count: 1,
      device: expect.any(String),
      address: "203.0.x.x",
      browser: "Chrome on Mac",
    },
  ]);
  expect(headers.get("x-total-count")).toBe("1");
});

test("audit log entries of changes name the changed fields, never their values", async () => {
  const owner = await site.logInAsOwner();
  const secret = "Only for the first row";
  await owner.post("/api/hero", { mainTitle: secret, subtitle: secret });
  await owner.post("/api/hero", { mainTitle: secret });
  const { body: item } = await owner.post("/api/statistics", { value: "40K", label: secret });
  await owner.put(`/api/statistics/${item.id}`, { label: "Shows" });
  await owner.post("/api/statistics/reorder", { updates: [{ id: item.id, order: 3 }] });
  await owner.delete(`/api/statistics/${item.id}`);
  await owner.post("/api/site", { contactEmail: "hello@example.com" });
  await owner.post("/api/history/hero/1/restore");
  expect(await readAuditLog(owner)).toEqual([
    "Ada restored an earlier version of Hero",
    "Ada changed Site: Contact email",
    "Ada deleted from Statistics",
    "Ada changed the order of Statistics",
    "Ada changed Statistics: Label",
    "Ada added to Statistics",
    "Ada changed Hero: Main Title, Subtitle",
    "Ada logged in",
  ]);
  const { text } = await owner.get("/api/audit-log");
  for (const word of [secret, "hello@example.com"]) expect(text).not.toContain(word);
});

test("the audit log has entries for exports, erased people and password changes", async () => {
  const owner = await site.logInAsOwner();
  await site.visitor().post("/api/email-subscriptions", { email: "kim@example.com" });
  await owner.get("/api/export");
  await owner.post("/api/people/erase", { email: "kim@example.com" });
  await owner.post("/api/auth/password", {
    currentPassword: OWNER.password,
    newPassword: "another quiet stage",
  });
  expect(await readAuditLog(owner)).toEqual([
    "Ada changed their password",
    "Ada erased a person's data (0 submissions, 1 subscription)",
    "Ada exported everything",
    "Ada logged in",
  ]);
});

test("an export in several pages is one audit log entry, whichever page is read first", async () => {
  const owner = await site.logInAsOwner();
  const read = async (offset: number) => {
    const path = `/api/email-subscriptions?limit=1000&offset=${offset}`;
    expect((await owner.get(path)).status).toBe(200);
  };
  const exported = async () =>
    (await readAuditLog(owner)).filter((each) => each.startsWith("Ada exported subscriptions"));
  const before = (await exported()).length;
  for (const offset of [1, 1001, 2001]) await read(offset);
  expect(await exported()).toHaveLength(before + 1);
});

test("audit log entries contain no password, and nothing that visitors typed", async () => {
  const owner = await site.logInAsOwner();
  // Longer than any part of a browser's name could match by chance.
  const kim = { email: "kimberley@example.com", name: "Kimberley" };
  await site.visitor().post("/api/email-subscriptions", kim);
  await site
    .visitor()
    .post("/api/auth/login", { username: "the password itself", password: "x y" });
  const { text } = await owner.get("/api/audit-log");
  for (const word of ["kimberley", "the password itself", "x y", OWNER.password])
    expect(text.toLowerCase()).not.toContain(word.toLowerCase());
});

test("erasing a person removes their email address from audit log entries", async () => {
  const owner = await site.logInAsOwner();
  const file = new File([createEmptyPng(1, 1)], "for-Kim@Example.com.png", { type: "image/png" });
  const form = new FormData();
  form.set("file", file);
  expect((await owner.call("POST", "/api/upload", form)).status).toBe(201);
  expect(await readAuditLog(owner)).toContain("Ada added an image (for-Kim@Example.com.png)");
  await owner.post("/api/people/erase", { email: "kim@example.com" });
  expect(await readAuditLog(owner)).toContain("Ada added an image (for-(erased).png)");
});

describe("the audit log", () => {
  test("can be read only by owners", async () => {
    expect((await site.visitor().get("/api/audit-log")).status).toBe(401);
    const editor = await site.logInAs("editor");
    expect((await editor.get("/api/audit-log")).body.code).toBe("not_allowed");
    const owner = await site.logInAsOwner();
    expect(await readAuditLog(owner)).toContain(
      "editor-1 tried something their role doesn't allow",
    );
  });

  test("can be filtered by kind, searched and paged through", async () => {
    const owner = await site.logInAsOwner();
    for (let at = 0; at < 55; at++) {
      await owner.post("/api/hero", { subtitle: `Take ${at}` });
      site.advance(11 * 60_000);
    }
    expect(await readAuditLog(owner, "?kind=login")).toEqual(["Ada logged in"]);
    const response = await owner.post("/api/audit-log/search", { search: "LOGGED", kind: "" });
    expect(response.body).toMatchObject([{ what: "logged in" }]);
    const first = await owner.get("/api/audit-log");
    expect([first.body.length, first.headers.get("x-total-count")]).toEqual([50, "56"]);
    expect(await readAuditLog(owner, "?offset=50")).toHaveLength(6);
    for (const query of ["?kind=x", "?offset=-1", "?offset=a"])
      expect((await owner.get(`/api/audit-log${query}`)).status).toBe(422);
  });
});

test("saves within ten minutes share one audit log entry, and a later save gets another entry", async () => {
  const owner = await site.logInAsOwner();
  for (const title of ["A", "B", "C"]) await owner.post("/api/hero", { mainTitle: title });
  site.advance(11 * 60_000);
  await owner.post("/api/hero", { mainTitle: "D" });
  const { body } = await owner.get("/api/audit-log?kind=content");
  expect(body.map(({ count }: { count: number }) => count)).toEqual([1, 3]);
});

test("the program's log has each audit log entry once, without email addresses", async () => {
  const owner = await site.logInAsOwner();
  const guess = { username: "ada", password: "wrong wrong wrong" };
  for (let tries = 0; tries < 3; tries++) await site.visitor().post("/api/auth/login", guess);
  await owner.post("/api/invitations", { email: "new@example.com", role: "editor" });
  await site.waitForAuditLog();
  const userId = site.store.of(entities.users).read().value[0]!.id;
  const { items } = await site.store.of(entities.auditLog).readPage({ offset: 0, limit: 9 });
  expect(site.log.filter((line) => line.startsWith("audit "))).toEqual(
    [
      `login ${userId} logged in`,
      `failedLogin ${userId} entered a wrong password`,
      `people ${userId} invited (address) as Editor`,
    ].map((line, at) => `audit ${items[at]!.id} ${line}`),
  );
});

test("a save succeeds even if its audit log entry can't be stored, and the program's log reports that", async () => {
  let isFull = false;
  let writes = 0;
  const disk = createFaultyDisk((operation, path) => {
    // A save takes one write of the journal, and its event is written after it.
    if (isFull && operation === "write" && path.includes("journal") && ++writes > 1)
      throw createDiskError("ENOSPC");
  });
  const full = await startSite({ disk });
  const owner = await full.logInAsOwner();
  isFull = true;
  expect((await owner.post("/api/hero", { subtitle: "Tonight" })).status).toBe(200);
  expect((await owner.get("/api/audit-log?kind=content")).body).toEqual([]);
  expect(full.log).toContain("An entry of the activity log couldn't be written.");
  await full.stop();
});

test("the list of sessions names each browser, and people can end only their own sessions", async () => {
  const phone = site.visitor();
  await phone.post("/api/auth/login", OWNER, FROM);
  const desk = await site.logInAsOwner();
  const editor = await site.logInAs("editor");
  const { body } = await desk.get("/api/auth/sessions");
  expect(body[1]).toMatchObject({ browser: "Chrome on Mac", address: "203.0.x.x", current: false });
  expect((await editor.delete(`/api/auth/sessions/${body[1].id}`)).status).toBe(404);
  expect((await phone.get("/api/auth/me")).status).toBe(200);
  expect((await desk.delete(`/api/auth/sessions/${body[1].id}`)).status).toBe(204);
  expect((await phone.get("/api/auth/me")).status).toBe(401);
  expect((await desk.get("/api/auth/me")).status).toBe(200);
});

test("logins from new browsers are shown until the person confirms them", async () => {
  const desk = await site.logInAsOwner();
  await desk.post("/api/auth/logins/seen");
  expect((await desk.get("/api/auth/logins")).body).toEqual([]);
  site.advance(1000);
  const phone = site.visitor();
  await phone.post("/api/auth/login", OWNER, FROM);
  // Logging out doesn't hide the login.
  await phone.post("/api/auth/logout");
  await site.waitForAuditLog();
  const { body } = await desk.get("/api/auth/logins");
  const shown = { browser: "Chrome on Mac", address: "203.0.x.x" };
  expect(body).toEqual([{ id: expect.any(String), at: expect.any(String), ...shown }]);
  const editor = await site.logInAs("editor");
  expect((await editor.get("/api/auth/logins")).body).toEqual([]);
  site.advance(1000);
  expect((await desk.post("/api/auth/logins/seen")).status).toBe(204);
  expect((await desk.get("/api/auth/logins")).body).toEqual([]);
  // The same browser is not reported again; another one is, once, however often it logs in.
  site.advance(1000);
  await phone.post("/api/auth/login", OWNER, FROM);
  const tablet = site.visitor();
  for (const _ of [1, 2, 3]) await tablet.post("/api/auth/login", OWNER, FROM);
  await site.waitForAuditLog();
  expect((await desk.get("/api/auth/logins")).body).toHaveLength(1);
});
