/**
 * Three instances behind HAProxy, as docs/deploy has it, under writes and reads while two of them are killed and
 * the database fails over to its standby: nothing acknowledged is lost, nothing is there twice, a session goes
 * on, and no page is older than what was acknowledged a second before. `LIMELIGHT_FAILOVER=1` runs it; without,
 * killed.test.ts has the short form.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../../src/schema/index.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { freePorts } from "../../../support/ports.ts";
import {
  hasPostgres,
  type Postgres,
  type Standby,
  startPostgres,
} from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";

setDefaultTimeout(300_000);

const isWanted = process.env["LIMELIGHT_FAILOVER"] !== undefined;
const NAMES = ["one", "two", "three"];
/** Between the end of the first database and the promotion of the second, in milliseconds. */
const AWAY = 1500;

describe.if(isWanted && hasPostgres && Bun.which("haproxy") !== null)("behind HAProxy", () => {
  let folder: string;
  let postgres: Postgres;
  let standby: Standby;
  let balancer: Bun.Subprocess;
  let url: string;
  let database: string;
  const ports = freePorts(NAMES.length + 2);
  const [sitePort, databasePort, ...own] = ports as [number, number, ...number[]];
  const instances: ProgramSite[] = [];
  const start = (at: number) =>
    startProgram({
      env: {
        DATABASE_URL: database,
        RATE_LIMIT: "off",
        TRUSTED_PROXIES: "127.0.0.1",
        PORT: String(own[at]),
      },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "limelight-haproxy-"));
    postgres = await startPostgres({ isDurable: true });
    standby = await postgres.standby();
    database = postgres.url(newSchema()).replace(`:${postgres.port}/`, `:${databasePort}/`);
    url = `http://127.0.0.1:${sitePort}`;
    const file = join(folder, "haproxy.cfg");
    await Bun.write(file, await balancerFile());
    balancer = Bun.spawn(["haproxy", "-f", file], { stdout: "ignore", stderr: "ignore" });
    await until(async () => (await fetch(url).catch(() => undefined)) !== undefined);
    for (const at of NAMES.keys()) instances.push(await start(at));
    await until(async () => (await fetch(url)).ok);
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.stop("SIGKILL").catch(() => undefined)));
    balancer?.kill();
    await Promise.all([postgres?.remove(), standby?.remove()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** The file of docs/deploy with these addresses, and a line to whichever database is there. */
  async function balancerFile(): Promise<string> {
    const given = await Bun.file("docs/deploy/haproxy.cfg").text();
    const servers = NAMES.map((name, at) => `  server ${name} 127.0.0.1:${own[at]} cookie ${name}`);
    const lines = given
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

  test("two instances and the database's machine are lost, and nothing else", async () => {
    const joined: string[] = [];
    const saved: { readonly number: number; readonly at: number }[] = [];
    const stale: string[] = [];
    const refusals = new Map<number | string, number>();
    const over = new AbortController();
    const cookie = await logIn(url);
    let [pages, sessions] = [0, 0];
    const count = (what: number | string) => refusals.set(what, (refusals.get(what) ?? 0) + 1);

    async function joinList(visitor: number): Promise<void> {
      for (let at = 0; !over.signal.aborted; at++) {
        const email = `visitor${visitor}-${at}@example.org`;
        const answer = await post(`${url}/api/email-subscriptions`, { email });
        if (answer?.status === 201) joined.push(email);
        else count(answer?.status ?? "no answer");
      }
    }
    async function save(): Promise<void> {
      for (let number = 1; !over.signal.aborted; number++) {
        const name = `Number ${number} end`;
        const answer = await post(`${url}/api/site`, { name }, { cookie });
        if (answer?.status === 200) saved.push({ number, at: performance.now() });
        else count(answer?.status ?? "no answer");
        await Bun.sleep(20);
      }
    }
    async function read(): Promise<void> {
      while (!over.signal.aborted) {
        const began = performance.now();
        const answer = await fetch(`${url}/`).catch(() => undefined);
        const text = await answer?.text().catch(() => undefined);
        const shown = Number(/Number (\d+) end/.exec(text ?? "")?.[1] ?? Number.NaN);
        if (!answer?.ok || Number.isNaN(shown)) continue;
        pages++;
        const due = saved.findLast(({ at }) => at < began - 1000)?.number ?? 0;
        if (shown < due) stale.push(`page ${shown}, acknowledged ${due}`);
      }
    }
    async function stayLoggedIn(): Promise<void> {
      while (!over.signal.aborted) {
        const answer = await fetch(`${url}/api/auth/me`, { headers: { cookie } }).catch(
          () => undefined,
        );
        await answer?.bytes().catch(() => undefined);
        if (answer?.status === 401) throw new Error("The session was lost.");
        if (answer?.ok) sessions++;
        await Bun.sleep(50);
      }
    }
    const more = async (many: number) => {
      const [before, then] = [joined.length, saved.length];
      await until(() => joined.length > before + many && saved.length > then + 5);
    };

    await until(
      async () => (await post(`${url}/api/site`, { name: "Number 0 end" }, { cookie }))!.ok,
    );
    const work = Promise.all([
      ...[0, 1, 2, 3].map(joinList),
      save(),
      read(),
      read(),
      stayLoggedIn(),
    ]);
    await more(100);
    await instances[0]!.stop("SIGKILL").catch(() => undefined);
    await more(100);
    instances[0] = await start(0);
    await postgres.crash();
    const lost = performance.now();
    await Bun.sleep(AWAY);
    await standby.promote();
    const promoted = performance.now();
    await more(10);
    const back = performance.now();
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
    const stored = await engine.peekRecords(entities.emailSubscriptions);
    const addresses = stored.map(({ email }) => email as string);
    expect(new Set(addresses).size).toBe(addresses.length);
    const kept = new Set(addresses);
    expect(joined.filter((email) => !kept.has(email))).toEqual([]);
    const { name } = (await engine.peek(entities.site))!;
    expect(Number(name.split(" ")[1])).toBeGreaterThanOrEqual(saved.at(-1)!.number);
    expect(stale).toEqual([]);
    expect(pages).toBeGreaterThan(100);
  });
});

/** Undefined when nobody answers. */
const post = (to: string, body: object, headers: Record<string, string> = {}) =>
  fetch(to, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", origin: new URL(to).origin, ...headers },
    signal: AbortSignal.timeout(20_000),
  })
    .then(async (answer) => {
      await answer.bytes();
      return answer;
    })
    .catch(() => undefined);

async function logIn(url: string): Promise<string> {
  const answer = await post(`${url}/api/auth/login`, {
    username: "Ada",
    password: "velvet curtain nine",
  });
  const cookies = answer!.headers.getSetCookie().map((each) => each.split(";")[0]!);
  // Without the balancer's own: each call may meet another instance.
  return cookies.filter((each) => !each.startsWith("instance=")).join("; ");
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 90_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("It did not come to that.");
    await Bun.sleep(20);
  }
}
