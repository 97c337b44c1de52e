/** A site's metadata in the database, and values that instances store for each other: texts by name. */
import { type Database, type Queries, withTimeout } from "./database.ts";

/** A site's metadata. */
export interface Meta {
  readonly tableVersion: string;
  readonly siteId: string;
  readonly createdAt: string;
  /** In base64, or sealed. */
  readonly secret: string;
  /** The names of stored entities, as a JSON list. */
  readonly entities: string;
  /** A replacement under way, as JSON. */
  readonly note?: string;
}

/** Empty without a site. */
export async function readMeta(database: Database, queries: Queries): Promise<Partial<Meta>> {
  if (!(await tableExists(queries, database.table("meta")))) return {};
  const rows: { name: string; value: string }[] = await queries.unsafe(
    `select name, value from ${database.table("meta")}`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function tableExists(queries: Queries, table: string): Promise<boolean> {
  const [row]: [{ there: boolean }] = await queries.unsafe(
    "select to_regclass($1) is not null as there",
    [table],
  );
  return row.there;
}

/** Within the caller's transaction, if `queries` is one. */
export async function setMeta(
  database: Database,
  queries: Queries,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await withTimeout(
      queries.unsafe(
        `insert into ${database.table("meta")} (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value`,
        [name, value],
      ),
    );
}

/** One value of the metadata, or of the instances. */
export async function readOne(
  database: Database,
  queries: Queries,
  name: string,
): Promise<string | undefined> {
  const [row]: { value: string }[] = await withTimeout(
    queries.unsafe(`select value from ${database.table("meta")} where name = $1`, [name]),
  );
  return row?.value;
}
