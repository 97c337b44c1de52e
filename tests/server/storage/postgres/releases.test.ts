/** A database from an earlier release opens, and that release continues beside this one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import type { SQL } from "bun";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { createSchemaName } from "../../../support/createSchemaName.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { hero, createSubscriber, subscribers } from "../samples.ts";

setDefaultTimeout(60_000);

const COLUMNS = '{"version":1,"keys":["active"],"unique":"email","named":["email","note"]}';

/** The statements of a build before transactions stored marks. */
const TABLES = [
  "create table meta (name text primary key, value text not null)",
  `create table documents (name text primary key, version int not null,
    revision bigint not null, saved_at text not null, value json not null)`,
  `create table history (name text not null, revision bigint not null, version int not null,
    saved_at text not null, value json not null, primary key (name, revision))`,
  `create table "records-subscribers" (
    seq bigint generated always as identity primary key, id text not null unique, uniq text unique,
    version int not null, keys jsonb not null, search text not null, bytes int not null,
    value json not null, "facet-active" text generated always as ((keys->>'active')) stored)`,
  `create index "subscribers-active" on "records-subscribers" ((keys->>'active'), seq)`,
  `insert into documents values ('hero', 1, 2, '2026-11-23T16:03:12.022Z', '{"title":"Old","tags":["new"],"score":0}')`,
  `insert into history values ('hero', 1, 1, '2026-11-23T16:03:11.402Z', '{"title":"First","tags":["new"],"score":0}')`,
  `insert into meta values ('form', '1'), ('siteId', '7ec2df8d-e7c0-4bc2-b8ea-5b39e24ec033'),
    ('createdAt', '2026-11-23T16:03:11.888Z'), ('nobody', ''), ('entities', '["hero","subscribers"]'),
    ('secret', 'K9kysYBK+qBDaIfT+9O1mBLBTmDKLyHjZ5+d1d6iyng='), ('columns subscribers', '${COLUMNS}')`,
];

describe.if(hasPostgres)("a database of an earlier release", () => {
  const postgres = setUpPostgres();
  let sql: SQL;
  beforeAll(() => void (sql = postgres.connect()));
  afterAll(() => sql.close());

  test("opens with correct counts, and the earlier release can still write to it", async () => {
    const schema = createSchemaName();
    /** The statements of that release, which names the columns that it knows. */
    const written = (...numbers: number[]) =>
      numbers.map((number) => {
        const record = createSubscriber(number);
        const value = JSON.stringify(record);
        return `insert into "${schema}"."records-subscribers" (id, uniq, version, keys, search, bytes, value)
          values ('${record.id}', '${record.email}', 1, '{"active":${record.active}}', '${record.email}', ${value.length}, '${value}')`;
      });
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`create schema "${schema}"`);
      await transaction.unsafe(`set local search_path = "${schema}"`);
      for (const statement of [...TABLES, ...written(0, 1, 2)]) await transaction.unsafe(statement);
    });
    const engine = createPostgresEngine(parseDatabaseUrl(postgres.createUrl(schema)), tmpdir());
    const open = () => engine.open({ entities: [hero, subscribers] });
    const store = await open();
    const list = store.of(subscribers);
    const counts = async () => [await list.count(), await list.count({ active: true })];
    expect(store.of(hero).read().value.title).toBe("Old");
    expect(await counts()).toEqual([3, 2]);
    await list.insert(createSubscriber(4));
    for (const statement of written(6, 7)) await sql.unsafe(statement);
    expect(await counts()).toEqual([6, 4]);
    const columns: { name: string; made: string }[] = await sql.unsafe(
      `select attname as name, attgenerated as made from pg_attribute
        where attrelid = '"${schema}"."records-subscribers"'::regclass and attname like 'facet-%' and not attisdropped`,
    );
    expect(columns).toEqual([{ name: "facet-active", made: "s" }]);
    await store.close();
    const again = await open();
    expect(await again.of(subscribers).count({ active: false })).toBe(2);
    await again.close();
  });
});
