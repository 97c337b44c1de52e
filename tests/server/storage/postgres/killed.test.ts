/**
 * Three instances of the program serve one site while they are killed and the database crashes: nothing that
 * was acknowledged is lost, nothing is there twice, and the last save that was acknowledged is on every page.
 * LIMELIGHT_KILLS is the number of rounds (default 2).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";

setDefaultTimeout(180_000);

const ROUNDS = Number(process.env["LIMELIGHT_KILLS"] ?? 2);

describe.if(hasPostgres)("three instances", () => {
  let postgres: Postgres;
  let url: string;
  const instances: ProgramSite[] = [];
  const start = () => startProgram({ env: { DATABASE_URL: url, RATE_LIMIT: "off" } });

  beforeAll(async () => {
    postgres = await startPostgres({ isDurable: true });
    url = postgres.url(newSchema());
    for (let at = 0; at < 3; at++) instances.push(await start());
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.stop("SIGKILL").catch(() => undefined)));
    await postgres.remove();
  });

  test("lose nothing that was acknowledged, and store nothing twice", async () => {
    const joined: string[] = [];
    const saved: { readonly etag: string; readonly name: string }[] = [];
    const over = new AbortController();

    /** A visitor who goes to any instance, and to another when one does not answer. */
    async function join(visitor: number): Promise<void> {
      for (let at = 0; !over.signal.aborted; at++) {
        const email = `visitor${visitor}-${at}@example.org`;
        const { url: to } = instances[(visitor + at) % instances.length]!;
        const body = JSON.stringify({ email });
        const answer = await post(`${to}/api/email-subscriptions`, body).catch(() => undefined);
        if (answer?.status === 201) joined.push(email);
      }
    }

    /** The owner, whose every save names what it was made from. */
    async function save(owner: number): Promise<void> {
      const headers = await logIn(instances[owner]!.url);
      for (let at = 0; !over.signal.aborted; at++) {
        const { url: to } = instances[(owner + at) % instances.length]!;
        try {
          const current = await fetch(`${to}/api/site`, { headers });
          const etag = current.headers.get("etag")!;
          const name = `${owner}-${at}`;
          const answer = await post(`${to}/api/site`, JSON.stringify({ name }), {
            ...headers,
            "if-match": etag,
          });
          if (answer.status === 200) saved.push({ etag, name });
        } catch {
          // It was killed: the next one answers.
        }
        await Bun.sleep(5);
      }
    }

    const work = Promise.all([...[0, 1, 2, 3].map(join), ...[0, 1].map(save)]);
    for (let round = 0; round < ROUNDS; round++) {
      const before = joined.length;
      await until(() => joined.length > before + 20);
      const [killed] = instances.splice(round % instances.length, 1);
      await killed!.stop("SIGKILL").catch(() => undefined);
      await postgres.crash();
      await postgres.start();
      instances.push(await start());
    }
    const before = saved.length;
    await until(() => saved.length > before + 3);
    over.abort();
    await work;

    // Each was made from another state: of two from one state, one would have been lost.
    expect(new Set(saved.map(({ etag }) => etag)).size).toBe(saved.length);
    const engine = postgresEngine(parseDatabaseUrl(url), "/tmp");
    const stored = await engine.peekRecords(entities.emailSubscriptions);
    const addresses = stored.map(({ email }) => email as string);
    expect(new Set(addresses).size).toBe(addresses.length);
    const kept = new Set(addresses);
    expect(joined.filter((email) => !kept.has(email))).toEqual([]);
    expect(joined.length).toBeGreaterThan(20 * ROUNDS);
    const { name } = (await engine.peek(entities.site))!;
    expect(saved.map((each) => each.name)).toContain(name);
    for (const { url: at } of instances)
      await until(async () => (await (await fetch(`${at}/`)).text()).includes(name));
  });
});

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", origin: new URL(url).origin, ...headers },
    signal: AbortSignal.timeout(20_000),
  });

async function logIn(url: string): Promise<{ cookie: string }> {
  const answer = await post(
    `${url}/api/auth/login`,
    JSON.stringify({ username: "Ada", password: "velvet curtain nine" }),
  );
  const cookies = answer.headers.getSetCookie().map((each) => each.split(";")[0]);
  return { cookie: cookies.join("; ") };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("It did not come to that.");
    await Bun.sleep(20);
  }
}
