/**
 * What counts are read from: each facet as a column, and an index of nothing but these and the sizes. A million
 * records are counted in a fraction of the time that reading them takes. A list that has parents has one more
 * index, in which a page far behind is found without looking at the records before it. Earlier releases name the
 * columns that they know, and can write beside.
 */
import type { ReservedSQL } from "bun";
import type { GoesOn } from "../../shared/siteJob.ts";
import { type Database, type Queries, reasonOf } from "./database.ts";
import { facetColumn, facetColumnMade, recordsTable } from "./recordColumns.ts";
import { readOne, setMeta } from "./meta.ts";
import { keyColumn } from "./whereSql.ts";

/** Of which list, by what it is counted. */
export interface CountedList {
  readonly name: string;
  readonly facets: readonly string[];
  /** The facet whose lists are looked at page by page, if there is one. */
  readonly parent: string | undefined;
}

/** A list that is longer is not made anew under the lock of a start: a third of a second. */
const LONG = 5000;
/** Of what is filled at once: others who change the list wait for so many. */
const AT_ONCE = 1000;

/** Whether all of it is there. */
export async function isCountable(
  database: Database,
  queries: Queries,
  { name, facets }: CountedList,
): Promise<boolean> {
  return (await readOne(database, queries, `counted ${name}`)) === facets.join();
}

/** Whether a page of it is found in an index alone, however far behind. */
export async function isPaged(
  database: Database,
  queries: Queries,
  { name, parent }: CountedList,
): Promise<boolean> {
  return parent !== undefined && (await readOne(database, queries, `paged ${name}`)) === parent;
}

/** Whether nothing is left to be made. */
async function isReady(database: Database, queries: Queries, list: CountedList) {
  if (!(await isCountable(database, queries, list))) return false;
  return list.parent === undefined || isPaged(database, queries, list);
}

/**
 * Within the transaction of a start. `mayWait`: one that is long and was there before is left to `fillCounts`,
 * and counted from its records meanwhile.
 */
export async function prepareCounting(
  database: Database,
  queries: Queries,
  list: CountedList,
  mayWait: boolean,
): Promise<void> {
  if (await isReady(database, queries, list)) return;
  const { name, facets } = list;
  const table = database.table(recordsTable(name));
  const isLong = async () => {
    const [found] = await queries.unsafe(
      `select exists (select from ${table} offset ${LONG}) as long`,
    );
    return mayWait && (found as { long: boolean }).long;
  };
  if (await isCountable(database, queries, list)) {
    if (!(await isLong())) await makePaging(database, queries, list, "");
    return;
  }
  const there: { generated: string }[] = await queries.unsafe(
    `select attgenerated as generated from pg_attribute where attrelid = to_regclass($1)
      and attname like 'facet-%' and not attisdropped`,
    [table],
  );
  if (there.some(({ generated }) => generated === "")) return;
  if (there.length < facets.length && (await isLong())) return;
  // All in one, since each would write the table anew.
  const added = facets.map((facet) => `add column if not exists ${facetColumnMade(facet)}`);
  if (added.length > 0) await queries.unsafe(`alter table ${table} ${added.join(", ")}`);
  await queries.unsafe(`drop index if exists ${database.table(indexOf(list))}`);
  await queries.unsafe(`create index "${indexOf(list)}" on ${table} (${indexed(list)})`);
  await setMeta(database, queries, { [`counted ${name}`]: facets.join() });
  await makePaging(database, queries, list, "");
}

/** Its index, and the note that it is there. */
async function makePaging(
  database: Database,
  queries: Queries,
  { name, facets, parent }: CountedList,
  how: "" | "concurrently",
): Promise<void> {
  if (parent === undefined) return;
  const index = `${name}-pages`;
  const table = database.table(recordsTable(name));
  const others = facets.filter((facet) => facet !== parent).map(facetColumn);
  const include = others.length > 0 ? `include (${others.join(", ")})` : "";
  // One that was cut short is there, and of no use.
  await queries.unsafe(`drop index ${how} if exists ${database.table(index)}`);
  await queries.unsafe(
    `create index ${how} "${index}" on ${table} (${facetColumn(parent)}, seq) ${include}`,
  );
  await setMeta(database, queries, { [`paged ${name}`]: parent });
}

const indexOf = ({ name }: CountedList) => `${name}-counts`;
const indexed = ({ facets }: CountedList) => [...facets.map(facetColumn), "bytes"].join(", ");

/**
 * Does it for long lists beside whoever reads and writes them, in steps that can each be done again:
 *
 * 1. Columns without values, which takes no time, and a trigger that fills them in what is written from now on, by
 *    whichever release.
 * 2. What was there before is filled, some at a time.
 * 3. The indexes, each followed by the note that it may be read from.
 *
 * One that ends before, or whose database fails, leaves the rest to the next start.
 */
export async function fillCounts(
  database: Database,
  lists: readonly CountedList[],
  goesOn: GoesOn,
): Promise<void> {
  const connection = await database.sql.reserve();
  try {
    await connection.unsafe("set statement_timeout = 0");
    for (const list of lists) {
      if (!(await goesOn())) return;
      if (await isReady(database, connection, list)) continue;
      database.log(
        `storage: the list "${list.name}" is made ready for faster counts, beside all else`,
      );
      const isCounted = await isCountable(database, connection, list);
      if (!isCounted) {
        await addColumns(database, connection, list);
        if (!(await fill(database, connection, list, goesOn))) return;
      }
      const table = database.table(recordsTable(list.name));
      const finish = async () => {
        if (!isCounted) await makeIndex(database, connection, list, table);
        await makePaging(database, connection, list, "concurrently");
      };
      await database.oneAtTable(connection, table, finish, Number.POSITIVE_INFINITY);
      database.log(`storage: the list "${list.name}" is ready for faster counts`);
    }
  } catch (error) {
    database.log(
      `storage: a list couldn't be made ready for faster counts (${reasonOf(error)}); the next start goes on with it`,
    );
  } finally {
    await connection.close().catch(() => undefined);
  }
}

async function addColumns(database: Database, queries: Queries, list: CountedList): Promise<void> {
  const { name, facets } = list;
  const table = database.table(recordsTable(name));
  const filler = database.table(`${name}-facets`);
  const columns = facets.map((facet) => `add column if not exists ${facetColumn(facet)} text`);
  // Others would queue behind a step that waits.
  await queries.unsafe("set lock_timeout = 2000");
  await queries.unsafe(`alter table ${table} ${columns.join(", ")}`);
  const values = facets.map((facet) => `new.${facetColumn(facet)} := new.keys->>'${facet}';`);
  await queries.unsafe(
    `create or replace function ${filler}() returns trigger language plpgsql as
      $$ begin ${values.join(" ")} return new; end $$`,
  );
  await queries.unsafe(
    `create or replace trigger facets before insert or update on ${table}
      for each row execute function ${filler}()`,
  );
  await queries.unsafe("set lock_timeout = 0");
}

/** Whether it came to the end. */
async function fill(
  database: Database,
  connection: ReservedSQL,
  { name, facets }: CountedList,
  goesOn: GoesOn,
): Promise<boolean> {
  const table = database.table(recordsTable(name));
  const isOld = facets.map((each) => `${facetColumn(each)} is distinct from ${keyColumn(each)}`);
  const [row] = await connection.unsafe(`select coalesce(max(seq), 0)::text as last from ${table}`);
  const last = Number((row as { last: string }).last);
  for (let from = 0; from < last; from += AT_ONCE) {
    if (!(await goesOn())) return false;
    const start = performance.now();
    await connection.unsafe("begin");
    // As whoever changes the list: each waits for the other's rows in one order.
    await connection.unsafe("select pg_advisory_xact_lock($1::bigint)", [
      database.lockNumber(`records ${name}`),
    ]);
    await connection.unsafe(
      `update ${table} set version = version where seq > $1::bigint and seq <= $2::bigint
        and (${isOld.join(" or ")})`,
      [from, from + AT_ONCE],
    );
    await connection.unsafe("commit");
    // The other half of the time is others'.
    await Bun.sleep(performance.now() - start);
  }
  return true;
}

async function makeIndex(
  database: Database,
  queries: Queries,
  list: CountedList,
  table: string,
): Promise<void> {
  // One that was cut short is there, and of no use.
  await queries.unsafe(`drop index concurrently if exists ${database.table(indexOf(list))}`);
  await queries.unsafe(
    `create index concurrently "${indexOf(list)}" on ${table} (${indexed(list)})`,
  );
  // Only what is known to be seen by all is read from an index alone.
  await queries.unsafe(`vacuum (analyze) ${table}`);
  await setMeta(database, queries, { [`counted ${list.name}`]: list.facets.join() });
}
