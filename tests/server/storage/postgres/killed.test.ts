/**
 * Three instances serve one site while they are killed and the database crashes: nothing acknowledged is lost or
 * duplicated, removed items stay removed, no list goes back in time, and the last acknowledged save is on every
 * page. `LIMELIGHT_KILLS` is the number of rounds (default 1).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { type ProgramSite, startProgram } from "../../../support/program.ts";
import { waitForValue, measureRunningTime } from "../../../support/waits.ts";

setDefaultTimeout(180_000);

/** The greatest age of a list that is read, in milliseconds. */
const MAX_STALENESS_MS = 1000;
const KILL_ROUNDS = Number(process.env["LIMELIGHT_KILLS"] ?? 1);
const LIST_PATH = "/api/email-subscriptions";

/** A change of the list, or what a read of it had; times in milliseconds. */
type WriteEvent =
  /** `endedAt`: when it was acknowledged; undefined if the result is unknown. Each item is added once. */
  | { kind: "add" | "remove"; item: string; startedAt: number; endedAt: number | undefined }
  | { kind: "read"; items: readonly string[]; startedAt: number; endedAt: number };

interface Listed {
  readonly id: string;
  readonly email: string;
}

describe.if(hasPostgres)("three instances", () => {
  const postgres = setUpPostgres({ isDurable: true });
  let url: string;
  const instances: ProgramSite[] = [];
  const startInstance = () => startProgram({ env: { DATABASE_URL: url, RATE_LIMIT: "off" } });
  /** A caller who uses the instances in turn. */
  const getCaller = (at: number) => instances[at % instances.length]!.visitor();

  beforeAll(async () => {
    url = postgres.createUrl();
    for (let at = 0; at < 3; at++) instances.push(await startInstance());
  });
  afterAll(async () => {
    await Promise.all(instances.map((each) => each.stop("SIGKILL").catch(() => undefined)));
  });

  test("lose no acknowledged change, and store nothing twice, while they are killed", async () => {
    const history: WriteEvent[] = [];
    const joined: string[] = [];
    const saved: { readonly etag: string; readonly name: string }[] = [];
    const over = new AbortController();
    /** The number of subscribers when the round began. */
    let begun = 0;
    // Time during which the machine stalls doesn't count.
    const time = measureRunningTime();

    /** Records a change of the list, and whether it was acknowledged. */
    async function write(
      kind: "add" | "remove",
      item: string,
      expected: number,
      call: () => Promise<{ readonly status: number }>,
    ): Promise<boolean> {
      const startedAt = time.readElapsedMs();
      const isDone = await call().then(
        ({ status }) => status === expected,
        () => false,
      );
      history.push({ kind, item, startedAt, endedAt: isDone ? time.readElapsedMs() : undefined });
      return isDone;
    }

    /** A visitor who joins at any instance, and tries the next one if it doesn't respond. */
    async function join(visitor: number): Promise<void> {
      for (let at = 0; !over.signal.aborted; at++) {
        const email = `visitor${visitor}-${at}@example.org`;
        const call = () => getCaller(visitor + at).post(LIST_PATH, { email });
        if (await write("add", email, 201, call)) joined.push(email);
        // The list fits into one response, however long a start takes.
        await Bun.sleep(joined.length > begun + 100 ? 300 : 30);
      }
    }

    /** The list at one instance; empty if it doesn't respond. */
    async function read(at: number, cookie: string): Promise<readonly Listed[]> {
      const startedAt = time.readElapsedMs();
      const call = getCaller(at).get(`${LIST_PATH}?limit=1000`, { cookie });
      const answer = await call.catch(() => undefined);
      if (answer?.status !== 200) return [];
      const listed: readonly Listed[] = answer.body;
      expect(listed.length).toBeLessThan(1000);
      const items = listed.map(({ email }) => email);
      history.push({ kind: "read", items, startedAt, endedAt: time.readElapsedMs() });
      return listed;
    }

    /** Reads at one instance, and removes a third of the entries at another. */
    async function tidy(owner: number): Promise<void> {
      const cookie = (await instances[owner]!.owner()).cookies();
      const removed = new Set<string>();
      for (let at = owner; !over.signal.aborted; at++) {
        const listed = await read(at, cookie);
        const candidate = listed.find(
          ({ id, email }) => isAssigned(email, owner) && !removed.has(id),
        );
        if (!candidate) continue;
        removed.add(candidate.id);
        const call = () => getCaller(at + 1).delete(`${LIST_PATH}/${candidate.id}`, { cookie });
        await write("remove", candidate.email, 204, call);
      }
    }

    /** Saves as the owner, with the ETag that each change is based on. */
    async function save(owner: number): Promise<void> {
      const cookie = (await instances[owner]!.owner()).cookies();
      for (let at = 0; !over.signal.aborted; at++) {
        const caller = getCaller(owner + at);
        const name = `${owner}-${at}`;
        try {
          const etag = (await caller.get("/api/site", { cookie })).headers.get("etag")!;
          const made = { cookie, "if-match": etag };
          const { status } = await caller.post("/api/site", { name }, made);
          if (status === 200) saved.push({ etag, name });
        } catch {
          // The instance was killed, so the next one is used.
        }
        await Bun.sleep(5);
      }
    }

    const work = Promise.all([...[0, 1, 2, 3].map(join), ...[0, 1].map(save), ...[0, 1].map(tidy)]);
    for (let round = 0; round < KILL_ROUNDS; round++) {
      begun = joined.length;
      await waitForValue(() => joined.length > begun + 20, true);
      const [killed] = instances.splice(round % instances.length, 1);
      await killed!.stop("SIGKILL").catch(() => undefined);
      await postgres.crash();
      await postgres.start();
      instances.push(await startInstance());
    }
    const before = saved.length;
    await waitForValue(() => saved.length > before + 3, true);
    over.abort();
    await work;
    time.stop();

    // Each save is based on a different state: of two based on the same, one would have been lost.
    expect(new Set(saved.map(({ etag }) => etag)).size).toBe(saved.length);
    const engine = createPostgresEngine(parseDatabaseUrl(url), "/tmp");
    const stored = await engine.readRecords(entities.emailSubscriptions);
    // The last read sees everything stored.
    const last = { startedAt: Number.MAX_VALUE, endedAt: Number.MAX_VALUE };
    history.push({ kind: "read", items: stored.map(({ email }) => email as string), ...last });
    expectPossible(history);
    expect(history.filter(({ kind }) => kind === "remove").length).toBeGreaterThan(KILL_ROUNDS);
    expect(joined.length).toBeGreaterThan(20 * KILL_ROUNDS);
    const reads = history.filter(({ kind }) => kind === "read").length;
    console.log(
      `${history.length - reads} writes to the list and ${reads} reads in ${KILL_ROUNDS} rounds`,
    );
    const { name } = (await engine.readDocument(entities.site))!;
    expect(saved.map((each) => each.name)).toContain(name);
    const cookie = (await instances[0]!.owner()).cookies();
    for (const { visitor } of instances) {
      const total = async () =>
        (await visitor().get(`${LIST_PATH}?limit=1`, { cookie })).headers.get("x-total-count");
      await waitForValue(total, String(stored.length));
      await waitForValue(async () => (await visitor().get("/")).text.includes(name), true);
    }
  });
});

/** Expects each read to have every addition acknowledged a second before, once, and nothing removed a second before. */
function expectPossible(history: readonly WriteEvent[]): void {
  const writes = history.filter((event) => event.kind !== "read");
  const removals = new Map(
    writes.flatMap((each) => (each.kind === "remove" ? [[each.item, each]] : [])),
  );
  const added = writes.filter(({ kind }) => kind === "add");
  for (const { items, startedAt, endedAt } of history.filter((event) => event.kind === "read")) {
    const listed = new Set(items);
    const wasDone = (write?: { endedAt?: number }) =>
      (write?.endedAt ?? Infinity) + MAX_STALENESS_MS < startedAt;
    const lost = added.filter(
      (add) =>
        wasDone(add) &&
        !listed.has(add.item) &&
        !((removals.get(add.item)?.startedAt ?? Infinity) <= endedAt),
    );
    const twice = items.length - listed.size;
    const returned = items.filter((item) => wasDone(removals.get(item)));
    const early = added.filter((add) => listed.has(add.item) && endedAt < add.startedAt);
    expect({ lost, twice, returned, early }).toEqual({
      lost: [],
      twice: 0,
      returned: [],
      early: [],
    });
  }
}

/** A third of the addresses for each of the two owners. */
const isAssigned = (email: string, owner: number) => {
  const number = Number(/-(\d+)@/.exec(email)![1]);
  return number % 3 === 0 && number % 2 === owner;
};
