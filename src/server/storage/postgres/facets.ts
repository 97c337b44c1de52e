/**
 * The counting of lists: each facet is a column generated from the keys, with an index of only facets, a few bytes
 * per record. The parent also has an index in the list's order, which finds far pages.
 */
import type { Database, Queries } from "./database.ts";
import { readOne, setMeta } from "./meta.ts";
import { facetColumn, recordsTable } from "./recordColumns.ts";
import { keyColumn } from "./whereSql.ts";

interface FacetedList {
  readonly name: string;
  readonly facets: readonly string[];
  /** The facet whose lists are paged, if any. */
  readonly parent: string | undefined;
}

/** Within a start's transaction: columns and indexes for these facets, and no others. */
export async function prepareFacets(
  database: Database,
  queries: Queries,
  { name, facets, parent }: FacetedList,
): Promise<void> {
  const key = `facets ${name}`;
  const present = JSON.stringify({ facets, parent });
  if ((await readOne(database, queries, key)) === present) return;
  const table = database.table(recordsTable(name));
  const index = (suffix: string) => `${name}-${suffix}`;
  for (const each of ["pages", ...facets])
    await queries.unsafe(`drop index if exists ${database.table(index(each))}`); // oxlint-disable-line no-await-in-loop -- one connection
  await makeColumns(queries, table, facets);
  const othersOf = (facet: string) => facets.filter((each) => each !== facet).map(facetColumn);
  for (const facet of facets)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await queries.unsafe(
      `create index "${index(facet)}" on ${table} (${[facetColumn(facet), ...othersOf(facet)].join(", ")})`,
    );
  // Records not vacuumed yet are read from the table too.
  await queries.unsafe(`alter table ${table} set (autovacuum_vacuum_insert_scale_factor = 0.02)`);
  if (parent !== undefined) {
    const others = othersOf(parent).join(", ");
    await queries.unsafe(
      `create index "${index("pages")}" on ${table} (${facetColumn(parent)}, seq) ${others && `include (${others})`}`,
    );
  }
  await setMeta(database, queries, { [key]: present });
}

/** All at once, since each would rewrite the table. */
async function makeColumns(
  queries: Queries,
  table: string,
  facets: readonly string[],
): Promise<void> {
  const rows: { column: string }[] = await queries.unsafe(
    `select quote_ident(attname) as column from pg_attribute
      where attrelid = to_regclass($1) and attname like 'facet-%' and not attisdropped`,
    [table],
  );
  const existing = rows.map(({ column }) => column);
  const wanted = facets.map(facetColumn);
  const changes = [
    ...existing
      .filter((column) => !wanted.includes(column))
      .map((column) => `drop column ${column}`),
    ...facets
      .filter((facet) => !existing.includes(facetColumn(facet)))
      .map(
        (facet) =>
          `add column ${facetColumn(facet)} text generated always as (${keyColumn(facet)}) stored`,
      ),
  ];
  if (changes.length > 0) await queries.unsafe(`alter table ${table} ${changes.join(", ")}`);
}
