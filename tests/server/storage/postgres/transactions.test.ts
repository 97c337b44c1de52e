/**
 * A transaction is stored completely or not at all, even if a process is killed during it, or the database crashes
 * or is away. `LIMELIGHT_AWAY` is its absence in seconds (default 3).
 */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { waitForValue } from "../../../support/waits.ts";
import { hero, subscribers } from "../samples.ts";
import { SAMPLE_ENTITIES, runSampleTransaction, readCompleteIds } from "./sampleTransaction.ts";

setDefaultTimeout(180_000);

const OUTAGE_SECONDS = Number(process.env["LIMELIGHT_AWAY"] ?? 3);

describe.if(hasPostgres)("several entities changed at once", () => {
  const postgres = setUpPostgres({ isDurable: true });
  let url: string;
  const opened: Store[] = [];
  const children: Bun.Subprocess[] = [];
  const openStore = async () => {
    const engine = createPostgresEngine(parseDatabaseUrl(url), tmpdir());
    const store = await engine.open({ entities: SAMPLE_ENTITIES, log: () => {} });
    opened.push(store);
    return store;
  };

  beforeEach(() => void (url = postgres.createUrl()));
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  /** Another instance in its own process, in the middle of a transaction; `said` has the lines that it prints. */
  function startHalf() {
    const file = join(import.meta.dir, "halfTransaction.ts");
    const pipes = { stdout: "pipe", stderr: "inherit" } as const;
    const child = Bun.spawn([process.execPath, file, url], pipes);
    children.push(child);
    const lines: string[] = [];
    const reading = (async () => {
      let all = "";
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        all += text;
        lines.splice(0, lines.length, ...all.split("\n").slice(0, -1));
      }
    })();
    const kill = async () => {
      child.kill("SIGKILL");
      await Promise.all([child.exited, reading]);
    };
    return { said: lines, kill };
  }

  test("a transaction whose process is killed between two statements stores nothing and blocks no other", async () => {
    const store = await openStore();
    const child = startHalf();
    await waitForValue(async () => child.said, ["half"]);
    // This transaction waits for the lock of the other process.
    const mine = runSampleTransaction(store, "mine");
    expect(await readCompleteIds(store)).toEqual(new Set());
    await child.kill();
    await mine;
    expect(await readCompleteIds(store)).toEqual(new Set(["mine"]));
    expect(await readCompleteIds(await openStore())).toEqual(new Set(["mine"]));
  });

  /** Changes at two instances as fast as possible until `work` ends; returns what was acknowledged. */
  async function withWrites(work: (acknowledged: readonly string[]) => Promise<void>) {
    const stores = [await openStore(), await openStore()];
    const acknowledged: string[] = [];
    const refused: Error[] = [];
    const over = new AbortController();
    const working = stores.flatMap((store, at) =>
      [0, 1, 2].map(async (worker) => {
        for (let number = 0; !over.signal.aborted; number++) {
          const id = `${at}-${worker}-${number}`;
          await runSampleTransaction(store, id).then(
            () => acknowledged.push(id),
            (error: Error) => refused.push(error),
          );
        }
      }),
    );
    await work(acknowledged);
    over.abort();
    await Promise.all(working);
    const [first, second] = stores as [Store, Store];
    // Both instances also hold in memory what was stored without a response.
    await waitForValue(async () => {
      const stored = await first.of(subscribers).count();
      return stores.every((store) => store.of(hero).read().value.score === stored);
    }, true);
    const stored = await readCompleteIds(first);
    expect(await readCompleteIds(second)).toEqual(stored);
    expect(await readCompleteIds(await openStore())).toEqual(stored);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    for (const error of refused) expect(error).toMatchObject({ code: "cannot_store" });
    // A refused transaction may have been stored if its connection was lost at the end: at most one for each
    // connection and crash.
    return { refused: refused.length, unknown: stored.size - acknowledged.length };
  }
  const waitForMore = (acknowledged: readonly string[], many: number) => {
    const before = acknowledged.length;
    return waitForValue(async () => acknowledged.length > before + many, true);
  };

  test("after a database crash each transaction is stored completely or not at all, and both instances agree", async () => {
    const { refused, unknown } = await withWrites(async (acknowledged) => {
      for (const outageMs of [0, OUTAGE_SECONDS * 1000]) {
        await waitForMore(acknowledged, 30);
        await postgres.crash();
        await Bun.sleep(outageMs);
        await postgres.start();
      }
      await waitForMore(acknowledged, 30);
    });
    expect(refused).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(6);
  });

  test("a transaction that was stored although its connection was cut is found and acknowledged", async () => {
    const sql = postgres.connect();
    // Commits wait for a missing standby, until their connection is cut.
    const awaitStandby = async (name: string) => {
      await sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
      await sql.unsafe("select pg_reload_conf()");
      // Connections notice the setting one after the other.
      const readStandbyNames = async () => (await sql.unsafe("show synchronous_standby_names"))[0];
      await waitForValue(readStandbyNames, { synchronous_standby_names: name });
      await Bun.sleep(100);
    };
    await awaitStandby("");
    const store = await openStore();
    const notified: string[] = [];
    store.onChange((name) => notified.push(name));
    await awaitStandby("nobody");
    const stored = runSampleTransaction(store, "cut");
    const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
    const cut = async () =>
      (await sql.unsafe(`select pg_terminate_backend(pid) ${waiting}`)).length;
    await waitForValue(cut, 1);
    await stored;
    await awaitStandby("");
    await sql.close();
    await waitForValue(() => store.of(hero).read().value.score, 1);
    expect(await readCompleteIds(store)).toEqual(new Set(["cut"]));
    const names = SAMPLE_ENTITIES.map(({ name }) => name);
    await waitForValue(() => names.filter((name) => !notified.includes(name)), []);
  });

  test("a transaction whose connection is cut during the commit is acknowledged only if it was stored", async () => {
    const sql = postgres.connect();
    await withWrites(async (acknowledged) => {
      for (let round = 0; round < 5; round++) {
        await waitForMore(acknowledged, 5);
        await sql.unsafe(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name like 'limelight %' and state <> 'idle' and pid <> pg_backend_pid()`,
        );
      }
    });
    await sql.close();
  });
});
