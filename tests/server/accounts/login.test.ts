/** Logging in, staying logged in and logging out (specification, section 6.3). */
import { entities } from "../../../src/schema/index.ts";
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { OWNER, formatRefusal, setUpSiteForEach, startSite } from "../../support/testSite.ts";

const site = setUpSiteForEach(() => startSite({ env: { TRUSTED_PROXIES: "127.0.0.1" } }));

const HOUR_MS = 3_600_000;
const CURRENT_USER = { username: OWNER.username, email: OWNER.email, role: "admin" };
const logIn = (username: unknown, password: unknown = OWNER.password) =>
  site.visitor().post("/api/auth/login", { username, password });

describe("POST /api/auth/login", () => {
  test("accepts the username or the email address, and returns the current user", async () => {
    for (const username of ["Ada", "ada@EXAMPLE.com", " Ada@example.com "]) {
      const { status, body } = await logIn(username);
      expect([status, body]).toEqual([200, CURRENT_USER]);
    }
  });

  test("requires a username and a password", async () => {
    const visitor = site.visitor();
    const halves = [{}, { username: "Ada" }, { password: "x" }, { username: " ", password: "x" }];
    for (const body of [...halves, { username: ["Ada"], password: {} }, null, []])
      expect(formatRefusal(await visitor.post("/api/auth/login", body))).toBe(
        "422 Please fill in all fields",
      );
    expect(visitor.cookies()).toBe("");
  });

  test("an unknown user and a wrong password get the same message", async () => {
    const unknown = await logIn("nobody", "plenty long words");
    const wrong = await logIn("Ada", "plenty long words");
    const message = { error: "The username or password is wrong.", code: "wrong_credentials" };
    for (const { status, body } of [unknown, wrong])
      expect([status, body]).toEqual([401, { ...message, requestId: expect.any(String) }]);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test("returns the session token only in a cookie with HttpOnly and SameSite=Lax, and Secure under HTTPS", async () => {
    const { headers, text } = await logIn("Ada");
    const [cookie] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^limelight=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    expect(text).not.toContain(cookie!.split(/[=;]/)[1]!);

    const secure = await startSite({ env: { SITE_URL: "https://ada.example" } });
    const answer = await secure.visitor().post("/api/auth/login", OWNER, { host: "ada.example" });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-limelight=.+; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/,
    );
    await secure.stop();
  });
});

describe("guessing passwords", () => {
  // The clock is stopped, so that a wait doesn't end while a password is compared.
  beforeEach(() => site.stopClock());

  test("has no delay for five attempts, then a doubling delay sent as Retry-After", async () => {
    for (let at = 0; at < 5; at++) expect((await logIn("Ada", "wrong words x")).status).toBe(401);
    const waits: number[] = [];
    for (let at = 0; at < 12; at++) {
      const { status, headers } = await logIn("Ada");
      expect(status).toBe(429);
      const seconds = Number(headers.get("retry-after"));
      waits.push(seconds);
      site.advance(seconds * 1000);
      expect((await logIn("Ada", "wrong words x")).status).toBe(401);
    }
    expect(waits.slice(0, 4)).toEqual([2, 4, 8, 16]);
    expect(waits.at(-1)).toBe(120);
    site.advance(120_000);
    expect((await logIn("Ada")).status).toBe(200);
  });

  test("from many IP addresses, including the owner's, never blocks a browser that has logged in before", async () => {
    const from = (address: string, password: string, caller = site.visitor()) =>
      caller.post("/api/auth/login", { username: "Ada", password }, { "x-forwarded-for": address });
    const returningVisitor = site.visitor();
    expect((await from("192.0.2.1", OWNER.password, returningVisitor)).status).toBe(200);
    for (let at = 0; at < 10; at++)
      expect((await from(`198.51.100.${at}`, "wrong words x")).status).toBe(401);
    for (let at = 0; at < 5; at++)
      expect((await from("192.0.2.1", "wrong words x")).status).toBe(401);
    expect((await from("192.0.2.1", OWNER.password)).status).toBe(429);
    await returningVisitor.post("/api/auth/logout");
    expect((await from("192.0.2.1", OWNER.password, returningVisitor)).status).toBe(200);
    expect((await from("203.0.113.77", OWNER.password)).status).toBe(200);
  });

  test("with many simultaneous attempts gets only five of them checked", async () => {
    const tries = Array.from({ length: 20 }, () => logIn("Ada", "wrong words x"));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
  });

  test("is refused before any account is read, even with a forged browser cookie", async () => {
    for (let at = 0; at < 5; at++) await logIn("Ada", "wrong words x");
    const accounts = spyOn(site.store.of(entities.users), "read");
    for (const cookie of ["", `limelight-browser=${"a".repeat(22)}~ada.${"b".repeat(43)}`]) {
      const sent = { username: "Ada", password: OWNER.password };
      expect((await site.visitor().post("/api/auth/login", sent, { cookie })).status).toBe(429);
    }
    expect(accounts).not.toHaveBeenCalled();
    accounts.mockRestore();
  });
});

describe("a session", () => {
  test("begun while the server's clock was ahead ends once the clock is corrected, and a new login works", async () => {
    const owner = await site.logInAsOwner();
    site.advance(365 * 24 * HOUR_MS);
    const ahead = await site.logInAsOwner();
    expect((await ahead.get("/api/auth/me")).status).toBe(200);
    site.advance(-365 * 24 * HOUR_MS);
    expect((await ahead.get("/api/auth/me")).status).toBe(401);
    expect((await owner.get("/api/auth/me")).status).toBe(401);
    const now = await site.logInAsOwner();
    expect((await now.get("/api/auth/me")).status).toBe(200);
    expect((await now.get("/api/auth/sessions")).body).toHaveLength(1);
    // Clocks are set back a little every day.
    site.advance(-4 * 60_000);
    expect((await now.get("/api/auth/me")).status).toBe(200);
  });

  test("gets responses that no cache stores, not even the browser's", async () => {
    const owner = await site.logInAsOwner();
    for (const path of ["auth/me", "auth/sessions", "email-subscriptions", "audit-log"]) {
      const { status, headers } = await owner.get(`/api/${path}`);
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
    }
    for (const path of ["hero", "pictures", "health", "auth/forgotten", "nothing-of-this-name"])
      expect([path, (await owner.get(`/api/${path}`)).headers.get("cache-control")]).toEqual([
        path,
        "no-store",
      ]);
    const seen = await site.visitor().get("/api/hero");
    expect(seen.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("ends when its browser logs in again", async () => {
    const owner = await site.logInAsOwner();
    const copy = owner.copy();
    expect((await owner.post("/api/auth/login", OWNER)).status).toBe(200);
    expect((await copy.get("/api/auth/me")).status).toBe(401);
    expect((await owner.get("/api/auth/sessions")).body).toHaveLength(1);
  });

  test("ends with the logout, for every copy of its cookie", async () => {
    const owner = await site.logInAsOwner();
    const stolen = owner.copy();
    expect((await owner.post("/api/auth/logout")).status).toBe(204);
    expect(owner.cookies()).not.toContain("limelight=");
    expect((await stolen.get("/api/auth/me")).status).toBe(401);
    expect((await site.visitor().post("/api/auth/logout")).status).toBe(204);
  });

  test("ends after 8 hours without a request", async () => {
    const owner = await site.logInAsOwner();
    site.advance(7.9 * HOUR_MS);
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    site.advance(7.9 * HOUR_MS);
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    site.advance(8.1 * HOUR_MS);
    expect((await owner.get("/api/auth/me")).status).toBe(401);
  });

  test("ends after 7 days, even if it is used all the time", async () => {
    site.stopClock();
    const owner = await site.logInAsOwner();
    for (let at = 0; at < 24; at++) {
      site.advance(7 * HOUR_MS - 1000);
      expect((await owner.get("/api/auth/me")).status).toBe(200);
    }
    site.advance(HOUR_MS);
    expect((await owner.get("/api/auth/me")).status).toBe(401);
  });

  test("is marked as the current one in the list, and can end all other sessions", async () => {
    const phone = await site.logInAsOwner();
    const desk = await site.logInAsOwner();
    const { body } = await desk.get("/api/auth/sessions");
    expect(body.map((each: { current: boolean }) => each.current)).toEqual([true, false]);
    expect(body[0]).toMatchObject({ userAgent: expect.stringContaining("Bun") });
    expect((await desk.delete("/api/auth/sessions")).status).toBe(204);
    expect((await phone.get("/api/auth/me")).status).toBe(401);
    expect((await desk.get("/api/auth/me")).status).toBe(200);
  });
});

describe("POST /api/auth/profile", () => {
  test("changes username and email address, and a login accepts either", async () => {
    const owner = await site.logInAsOwner();
    const changed = { username: "ada.l", email: "ada@new.example" };
    const { status, body } = await owner.post("/api/auth/profile", changed);
    expect([status, body]).toEqual([200, { ...changed, role: "admin" }]);
    for (const name of ["ada.l", "ADA@new.example"]) expect((await logIn(name)).status).toBe(200);
    expect((await logIn(OWNER.username)).status).toBe(401);
  });

  test("refuses taken or invalid values, and changes neither the role nor the password hash", async () => {
    const owner = await site.logInAsOwner();
    await site.logInAs("editor");
    for (const [sent, status] of [
      [{ username: "EDITOR-1" }, 409],
      [{ email: "editor-1@example.com" }, 409],
      [{ username: " " }, 422],
      [{ email: "nowhere" }, 422],
    ] as const)
      expect((await owner.post("/api/auth/profile", sent)).status).toBe(status);
    await owner.post("/api/auth/profile", { role: "reader", passwordHash: "x" });
    const [ada] = site.store.of(entities.users).read().value;
    expect([ada!.role, ada!.passwordHash.length > 50]).toEqual(["admin", true]);
  });
});

describe("POST /api/auth/password", () => {
  const NEW_PASSWORD = "another quiet stage";

  test("changes the password and ends all other sessions", async () => {
    const phone = await site.logInAsOwner();
    const desk = await site.logInAsOwner();
    const body = { currentPassword: OWNER.password, newPassword: NEW_PASSWORD };
    expect((await desk.post("/api/auth/password", body)).body).toEqual(CURRENT_USER);
    expect((await phone.get("/api/auth/me")).status).toBe(401);
    expect((await desk.get("/api/auth/me")).status).toBe(200);
    expect((await logIn("Ada")).status).toBe(401);
    expect((await logIn("Ada", NEW_PASSWORD)).status).toBe(200);
  });

  test("lets only one of several simultaneous changes succeed", async () => {
    const tabs = await Promise.all([1, 2, 3].map(() => site.logInAsOwner()));
    const change = (at: number) => ({
      currentPassword: OWNER.password,
      newPassword: `${NEW_PASSWORD} ${at}`,
    });
    const changed = await Promise.all(
      tabs.map((tab, at) => tab.post("/api/auth/password", change(at))),
    );
    const winners = [...changed.keys()].filter((at) => changed[at]!.status === 200);
    expect(winners).toHaveLength(1);
    // The later of two changes has lost its session with the first, or finds the current password wrong.
    for (const { status } of changed) expect(status).toBeOneOf([200, 401, 422]);
    for (const at of tabs.keys()) {
      const { status } = await logIn("Ada", `${NEW_PASSWORD} ${at}`);
      expect(status).toBe(winners.includes(at) ? 200 : 401);
    }
    expect((await tabs[winners[0]!]!.get("/api/auth/me")).status).toBe(200);
  });

  test("is refused with a wrong current password, a weak new one or no session", async () => {
    const phone = await site.logInAsOwner();
    const owner = await site.logInAsOwner();
    const before = site.readStored();
    const refusal = async (newPassword: unknown, currentPassword: string = OWNER.password) =>
      formatRefusal(await owner.post("/api/auth/password", { currentPassword, newPassword }));
    expect(await refusal(NEW_PASSWORD, "not the one here")).toBe(
      "422 The current password is wrong.",
    );
    expect(await refusal("short")).toBe("422 Use at least 12 characters.");
    expect(await refusal("password1234")).toContain("is too easy to guess.");
    expect(await refusal(undefined)).toBe("422 Please fill in all fields");
    expect((await site.visitor().post("/api/auth/password", {})).status).toBe(401);
    expect((await phone.get("/api/auth/me")).status).toBe(200);
    expect(site.readStored()).toBe(before);
  });
});
