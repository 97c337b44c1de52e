/**
 * Three instances behind HAProxy, as in docs/deploy, under writes and reads, while two of them are killed and the
 * database fails over to its standby: nothing acknowledged is lost or duplicated, the session continues, and no page
 * lags more than a second behind. `LIMELIGHT_FAILOVER=1` runs it; killed.test.ts has a short form that always runs.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../../src/schema/index.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { freePorts } from "../../../support/ports.ts";
import { hasPostgres, postgresForAll, type Standby } from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";
import { callersOf } from "../../../support/site.ts";
import { eventually } from "../../../support/waits.ts";

setDefaultTimeout(300_000);

const isWanted = process.env["LIMELIGHT_FAILOVER"] !== undefined;
const NAMES = ["one", "two", "three"];
/** Between the end of the first database and the promotion of the second, in milliseconds. */
const OUTAGE_MS = 1500;

describe.if(isWanted && hasPostgres && Bun.which("haproxy") !== null)("behind HAProxy", () => {
  const postgres = postgresForAll({ isDurable: true });
  let folder: string;
  let standby: Standby;
  let balancer: Bun.Subprocess;
  let database: string;
  const ports = freePorts(NAMES.length + 2);
  const [sitePort, databasePort, ...instancePorts] = ports as [number, number, ...number[]];
  const url = `http://127.0.0.1:${sitePort}`;
  const { visitor, owner } = callersOf(url);
  const instances: ProgramSite[] = [];
  const start = (at: number) =>
    startProgram({
      env: {
        DATABASE_URL: database,
        RATE_LIMIT: "off",
        TRUSTED_PROXIES: "127.0.0.1",
        PORT: String(instancePorts[at]),
      },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "limelight-haproxy-"));
    standby = await postgres.standby();
    database = postgres.url().replace(`:${postgres.port}/`, `:${databasePort}/`);
    const file = join(folder, "haproxy.cfg");
    await Bun.write(file, await balancerFile());
    balancer = Bun.spawn(["haproxy", "-f", file], { stdout: "ignore", stderr: "ignore" });
    const status = () =>
      fetch(url)
        .then((answer) => answer.status)
        .catch(() => 0);
    await eventually(status, 503);
    for (const at of NAMES.keys()) instances.push(await start(at));
    await eventually(status, 200);
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.stop("SIGKILL").catch(() => undefined)));
    balancer?.kill();
    await standby?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** The file from docs/deploy with these addresses, and a proxy to the current database. */
  async function balancerFile(): Promise<string> {
    const template = await Bun.file("docs/deploy/haproxy.cfg").text();
    const servers = NAMES.flatMap((name, at) => [
      `  server ${name} 127.0.0.1:${instancePorts[at]} cookie ${name}`,
      `  server ${name}-pages 127.0.0.1:${instancePorts[at]} backup no-check`,
    ]);
    const lines = template
      .replace("bind :80", `bind 127.0.0.1:${sitePort}`)
      .split("\n")
      .filter((line) => !line.startsWith("  server "));
    const databases = [
      "listen database",
      "  mode tcp",
      `  bind 127.0.0.1:${databasePort}`,
      "  timeout client 1h",
      "  timeout server 1h",
      "  default-server check inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions",
      `  server first 127.0.0.1:${postgres.port}`,
      `  server second 127.0.0.1:${standby.port} backup`,
    ];
    return [...lines, ...servers, "", ...databases, ""].join("\n");
  }

  test("losing two instances and the database's machine loses no data", async () => {
    const joined: string[] = [];
    const saved: { readonly number: number; readonly at: number }[] = [];
    const stale: string[] = [];
    const refusals = new Map<number | string, number>();
    const over = new AbortController();
    // Without the balancer's cookie each call may reach another instance.
    const cookie = (await owner()).cookies().replace(/instance=[^;]*(?:; )?/, "");
    let [pages, sessions] = [0, 0];
    let [lost, back] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // The last acknowledged writes may not have reached the others, which serve older pages until they do.
    const isDuringOutage = (at: number) => at > lost && at < back + 1000;
    /**
     * Sends a write. Returns the status; undefined without a response. Any status but the expected one is counted.
     */
    async function sent(path: string, body: object, expected: number, headers = {}) {
      const answer = await visitor()
        .post(path, body, headers)
        .catch(() => undefined);
      const outcome = answer?.status ?? "no answer";
      if (outcome !== expected) refusals.set(outcome, (refusals.get(outcome) ?? 0) + 1);
      return outcome === expected;
    }

    async function joinList(number: number): Promise<void> {
      for (let at = 0; !over.signal.aborted; at++) {
        const email = `visitor${number}-${at}@example.org`;
        if (await sent("/api/email-subscriptions", { email }, 201)) joined.push(email);
      }
    }
    const save = (number: number) =>
      sent("/api/site", { name: `Number ${number} end` }, 200, { cookie });
    async function saveAll(): Promise<void> {
      for (let number = 1; !over.signal.aborted; number++) {
        if (await save(number)) saved.push({ number, at: performance.now() });
        await Bun.sleep(20);
      }
    }
    async function read(): Promise<void> {
      while (!over.signal.aborted) {
        const began = performance.now();
        const page = await visitor()
          .get("/")
          .catch(() => undefined);
        const shown = /Number (\d+) end/.exec(page?.text ?? "")?.[1];
        if (page?.status !== 200 || shown === undefined) continue;
        pages++;
        const due = saved.findLast(({ at }) => at < began - 1000)?.number ?? 0;
        if (Number(shown) < due && !isDuringOutage(began))
          stale.push(`page ${shown}, acknowledged ${due}`);
      }
    }
    async function stayLoggedIn(): Promise<void> {
      while (!over.signal.aborted) {
        const answer = await visitor()
          .get("/api/auth/me", { cookie })
          .catch(() => undefined);
        if (answer?.status === 401) throw new Error("The session was lost.");
        if (answer?.status === 200) sessions++;
        await Bun.sleep(50);
      }
    }
    const more = (many: number) => {
      const [before, then] = [joined.length, saved.length];
      return eventually(() => joined.length > before + many && saved.length > then + 5, true);
    };

    await eventually(() => save(0), true);
    const joining = [0, 1, 2, 3].map(joinList);
    const work = Promise.all([...joining, saveAll(), read(), read(), stayLoggedIn()]);
    await more(100);
    await instances[0]!.stop("SIGKILL").catch(() => undefined);
    await more(100);
    instances[0] = await start(0);
    await postgres.crash();
    lost = performance.now();
    await Bun.sleep(OUTAGE_MS);
    await standby.promote();
    const promoted = performance.now();
    await more(10);
    back = performance.now();
    await instances[1]!.stop("SIGKILL").catch(() => undefined);
    await more(100);
    over.abort();
    await work;

    const ms = Math.round;
    console.log(
      `${joined.length} subscriptions and ${saved.length} saves acknowledged, ${pages} pages, ${sessions} calls of the session; ` +
        `refused ${JSON.stringify([...refusals])}; away ${ms(promoted - lost)} ms, writes again ${ms(back - promoted)} ms after; stale ${stale.length}`,
    );
    const engine = postgresEngine(parseDatabaseUrl(database), "/tmp");
    const stored = await engine.readRecords(entities.emailSubscriptions);
    const addresses = stored.map(({ email }) => email as string);
    expect(new Set(addresses).size).toBe(addresses.length);
    const storedEmails = new Set(addresses);
    expect(joined.filter((email) => !storedEmails.has(email))).toEqual([]);
    const { name } = (await engine.readDocument(entities.site))!;
    expect(Number(name.split(" ")[1])).toBeGreaterThanOrEqual(saved.at(-1)!.number);
    expect([...new Set(stale)]).toEqual([]);
    expect(pages).toBeGreaterThan(100);
  });
});
