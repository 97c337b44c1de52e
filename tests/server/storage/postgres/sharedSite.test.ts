/** Two instances serve one site as one would: they share sessions, pages, limits and confirmations. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { addForm, createEnquiry } from "../../../support/enquirySite.ts";
import { startMailServer } from "../../../support/mailServer.ts";
import { findFreePort } from "../../../support/ports.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { OWNER } from "../../../support/site.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { createSubscriber } from "../../../support/subscribers.ts";
import { waitForValue } from "../../../support/waits.ts";

setDefaultTimeout(120_000);

describe.if(hasPostgres)("two instances behind one URL", () => {
  const postgres = setUpPostgres();
  let [one, other]: Site[] = [];
  beforeAll(async () => {
    const env = { DATABASE_URL: postgres.createUrl() };
    one = await startSite({ env });
    other = await startSite({ env, hasOwner: false });
  });
  afterAll(async () => {
    await one!.stop();
    await other!.stop();
  });

  /** Settings of sites in a separate database, with a mail server. */
  async function startMailingSites() {
    const server = await startMailServer({ hasLogin: false, isPlain: true });
    const MAIL_URL = `smtp://127.0.0.1:${server.port}`;
    const MAIL_FROM = "Vera <site@example.com>";
    return { server, env: { DATABASE_URL: postgres.createUrl(), MAIL_URL, MAIL_FROM } };
  }

  test("a login on one instance is valid on the other, and a logout ends the session on both", async () => {
    const client = await one!.logInAsOwner();
    const cookie = client.cookies();
    const otherClient = other!.visitor();
    await waitForValue(async () => (await otherClient.get("/api/auth/me", { cookie })).status, 200);
    expect((await otherClient.post("/api/auth/logout", undefined, { cookie })).status).toBe(204);
    await waitForValue(async () => (await client.get("/api/auth/me")).status, 401);
  });

  test("a save on one instance appears on the other's page, with the same ETag", async () => {
    const pageOf = (site: Site) => site.visitor().get("/");
    await pageOf(other!);
    const name = `Name ${crypto.randomUUID()}`;
    await one!.asOwner("POST", "/api/site", { name });
    await waitForValue(async () => (await pageOf(other!)).text.includes(name), true);
    const [first, second] = await Promise.all([one!, other!].map(pageOf));
    expect(second!.headers.get("etag")).toBe(first!.headers.get("etag"));
  });

  test("two simultaneous erasures run one after the other, each completely", async () => {
    const erase = (site: Site, email: string) =>
      site.asOwner("POST", "/api/people/erase", { email });
    const noted = () => one!.store.of(entities.erasures).readKeys();
    const before = (await noted()).length;
    await Promise.all([erase(one!, "eve@example.com"), erase(other!, "bob@example.com")]);
    const all = await Array.fromAsync(one!.store.of(entities.erasures).scan());
    expect(all.length).toBe(before + 2);
    const seen = () => one!.store.of(entities.erasureMark).read().value.seen;
    await waitForValue(seen, all.at(-1)!.id);
  });

  test("an enquiry sent to both instances, simultaneously or one after the other, is stored once", async () => {
    await addForm(one!.store);
    const fieldCount = (site: Site) => site.store.of(entities.formFields).read().value.length;
    await waitForValue(() => fieldCount(other!), fieldCount(one!));
    const { started } = (await one!.visitor().get("/api/filling-time")).body as { started: string };
    for (const site of [one!, other!]) site.advance(4000);
    const send = async (site: Site) => {
      const body = { ...createEnquiry(), started };
      return (await site.visitor().post("/api/form-submissions", body)).body as { id: string };
    };
    const both = await Promise.all([send(one!), send(other!)]);
    const { id } = both[0];
    expect([...both, await send(other!)]).toEqual([{ id }, { id }, { id }]);
    expect(
      (await one!.store.of(entities.formSubmissions).readKeys()).map((each) => each.id),
    ).toEqual([id]);
  });

  test("password guesses on one instance count towards the limit on the other", async () => {
    const wrong = { username: "nobody", password: "wrong password" };
    const guess = async (site: Site) =>
      (await site.visitor().post("/api/auth/login", wrong)).status;
    // The clock is stopped, so that the wait after the last guess isn't over before the other instance is used.
    for (const site of [one!, other!]) site.stopClock();
    for (let tries = 0; tries < 6; tries++) await guess(one!);
    // Notifications are received in order.
    await new Promise((resolve) => {
      other!.store.coordinator.subscribe("all told", resolve);
      one!.store.coordinator.publish("all told", []);
    });
    expect(await guess(other!)).toBe(429);
  });

  test("two instances started simultaneously on an empty database share one site and its setup link", async () => {
    const start = { env: { DATABASE_URL: postgres.createUrl() }, hasOwner: false };
    const both = await Promise.all([startSite(start), startSite(start)]);
    expect(both[0].store.siteId).toBe(both[1].store.siteId);
    const token = both[0].setup!.createPath().split("token=")[1];
    const body = { token, ...OWNER, siteName: "Ada Star" };
    expect((await both[1].visitor().post("/api/setup/token", { token })).status).toBe(200);
    expect((await both[1].visitor().post("/api/setup", body)).status).toBe(201);
    const isGood = () => both[0].visitor().post("/api/setup/token", { token });
    await waitForValue(async () => (await isGood()).status, 404);
    for (const each of both) await each.stop();
  });

  test("a newsletter continues on the other instance when the sender loses the database, and nobody gets it twice", async () => {
    const RECIPIENTS = 60;
    const { server, env } = await startMailingSites();
    const schema = new URL(env.DATABASE_URL).searchParams.get("schema");
    const sql = postgres.connect();
    const open = (owner: boolean) => {
      const port = findFreePort();
      const settings = { RATE_LIMIT: "off", SITE_URL: `http://127.0.0.1:${port}` };
      return startSite({ port, hasOwner: owner, env: { ...env, ...settings } });
    };
    const first = await open(true);
    const second = await open(false);
    const people = first.store.of(entities.emailSubscriptions);
    for (let at = 0; at < RECIPIENTS; at++)
      await people.insert(createSubscriber(`person${at}@example.com`));
    await first.asOwner("POST", "/api/letters/settings", { postalAddress: "12 Lamp Street" });
    const ready = async () => {
      const words = { subject: "News", body: "<p>Hi</p>" };
      const { id } = await first.asOwner("POST", "/api/letters", words);
      await first.asOwner("POST", `/api/letters/${id}/test`, {});
      return id as string;
    };
    const [id, later] = [await ready(), await ready()];
    const reached = () =>
      server.received
        .map(({ to }) => to![0]!.address!)
        .filter((address) => address.startsWith("person"));
    const audience = { kind: "all" };
    const [eight, isCut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Without a response to the eighth, no other is sent.
    server.whenReceived(() => {
      if (reached().length < 8) return undefined;
      eight.resolve();
      return isCut.promise;
    });
    await first.asOwner("POST", `/api/letters/${id}/send`, { audience });
    await eight.promise;
    const holding = `select pid, pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and mode = 'ExclusiveLock' and granted and (classid::bigint << 32 | objid::bigint) = $1::bigint`;
    const job = BigInt.asIntN(64, Bun.hash.wyhash(`limelight ${schema} job letters`));
    let cut = 0;
    while ((await sql.unsafe(holding, [job])).length > 0) cut++;
    expect(cut).toBeGreaterThan(0);
    isCut.resolve();
    // Scheduling a newsletter starts the check that otherwise runs every 15 seconds.
    const at = new Date(Date.now() + 86_400_000).toISOString();
    await second.asOwner("POST", `/api/letters/${later}/send`, { audience, at });
    await waitForValue(
      async () => (await second.asOwner("GET", `/api/letters/${id}`)).state,
      "sent",
    );

    expect(new Set(reached()).size).toBe(RECIPIENTS);
    // One message was in flight.
    expect(reached().length).toBeLessThanOrEqual(RECIPIENTS + 1);
    const { sent, leftOut } = await second.asOwner("GET", `/api/letters/${id}`);
    expect([sent, leftOut]).toEqual([RECIPIENTS, 0]);
    for (const each of [first, second]) await each.stop();
    await Promise.all([server.stop(), sql.close()]);
  });
});
