/** Several instances of a site share one database: each sees what the others store, whatever fails. */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SQL } from "bun";
import type { Entity } from "../../../../src/schema/entities/entity.ts";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import type { Engine } from "../../../../src/server/storage/engine.ts";
import { createDocumentSpec } from "../../../../src/server/storage/entitySpecs.ts";
import { InstanceChannel } from "../../../../src/server/storage/postgres/instanceChannel.ts";
import { Database } from "../../../../src/server/storage/postgres/database.ts";
import { PgDocument, reloadDocuments } from "../../../../src/server/storage/postgres/pgDocument.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { TransactionQueue } from "../../../../src/server/storage/postgres/transactionQueue.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import { startDatabaseProxy } from "../../../support/databaseProxy.ts";
import { createSchemaName } from "../../../support/createSchemaName.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { waitForValue } from "../../../support/waits.ts";
import { appendToNote, incrementScore } from "../conformingTransactions.ts";
import {
  hero,
  insertMany,
  catchError,
  saveTitle,
  createSubscriber,
  subscribers,
  readTitle,
} from "../samples.ts";

setDefaultTimeout(120_000);

describe.if(hasPostgres)("instances of one site", () => {
  const postgres = setUpPostgres({ isDurable: true });
  let engine: Engine;
  let folder: string;
  let schema: string;
  let sql: SQL;
  let [one, other]: Store[] = [];
  const opened: Store[] = [];
  const proxies: Awaited<ReturnType<typeof startDatabaseProxy>>[] = [];
  const log: string[] = [];
  const openStore = async (entities: readonly Entity[] = [hero, subscribers]) => {
    const store = await engine.open({ entities, log: (line) => log.push(line) });
    opened.push(store);
    return store;
  };
  /** Opens another instance, whose connections to the database can fail. */
  const openBehindProxy = async () => {
    const line = await startDatabaseProxy(postgres.port);
    proxies.push(line);
    const url = postgres.createUrl(schema).replace(`:${postgres.port}/`, `:${line.port}/`);
    const store = await createPostgresEngine(parseDatabaseUrl(url), folder).open({
      entities: [hero, subscribers],
      log: (text) => log.push(text),
    });
    opened.push(store);
    return { line, store };
  };
  beforeAll(async () => {
    sql = postgres.connect();
    folder = await mkdtemp(join(tmpdir(), "limelight-staging-"));
  });
  afterAll(async () => {
    await sql.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    schema = createSchemaName();
    engine = createPostgresEngine(parseDatabaseUrl(postgres.createUrl(schema)), folder);
    one = await openStore();
    other = await openStore();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await Promise.all(proxies.splice(0).map((line) => line.stop()));
    log.length = 0;
  });

  test("a save on one instance is read on the other within 100 ms", async () => {
    const waits: number[] = [];
    for (let round = 0; round < 20; round++) {
      const received = new Promise<void>((resolve) => {
        const stop = other!.onChange((name) => name === "hero" && resolve(stop()));
      });
      await saveTitle(one!, `Round ${round}`);
      const answered = performance.now();
      await received;
      waits.push(performance.now() - answered);
      expect(other!.of(hero).read()).toEqual(one!.of(hero).read());
    }
    expect(waits.toSorted((a, b) => a - b)[10]).toBeLessThan(100);
  });

  test("simultaneous changes on two instances are all stored, each with its own revision", async () => {
    const both = Array.from({ length: 60 }, (_, at) => [one!, other!][at % 2]!);
    const saved = await Promise.all(both.map(incrementScore));
    expect(new Set(saved.map(({ revision }) => revision)).size).toBe(60);
    await retryUntilPasses(() => {
      for (const store of [one!, other!]) expect(store.of(hero).read().value.score).toBe(60);
    });
  });

  test("a save made while the old value is being reloaded isn't lost", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let seen: (() => void) | undefined;
    /** A database whose reads arrive late. */
    class SlowDatabase extends Database {
      override async read(...args: Parameters<Database["read"]>): Promise<any[]> {
        const rows = await super.read(...args);
        seen?.();
        if (seen) await held;
        return rows;
      }
    }
    const database = new SlowDatabase(parseDatabaseUrl(postgres.createUrl(schema)));
    const changes = new InstanceChannel(database, {
      onChanged: async () => {},
      reload: async () => {},
    });
    const writes = new TransactionQueue(database, changes);
    const spec = createDocumentSpec<{ title: string }>(hero);
    const document = new PgDocument(writes, spec);
    await reloadDocuments(database, [document]);
    const isRead = new Promise<void>((resolve) => (seen = resolve));
    const reading = reloadDocuments(database, [document]);
    await isRead;
    await document.update((value) => ({ ...value, title: "Meanwhile" }));
    release();
    await reading;
    expect(document.read().value.title).toBe("Meanwhile");
    await database.close();
  });

  test("of two saves on two instances, based on the same revision, one is refused", async () => {
    const { revision } = one!.of(hero).read();
    const outcomes = await Promise.allSettled(
      [one!, other!].map((store) =>
        store.of(hero).update((value, snapshot) => {
          if (snapshot.revision !== revision) throw new Error("changed elsewhere");
          return { ...value, title: "mine" };
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("two instances return the same counts, and a unique key can be used on only one of them", async () => {
    const lists = [one!.of(subscribers), other!.of(subscribers)] as const;
    await Promise.all([insertMany(lists[0], 120), insertMany(lists[1], 120, {}, 120)]);
    const twins = await Promise.allSettled(
      lists.map((list, at) =>
        list.insert(createSubscriber(900 + at, { email: "same@example.org" })),
      ),
    );
    expect(twins.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await Promise.all([
      lists[0].deleteWhere({ active: false }),
      lists[1].update("id-2", (record) => ({ ...record, active: false })),
    ]);
    const stored = await lists[0].readKeys();
    for (const list of lists) {
      expect(await list.count()).toBe(stored.length);
      const active = stored.filter((each) => each.active).length;
      expect(await list.count({ active: true })).toBe(active);
      expect(await list.measureBytes()).toBe(await lists[0].measureBytes());
    }
  });

  test("transactions on both instances run one after the other, whatever entity they change first", async () => {
    await one!.of(subscribers).insert(createSubscriber(1));
    const both = Array.from({ length: 40 }, (_, at) =>
      [one!, other!][at % 2]!.transaction(async (transaction) => {
        const steps = [incrementScore, appendToNote];
        for (const step of at % 4 < 2 ? steps : steps.toReversed()) await step(transaction);
        const { score } = (await transaction.of(hero).read()).value;
        expect((await transaction.of(subscribers).get("id-1"))?.note).toBe("+".repeat(score));
      }),
    );
    await Promise.all(both);
    await retryUntilPasses(() => {
      for (const store of [one!, other!]) expect(store.of(hero).read().value.score).toBe(40);
    });
    expect(log).toEqual([]);
  });

  test("listeners on another instance are notified only when they can read the whole transaction", async () => {
    const received: unknown[] = [];
    const titles = (store: Store) =>
      [hero, second].map((entity) => store.of(entity).read().value.title);
    const second = { ...hero, name: "second" };
    const [writer, listener] = [await openStore([hero, second]), await openStore([hero, second])];
    listener.onChange((name) => received.push([name, ...titles(listener)]));
    await writer.transaction(async (transaction) => {
      await transaction.of(second).update((value) => ({ ...value, title: "Both" }));
      await transaction.of(hero).update((value) => ({ ...value, title: "Both" }));
    });
    await retryUntilPasses(() => expect(received).toHaveLength(2));
    expect(received).toEqual([
      ["hero", "Both", "Both"],
      ["second", "Both", "Both"],
    ]);
  });

  test("a transaction that the database aborts to break a deadlock is retried", async () => {
    await one!.of(subscribers).insert(createSubscriber(1));
    const table = `"${schema}"."records-subscribers"`;
    let runs = 0;
    const held = Promise.withResolvers<void>();
    const byHand = postgres.connect();
    // A manual transaction locks the two rows in the other order, and waits longer.
    const inOtherOrder = byHand.begin(async (transaction) => {
      await transaction.unsafe("set local deadlock_timeout = '1min'");
      await transaction.unsafe(`update ${table} set version = version where id = 'id-1'`);
      held.resolve();
      await retryUntilPasses(() => expect(runs).toBe(1));
      await transaction.unsafe(
        `update "${schema}".documents set version = version where name = 'hero'`,
      );
    });
    await held.promise;
    await one!.transaction(async (transaction) => {
      await incrementScore(transaction);
      runs++;
      await transaction.of(subscribers).update("id-1", (record) => ({ ...record, note: "once" }));
    });
    await inOtherOrder;
    await byHand.close();
    expect(runs).toBeGreaterThan(1);
    expect(one!.of(hero).read().value.score).toBe(1);
    expect((await one!.of(subscribers).get("id-1"))?.note).toBe("once");
  });

  test("an instance whose database connections were cut reloads everything", async () => {
    await sql.unsafe(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'limelight %'",
    );
    await retryUntilPasses(() => saveTitle(one!, "After the cut"));
    await retryUntilPasses(() => other!.of(subscribers).insert(createSubscriber(1)));
    await retryUntilPasses(() => expect(readTitle(other!)).toBe("After the cut"));
    expect(await one!.of(subscribers).count()).toBe(1);
  });

  test("an instance whose connection for notifications stops responding reconnects within seconds", async () => {
    const { line, store: behind } = await openBehindProxy();
    expect(line.freeze(/listen "limelight/i)).toBe(1);
    const frozen = performance.now();
    await saveTitle(one!, "Stored elsewhere");
    await retryUntilPasses(() => expect(readTitle(behind)).toBe("Stored elsewhere"));
    expect(performance.now() - frozen).toBeLessThan(9000);
    await behind.checkHealth();
    const saved = performance.now();
    await saveTitle(one!, "And again");
    await retryUntilPasses(() => expect(readTitle(behind)).toBe("And again"));
    expect(performance.now() - saved).toBeLessThan(1000);
  });

  test("an instance replaces its database connections when all of them stop responding", async () => {
    const { line, store: behind } = await openBehindProxy();
    // So many calls at once use every connection, and may open some that aren't frozen.
    const count = () =>
      Promise.allSettled(Array.from({ length: 30 }, () => behind.of(subscribers).count()));
    await count();
    expect(line.freeze(/./)).toBeGreaterThan(5);
    const frozen = performance.now();
    const errors = (await count()).flatMap((each) =>
      each.status === "rejected" ? [each.reason] : [],
    );
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ code: "cannot_store" });
    // Sooner than the server closes a connection that waits for a response.
    expect(performance.now() - frozen).toBeLessThan(9500);
    expect((await catchError(behind.checkHealth())).message).toMatch(
      /isn't receiving|can't be reached/,
    );
    await saveTitle(one!, "Stored while it was cut off");
    await retryUntilPasses(() => saveTitle(behind, "Stored after it"));
    await retryUntilPasses(() => behind.checkHealth());
    expect(performance.now() - frozen).toBeLessThan(40_000);
    await retryUntilPasses(() => expect(readTitle(one!)).toBe("Stored after it"));
  });

  test("a caller learns whether a change was stored, or that this is unknown, if the commit's response is lost", async () => {
    const { line, store } = await openBehindProxy();
    for (let round = 0; round < 5; round++) {
      line.loseResponse(/commit/i);
      expect((await saveTitle(store, `Kept ${round}`)).value.title).toBe(`Kept ${round}`);
      expect(readTitle(store)).toBe(`Kept ${round}`);
    }
    // A request that never arrived is refused as before.
    line.loseRequest(/commit/i);
    expect((await catchError(saveTitle(store, "Lost"))).message).toMatch(/othing was changed/);
    // Nor does it count as stored if the response to its recorded refusal is lost.
    line.loseRequest(/commit/i);
    line.loseResponse(/on conflict do nothing/);
    expect((await catchError(saveTitle(store, "Lost"))).message).toMatch(/othing was changed/);
    line.loseResponse(/commit/i, true);
    expect((await catchError(saveTitle(store, "Perhaps"))).message).toContain("We don't know");
    line.open();
    await retryUntilPasses(() => expect(readTitle(store)).toBe("Perhaps"));
  });

  test("a save lost in a database crash isn't taken for a later transaction with the same number", async () => {
    const { line, store } = await openBehindProxy();
    await using byHand = postgres.connect();
    await byHand.unsafe("alter system set wal_writer_delay = '10s'");
    await byHand.unsafe("select pg_reload_conf()");
    await Bun.sleep(500);
    line.loseRequest(/commit/i, true);
    const refused = catchError(saveTitle(store, "Lost"));
    await waitForValue(async () => line.isClosed(), true);
    await postgres.crash();
    await postgres.start();
    // Uses every number that the crash freed.
    for (let at = 0; at < 30; at++) await byHand.unsafe("select pg_current_xact_id()");
    for (let at = 0; at < 2; at++) await byHand.unsafe("checkpoint");
    line.open();
    expect((await refused).message).toMatch(/othing was changed/);
    expect(readTitle(store)).not.toBe("Lost");
    await retryUntilPasses(() => saveTitle(store, "After"));
    expect(readTitle(store)).toBe("After");
  });

  test("while the database is unreachable values can be read and writes are refused, and afterwards everything works", async () => {
    await saveTitle(one!, "Before");
    await postgres.crash();
    for (const lost of [saveTitle(one!, "Lost"), one!.of(subscribers).insert(createSubscriber(1))])
      expect(await catchError(lost)).toMatchObject({ code: "cannot_store" });
    expect((await catchError(one!.checkHealth())).message).toContain("database can't be reached");
    expect(readTitle(one!)).toBe("Before");
    await postgres.start();
    await retryUntilPasses(() => saveTitle(one!, "After"));
    await retryUntilPasses(() => {
      for (const store of [one!, other!]) expect(readTitle(store)).toBe("After");
    });
    await one!.checkHealth();
    // A serving instance locks a restore out again.
    await retryUntilPasses(async () => {
      const release = await engine.lock().catch(() => undefined);
      release?.();
      expect(release).toBeUndefined();
    });
  });

  test("a job runs on one instance at a time, and another takes over if that instance loses its connection", async () => {
    const done: string[] = [];
    const start = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = one!.coordinator.runExclusively("letters", async (isOurs) => {
      expect(await isOurs()).toBe(true);
      start.resolve();
      await end.promise;
      return `still ours: ${await isOurs()}`;
    });
    await start.promise;
    expect(await one!.coordinator.runExclusively("letters", async () => "again")).toBeUndefined();
    expect(await other!.coordinator.runExclusively("letters", async () => "other")).toBeUndefined();
    expect(await other!.coordinator.runExclusively("backups", async () => "another job")).toBe(
      "another job",
    );
    await sql.unsafe(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'",
    );
    await retryUntilPasses(async () => {
      done.push(
        (await other!.coordinator.runExclusively("letters", async () => "taken over")) ?? "waiting",
      );
      expect(done.at(-1)).toBe("taken over");
    });
    end.resolve();
    expect(await first).toBe("still ours: false");
  });

  test("a published message reaches the other instances' subscribers to its topic, and not the sender", async () => {
    const received: unknown[] = [];
    for (const [name, store] of Object.entries({ one: one!, other: other! }))
      store.coordinator.subscribe("limit", (payload) => received.push([name, ...payload]));
    one!.coordinator.publish("another topic", ["nobody"]);
    for (let at = 0; at < 100; at++) one!.coordinator.publish("limit", ["203.0.113.7", at, null]);
    await retryUntilPasses(() => expect(received).toHaveLength(100));
    expect(received[99]).toEqual(["other", "203.0.113.7", 99, null]);
  });

  test("every instance is listed as having the site open", async () => {
    expect(await engine.findLockHolders()).toHaveLength(2);
    await other!.close();
    expect(await engine.findLockHolders()).toEqual([`127.0.0.1 limelight ${process.pid}`]);
  });

  test("a restore begins only where no other instance is serving", async () => {
    const [before, staging] = [".before-restore-1", ".restore-1"];
    const note = { before, emptied: false, staging, isCarried: false, keeps: [] };
    const refused = await catchError(engine.replacement.begin(note));
    expect(refused.message).toContain("Several instances are serving");
    await other!.close();
    await engine.replacement.begin(note);
    await engine.replacement.end();
  });

  test("older data is migrated only by an instance that starts alone", async () => {
    await insertMany(one!.of(subscribers), 3);
    const next: Entity = {
      ...subscribers,
      version: 2,
      migrations: { 1: (record) => ({ ...(record as object), note: "migrated" }) },
    };
    expect((await catchError(openStore([hero, next]))).message).toContain(
      "other instances are running",
    );
    await Promise.all([one!.close(), other!.close()]);
    const newer = (await openStore([hero, next])).of(next as typeof subscribers);
    expect((await newer.get("id-1"))?.note).toBe("migrated");
    expect((await newer.readPage({ search: "migrated", offset: 0, limit: 1 })).total).toBe(3);
    await opened.at(-1)!.close();
    expect((await catchError(openStore())).message).toContain("newer release");
    await sql.unsafe(`update "${schema}".meta set value = '2' where name = 'tableVersion'`);
    expect((await catchError(openStore([hero, next]))).message).toContain(
      "set up by a newer release",
    );
  });

  /** The number of matching records in the table and in its unique index. */
  async function startHeldTransaction(): Promise<unknown> {
    await sql.unsafe("create extension if not exists pageinspect");
    const table = `"${schema}"."records-subscribers`;
    const [row] = await sql.unsafe(
      `select (select count(t_data)::int from heap_page_items(get_raw_page('${table}"', 0))) as stored,
        (select count(*)::int from bt_page_items('${table}_uniq_key"', 1)) as indexed`,
    );
    return row;
  }

  test("deleted or changed data is in no table and no index after the vacuum", async () => {
    await insertMany(one!.of(subscribers), 3);
    await one!.transaction(async (transaction) => {
      await transaction.of(subscribers).delete("id-1");
      await transaction
        .of(subscribers)
        .update("id-2", (record) => ({ ...record, email: "moved@example.org" }));
    });
    expect(await startHeldTransaction()).toEqual({ stored: 4, indexed: 4 });
    await one!.purgeOldVersions();
    expect(await startHeldTransaction()).toEqual({ stored: 2, indexed: 2 });
  });

  test("the vacuum waits for a backup that may still read the data", async () => {
    const list = one!.of(subscribers);
    await insertMany(list, 3);
    const files = engine.readFiles()[Symbol.asyncIterator]();
    await files.next();
    await list.delete("id-1");
    let isDone = false;
    const done = one!.purgeOldVersions().then(() => (isDone = true));
    const waiting = () =>
      sql.unsafe(`select count(*)::int as asked from pg_stat_activity
        where query like '%backend_xmin is not null%' and pid <> pg_backend_pid()`);
    await waitForValue(waiting, [{ asked: 1 }]);
    expect([isDone, await startHeldTransaction()]).toEqual([false, { stored: 3, indexed: 3 }]);
    await files.return?.();
    await done;
    expect(await startHeldTransaction()).toEqual({ stored: 2, indexed: 2 });
  });

  test("a search with thousands of results is paged and counted like one with a few", async () => {
    const list = one!.of(subscribers);
    await insertMany(list, 2100, { note: "of the choir" });
    await insertMany(list, 3, { note: "alone" }, 2100);
    const request = (search: string) => ({ search, newestFirst: true, offset: 2, limit: 2 });
    const searchFor = (search: string) => list.readPage(request(search));
    const [many, few] = [await searchFor("choir"), await searchFor("alone")];
    // Concurrent inserts are stored in any order.
    const stored = await Array.fromAsync(list.scan({ newestFirst: true }));
    const expected = (note: string) => stored.filter((each) => each.note === note).slice(2, 4);
    expect([many.total, many.items]).toEqual([2100, expected("of the choir")]);
    expect([few.total, few.items]).toEqual([3, expected("alone")]);
  });

  test("a database that is missing, isn't UTF-8, or isn't writable is reported with a message", async () => {
    for (const statement of [
      "create database letters encoding 'LATIN1' locale 'C' template template0",
      "create role guest login",
    ])
      await sql.unsafe(statement);
    const cases = [
      [postgres.address.replace("/postgres", "/nowhere"), 'Create it with "createdb -O"'],
      [postgres.address.replace("/postgres", "/letters"), "is LATIN1, but must be UTF8. Create"],
      [postgres.createUrl().replace("limelight@", "guest@"), "isn't allowed to create tables"],
    ] as const;
    for (const [address, words] of cases) expect(await catchRefusalAt(address)).toContain(words);
  });

  test("a standby server and a PostgreSQL older than 14 are refused with a message", async () => {
    await saveTitle(one!, "Replicated");
    const standby = await postgres.startStandby();
    const primaryUrl = postgres.createUrl(schema);
    const standbyUrl = primaryUrl.replace(`:${postgres.port}`, `:${standby.port}`);
    expect(await catchRefusalAt(standbyUrl)).toContain(
      "is a standby, which is read-only. Use its primary",
    );
    await standby.promote();
    expect(await catchRefusalAt(standbyUrl)).toBe("");
    await standby.remove();
    // A role for which the server's version is 13.
    for (const statement of [
      "create role dated superuser login",
      "create schema dated",
      `create function dated.current_setting(text) returns text language sql as
        $$ select case $1 when 'server_version_num' then '130023' else pg_catalog.current_setting($1) end $$`,
      "alter role dated set search_path = dated, pg_catalog",
    ])
      await sql.unsafe(statement);
    const old = await catchRefusalAt(primaryUrl.replace("limelight@", "dated@"));
    expect(old).toContain("runs on a PostgreSQL older than 14. Upgrade it");
  });

  test("records can be queried by a newly declared key after the next start", async () => {
    await insertMany(one!.of(subscribers), 3, { note: "seen" });
    await Promise.all([one!.close(), other!.close()]);
    const more = { ...subscribers, keys: ["active", "note"] } as unknown as typeof subscribers;
    const list = (await openStore([hero, more])).of(more);
    expect(await list.readKeys({ note: "seen" } as never)).toHaveLength(3);
  });
});

/** The message with which a site at this address is refused; empty if it accepts a save. */
async function catchRefusalAt(address: string): Promise<string> {
  const engine = createPostgresEngine(parseDatabaseUrl(address), tmpdir());
  try {
    const store = await engine.open({ entities: [hero, subscribers], log: () => {} });
    await saveTitle(store, "Promoted");
    await store.close();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  ["where nobody listens", "postgres://a:secret@127.0.0.1:1/site"],
  ["with a name that is not known", "postgres://a:secret@no-such-host.invalid/site"],
])("a database %s is reported with a message, without the password", async (_, url) => {
  const message = await catchRefusalAt(url);
  expect(message).toContain("can't be used");
  expect(message).not.toContain("secret");
});

/** Retries until it no longer throws; fails with the last error. */
async function retryUntilPasses(work: () => unknown): Promise<void> {
  let last: unknown;
  const passes = async () => {
    try {
      await work();
      return true;
    } catch (error) {
      last = error;
      return false;
    }
  };
  await waitForValue(passes, true, () => String(last));
}
