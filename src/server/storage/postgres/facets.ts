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

/**
 * Within a start's transaction. Removes what earlier releases counted with: columns filled by a trigger, and useless
 * indexes. Such a release continues in parallel, counting records.
 */
export async function prepareFacets(
  database: Database,
  queries: Queries,
  { name, facets, parent }: FacetedList,
): Promise<void> {
  const key = `facets ${name}`;
  const present = JSON.stringify({ facets, parent });
  if ((await readOne(database, queries, key)) === present) return;
  const table = database.table(recordsTable(name));
  await queries.unsafe(`drop trigger if exists facets on ${table}`);
  await queries.unsafe(`drop function if exists ${database.table(`${name}-facets`)}()`);
  const index = (suffix: string) => `${name}-${suffix}`;
  for (const each of ["counts", "pages", ...facets])
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
  const notes = [`counted ${name}`, `paged ${name}`];
  await queries.unsafe(
    `delete from ${database.table("meta")} where name in (select json_array_elements_text($1::text::json))`,
    [JSON.stringify(notes)],
  );
  await setMeta(database, queries, { [key]: present });
}

/** All at once, since each would rewrite the table. */
async function makeColumns(
  queries: Queries,
  table: string,
  facets: readonly string[],
): Promise<void> {
  const existing: { column: string; generated: string }[] = await queries.unsafe(
    `select attname as column, attgenerated as generated from pg_attribute
      where attrelid = to_regclass($1) and attname like 'facet-%' and not attisdropped`,
    [table],
  );
  const wanted = new Set(facets.map((facet) => `facet-${facet}`));
  const current = existing.filter(
    ({ column, generated }) => generated !== "" && wanted.has(column),
  );
  const currentNames = new Set(current.map(({ column }) => column));
  const changes = [
    ...existing
      .filter(({ column }) => !currentNames.has(column))
      .map(({ column }) => `drop column "${column}"`),
    ...facets
      .filter((facet) => !currentNames.has(`facet-${facet}`))
      .map(
        (facet) =>
          `add column ${facetColumn(facet)} text generated always as (${keyColumn(facet)}) stored`,
      ),
  ];
  if (changes.length > 0) await queries.unsafe(`alter table ${table} ${changes.join(", ")}`);
}
