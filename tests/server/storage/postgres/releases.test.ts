/** A database from an earlier release opens, and that release continues beside this one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import type { SQL } from "bun";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";
import { hero, subscriber, subscribers } from "../samples.ts";

setDefaultTimeout(60_000);

/** How each release created its columns for counting: never, in a separate table, or while others served. */
const COUNTING = {
  "without columns": { column: "", after: [] },
  "with columns that the database makes": {
    column: `, "facet-active" text generated always as ((keys->>'active')) stored`,
    after: [
      `create index "subscribers-counts" on "records-subscribers" ("facet-active", bytes)`,
      "insert into meta values ('counted subscribers', 'active')",
    ],
  },
  "with columns that a trigger fills": {
    column: `, "facet-active" text`,
    after: [
      `create function "subscribers-facets"() returns trigger language plpgsql as
        $$ begin new."facet-active" := new.keys->>'active'; return new; end $$`,
      `create trigger facets before insert or update on "records-subscribers"
        for each row execute function "subscribers-facets"()`,
      `create index "subscribers-counts" on "records-subscribers" ("facet-active", bytes)`,
      "insert into meta values ('counted subscribers', 'active')",
    ],
  },
  "whose columns were not yet filled when it ended": {
    column: `, "facet-active" text, "facet-gone" text`,
    after: [],
  },
} as const;

const COLUMNS = '{"version":1,"keys":["active"],"unique":"email","named":["email","note"]}';

/** The statements of the release before counts. */
const tables = ({ column, after }: (typeof COUNTING)[keyof typeof COUNTING]): string[] => [
  "create table meta (name text primary key, value text not null)",
  `create table documents (name text primary key, version int not null,
    revision bigint not null, saved_at text not null, value json not null)`,
  `create table history (name text not null, revision bigint not null, version int not null,
    saved_at text not null, value json not null, primary key (name, revision))`,
  `create table "records-subscribers" (
    seq bigint generated always as identity primary key, id text not null unique, uniq text unique,
    version int not null, keys jsonb not null, search text not null, bytes int not null,
    value json not null${column})`,
  `create index "subscribers-active" on "records-subscribers" ((keys->>'active'), seq)`,
  `insert into documents values ('hero', 1, 2, '2026-11-23T16:03:12.022Z', '{"title":"Old","tags":["new"],"score":0}')`,
  `insert into history values ('hero', 1, 1, '2026-11-23T16:03:11.402Z', '{"title":"First","tags":["new"],"score":0}')`,
  `insert into meta values ('form', '1'), ('siteId', '7ec2df8d-e7c0-4bc2-b8ea-5b39e24ec033'),
    ('createdAt', '2026-11-23T16:03:11.888Z'), ('nobody', ''), ('entities', '["hero","subscribers"]'),
    ('secret', 'K9kysYBK+qBDaIfT+9O1mBLBTmDKLyHjZ5+d1d6iyng='), ('columns subscribers', '${COLUMNS}')`,
  ...after,
];

describe.if(hasPostgres)("a database of an earlier release", () => {
  const postgres = postgresForAll();
  let sql: SQL;
  beforeAll(() => void (sql = postgres.sql()));
  afterAll(() => sql.close());

  test.each(Object.entries(COUNTING))(
    "%s opens, counts, and is written to by both",
    async (_, counting) => {
      const schema = newSchema();
      /** Writes like that release, which names the columns that it knows. */
      const written = (...numbers: number[]) =>
        numbers.map((number) => {
          const record = subscriber(number);
          const value = JSON.stringify(record);
          return `insert into "${schema}"."records-subscribers" (id, uniq, version, keys, search, bytes, value)
          values ('${record.id}', '${record.email}', 1, '{"active":${record.active}}', '${record.email}', ${value.length}, '${value}')`;
        });
      await sql.begin(async (transaction) => {
        await transaction.unsafe(`create schema "${schema}"`);
        await transaction.unsafe(`set local search_path = "${schema}"`);
        for (const statement of [...tables(counting), ...written(0, 1, 2)])
          await transaction.unsafe(statement);
      });
      const engine = postgresEngine(parseDatabaseUrl(postgres.url(schema)), tmpdir());
      const open = () => engine.open({ entities: [hero, subscribers] });
      const store = await open();
      const list = store.of(subscribers);
      const counts = async () => [await list.count(), await list.count({ active: true })];
      expect(store.of(hero).read().value.title).toBe("Old");
      expect(await counts()).toEqual([3, 2]);
      await list.insert(subscriber(4));
      for (const statement of written(6, 7)) await sql.unsafe(statement);
      expect(await counts()).toEqual([6, 4]);
      const columns: { name: string; made: string }[] = await sql.unsafe(
        `select attname as name, attgenerated as made from pg_attribute
        where attrelid = '"${schema}"."records-subscribers"'::regclass and attname like 'facet-%' and not attisdropped`,
      );
      expect(columns).toEqual([{ name: "facet-active", made: "s" }]);
      const left = await sql.unsafe(
        `select tgname from pg_trigger where not tgisinternal and tgrelid = '"${schema}"."records-subscribers"'::regclass
        union all select proname from pg_proc where pronamespace = '"${schema}"'::regnamespace
        union all select indexname from pg_indexes where schemaname = '${schema}' and indexname like '%-counts'`,
      );
      expect([...left]).toEqual([]);
      await store.close();
      const again = await open();
      expect(await again.of(subscribers).count({ active: false })).toBe(2);
      await again.close();
    },
  );

  test("notices from an instance of an earlier release are understood", async () => {
    const schema = newSchema();
    const engine = postgresEngine(parseDatabaseUrl(postgres.url(schema)), tmpdir());
    const store = await engine.open({ entities: [hero, subscribers] });
    const notified = new Promise<string>((resolve) => {
      store.onChange((name) => name === "hero" && resolve(store.of(hero).read().value.title));
    });
    await sql.unsafe(
      `with changed as (update "${schema}".documents set revision = 2, value = '{"title":"There","tags":[],"score":0}'
          where name = 'hero' returning name)
        select pg_notify('limelight_${schema}', '0123-4567 812 {"document":"hero","revision":2}') from changed`,
    );
    expect(await notified).toBe("There");
    await store.close();
  });
});
