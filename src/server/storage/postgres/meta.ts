/** What a site in a database says of itself, and what instances keep there for one another: texts by name. */
import type { Database, Queries } from "./database.ts";

/** What a site says of itself. */
export interface Meta {
  readonly form: string;
  readonly siteId: string;
  readonly createdAt: string;
  /** In base64, or sealed. */
  readonly secret: string;
  /** The names of the entities that are stored, as a JSON list. */
  readonly entities: string;
  /** A replacement that is under way, as JSON. */
  readonly note?: string;
  /** Where the site is moved to, as JSON: it takes no writes. */
  readonly moving?: string;
}

/** Empty where there is no site. */
export async function readMeta(database: Database, queries: Queries): Promise<Partial<Meta>> {
  if (!(await tableIsThere(queries, database.table("meta")))) return {};
  const rows: { name: string; value: string }[] = await queries.unsafe(
    `select name, value from ${database.table("meta")}`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function tableIsThere(queries: Queries, table: string): Promise<boolean> {
  const [found] = await queries.unsafe("select to_regclass($1) is not null as there", [table]);
  return (found as { there: boolean }).there;
}

/** Within the caller's transaction, when `queries` is one. */
export async function setMeta(
  database: Database,
  queries: Queries,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await queries.unsafe(
      `insert into ${database.table("meta")} (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value`,
      [name, value],
    );
}

/** One of them, or what instances keep beside them for one another. */
export async function readOne(
  database: Database,
  queries: Queries,
  name: string,
): Promise<string | undefined> {
  const [row] = await queries.unsafe(
    `select value from ${database.table("meta")} where name = $1`,
    [name],
  );
  return (row as { value: string } | undefined)?.value;
}
