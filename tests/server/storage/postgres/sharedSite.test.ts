/** Two instances serve one site as one would: sessions, pages, limits and what was confirmed are those of both. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../../support/postgres.ts";
import { OWNER } from "../../../support/site.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { eventually } from "../../../support/waits.ts";

setDefaultTimeout(60_000);

describe.if(hasPostgres)("two instances behind one address", () => {
  let postgres: Postgres;
  let [one, other]: Site[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    const env = { DATABASE_URL: postgres.url(newSchema()) };
    one = await startSite({ env });
    other = await startSite({ env, owner: false });
  });
  afterAll(async () => {
    await one!.stop();
    await other!.stop();
    await postgres.remove();
  });

  /** The cookie of a session that was begun at one. */
  async function sessionOfOne(): Promise<{ cookie: string }> {
    const { username, password } = OWNER;
    const answer = await fetch(`${one!.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: one!.url },
      body: JSON.stringify({ username, password }),
    });
    expect(answer.status).toBe(200);
    const cookies = answer.headers.getSetCookie().map((each) => each.split(";")[0]);
    return { cookie: cookies.join("; ") };
  }

  test("a session of one is a session of the other, and ends for both", async () => {
    const headers = await sessionOfOne();
    const at = (site: Site, path: string, method = "GET") =>
      fetch(site.url + path, { method, headers: { ...headers, origin: site.url } });
    await eventually(async () => (await at(other!, "/api/auth/me")).status, 200);
    expect((await at(other!, "/api/auth/logout", "POST")).status).toBeLessThan(300);
    await eventually(async () => (await at(one!, "/api/auth/me")).status, 401);
  });

  test("a save at one is on the page of the other, with the same ETag", async () => {
    const pageOf = async (site: Site) => {
      const answer = await fetch(`${site.url}/`);
      return { etag: answer.headers.get("etag"), text: await answer.text() };
    };
    await pageOf(other!);
    const name = `Name ${crypto.randomUUID()}`;
    await one!.asOwner("POST", "/api/site", { name });
    const saved = performance.now();
    while (!(await pageOf(other!)).text.includes(name) && performance.now() - saved < 20_000);
    const [here, there] = [await pageOf(one!), await pageOf(other!)];
    expect(there.text).toContain(name);
    expect(there.etag).toBe(here.etag);
  });

  test("guesses at one are counted at the other", async () => {
    const guess = async (site: Site) => {
      const answer = await fetch(`${site.url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: site.url },
        body: JSON.stringify({ username: "nobody", password: "wrong password" }),
      });
      return answer.status;
    };
    for (let tries = 0; tries < 6; tries++) await guess(one!);
    // What is told is heard in its order.
    await new Promise((resolve) => {
      other!.store.instances.hear("all told", resolve);
      one!.store.instances.tell("all told", []);
    });
    expect(await guess(other!)).toBe(429);
  });

  test("two that start at the same moment on an empty database are one site, and take each other's setup link", async () => {
    const env = { DATABASE_URL: postgres.url(newSchema()) };
    const both = await Promise.all([
      startSite({ env, owner: false }),
      startSite({ env, owner: false }),
    ]);
    expect(both[0].store.siteId).toBe(both[1].store.siteId);
    const token = both[0].setup!.path.split("token=")[1];
    const body = { token, ...OWNER, siteName: "Ada Star" };
    expect((await both[1].visitor().post("/api/setup/token", { token })).status).toBe(200);
    expect((await both[1].visitor().post("/api/setup", body)).status).toBe(201);
    const isGood = () => both[0].visitor().post("/api/setup/token", { token });
    await eventually(async () => (await isGood()).status, 404);
    for (const each of both) await each.stop();
  });
});
