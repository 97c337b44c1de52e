/** Reads and writes the table `meta`, which has a site's metadata as texts by name. */
import { type Queries, type SiteQueries, withDeadline } from "./database.ts";

export interface SiteMeta {
  readonly tableVersion: string;
  readonly siteId: string;
  readonly createdAt: string;
  /** The site's secret: in base64, or sealed with DATA_KEY. */
  readonly secret: string;
  /** The names of stored entities, as a JSON list. */
  readonly entities: string;
  /** The `ReplacementNote` of an unfinished restore, as JSON. */
  readonly note?: string;
  /** The fingerprint of a list's columns (`computeColumnsFingerprint`). The list's name follows `columns`. */
  readonly [fingerprint: `columns ${string}`]: string | undefined;
}

/** Reads a site's metadata. The result is empty if the database has no site. */
export async function readMeta(queries: SiteQueries): Promise<Partial<SiteMeta>> {
  if (!(await hasTable(queries, queries.getTableName("meta")))) return {};
  const rows: { name: string; value: string }[] = await queries.unsafe(
    `select name, value from ${queries.getTableName("meta")}`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function hasTable(queries: Queries, table: string): Promise<boolean> {
  const [row]: [{ exists: boolean }] = await queries.unsafe(
    "select to_regclass($1) is not null as exists",
    [table],
  );
  return row.exists;
}

export async function setMeta(
  queries: SiteQueries,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await withDeadline(
      queries.unsafe(
        `insert into ${queries.getTableName("meta")} (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value`,
        [name, value],
      ),
    );
}
