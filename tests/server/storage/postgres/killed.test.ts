/**
 * Three instances of the program serve one site while they are killed and the database crashes: nothing that
 * was acknowledged is lost, nothing is there twice, what was removed stays away, nobody reads an older list than
 * before, and the last save that was acknowledged is on every page.
 * LIMELIGHT_KILLS is the number of rounds (default 2).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { type Event, faultsIn } from "../../../support/listHistory.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";
import { runningTime } from "../../../support/waits.ts";

setDefaultTimeout(180_000);

/** How old a list may be that is read, in milliseconds. */
const AS_OLD_AS = 1000;
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
    const history: Event[] = [];
    const joined: string[] = [];
    const saved: { readonly etag: string; readonly name: string }[] = [];
    const over = new AbortController();
    /** How many had joined when the round began. */
    let begun = 0;
    // A machine that stands still makes no list older.
    const time = runningTime();

    /** A visitor who goes to any instance, and to another when one does not answer. */
    async function join(visitor: number): Promise<void> {
      for (let at = 0; !over.signal.aborted; at++) {
        const email = `visitor${visitor}-${at}@example.org`;
        const { url: to } = instances[(visitor + at) % instances.length]!;
        const body = JSON.stringify({ email });
        const began = time.passed();
        const answer = await post(`${to}/api/email-subscriptions`, body).catch(() => undefined);
        const isDone = answer?.status === 201;
        if (isDone) joined.push(email);
        const ended = isDone ? time.passed() : undefined;
        history.push({ kind: "add", item: email, began, ended });
        // All of them fit into one answer, however long a start takes.
        await Bun.sleep(joined.length > begun + 100 ? 300 : 30);
      }
    }

    /** The list as an instance has it; undefined when it doesn't answer. */
    async function read(at: number, headers: object): Promise<readonly Listed[] | undefined> {
      const { url: to } = instances[at % instances.length]!;
      const began = time.passed();
      const path = `${to}/api/email-subscriptions?limit=1000`;
      const answer = await fetch(path, { headers: { ...headers } }).catch(() => undefined);
      const listed = answer?.ok ? ((await answer.json()) as Listed[]) : undefined;
      if (!listed) return undefined;
      expect(listed.length).toBeLessThan(1000);
      const items = listed.map(({ email }) => email);
      history.push({ kind: "read", items, began, ended: time.passed() });
      return listed;
    }

    /** Reads at one instance, and removes one in three of what is there at another. */
    async function tidy(owner: number): Promise<void> {
      const headers = await logIn(instances[owner]!.url);
      const asked = new Set<string>();
      for (let at = owner; !over.signal.aborted; at++) {
        const listed = (await read(at, headers)) ?? [];
        const found = listed.find(({ id, email }) => isMeant(email, owner) && !asked.has(id));
        if (!found) continue;
        asked.add(found.id);
        const { url: to } = instances[(at + 1) % instances.length]!;
        const began = time.passed();
        const answer = await fetch(`${to}/api/email-subscriptions/${found.id}`, {
          method: "DELETE",
          headers: { ...headers, origin: new URL(to).origin },
        }).catch(() => undefined);
        const ended = answer?.status === 204 ? time.passed() : undefined;
        history.push({ kind: "remove", item: found.email, began, ended });
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

    const work = Promise.all([...[0, 1, 2, 3].map(join), ...[0, 1].map(save), ...[0, 1].map(tidy)]);
    for (let round = 0; round < ROUNDS; round++) {
      begun = joined.length;
      await until(() => joined.length > begun + 20);
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
    time.stop();

    // Each was made from another state: of two from one state, one would have been lost.
    expect(new Set(saved.map(({ etag }) => etag)).size).toBe(saved.length);
    const engine = postgresEngine(parseDatabaseUrl(url), "/tmp");
    const stored = await engine.peekRecords(entities.emailSubscriptions);
    // What is stored is read from now on.
    const last = { began: Number.MAX_VALUE, ended: Number.MAX_VALUE };
    history.push({ kind: "read", items: stored.map(({ email }) => email as string), ...last });
    expect(faultsIn(history, AS_OLD_AS)).toEqual([]);
    expect(history.filter(({ kind }) => kind === "remove").length).toBeGreaterThan(ROUNDS);
    const headers = await logIn(instances[0]!.url);
    for (const { url: at } of instances)
      await until(async () => {
        const answer = await fetch(`${at}/api/email-subscriptions?limit=1`, { headers });
        return Number(answer.headers.get("x-total-count")) === stored.length;
      });
    expect(joined.length).toBeGreaterThan(20 * ROUNDS);
    const reads = history.filter(({ kind }) => kind === "read").length;
    console.log(
      `${history.length - reads} writes to the list and ${reads} reads in ${ROUNDS} rounds`,
    );
    const { name } = (await engine.peek(entities.site))!;
    expect(saved.map((each) => each.name)).toContain(name);
    for (const { url: at } of instances)
      await until(async () => (await (await fetch(`${at}/`)).text()).includes(name));
  });
});

interface Listed {
  readonly id: string;
  readonly email: string;
}

/** One in three, and each by one of the two who tidy. */
const isMeant = (email: string, owner: number) => {
  const number = Number(/-(\d+)@/.exec(email)![1]);
  return number % 3 === 0 && number % 2 === owner;
};

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
