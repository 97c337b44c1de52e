/** Replaces a site in a database: what was there before is set aside as a schema of its own. */
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpen } from "../../shared/errors.ts";
import type { Replacement, ReplacementNote } from "../engine.ts";
import { folderEngine } from "../files/folderEngine.ts";
import type { Database, Queries } from "./database.ts";
import { secretAsText } from "../siteSecret.ts";
import { beThereAlone } from "./presence.ts";
import { putFiles } from "./siteFiles.ts";
import { recordsTable } from "./recordColumns.ts";
import { readMeta, setMeta } from "./meta.ts";
import { makeTables } from "./tables.ts";

type Look = <R>(work: (database: Database) => Promise<R>) => Promise<R>;

/** The name of the schema that is kept under a note's name. */
export const keptSchema = ({ schema }: DatabaseAddress, { before }: ReplacementNote) =>
  `${schema}_before_${before.replace(/\D/g, "")}`;

/** `staging`: a folder on this machine. */
export function replacementIn(staging: string, look: Look): Omit<Replacement, "aside"> {
  const inOne = (work: (database: Database, queries: Queries) => Promise<void>) =>
    look((database) =>
      database.sql.begin(async (transaction) => {
        await transaction.unsafe("set local statement_timeout = 0");
        await work(database, transaction);
      }),
    );
  let last: ReplacementNote | undefined;
  return {
    staging,
    at: (folder) => folderEngine(folder),
    underWay: () =>
      look(async (database) => {
        const { note } = await readMeta(database, database.sql);
        return note === undefined ? undefined : (JSON.parse(note) as ReplacementNote);
      }),
    begin: (note) =>
      inOne(async (database, queries) => {
        if (!(await beThereAlone(database, queries)))
          throw cannotOpen(
            "Several instances are serving this site. Stop all but one, then restore. Nothing was changed.",
          );
        await makeTables(database, queries);
        await setMeta(database, queries, { note: JSON.stringify(note) });
      }),
    takeOut: (note) =>
      inOne(async (database, queries) => {
        last = note;
        const { schema } = database.address;
        const kept = keptSchema(database.address, note);
        const [found] = await queries.unsafe("select to_regnamespace($1) is not null as there", [
          `"${kept}"`,
        ]);
        // Set aside before, so what is in its place comes from an archive.
        if ((found as { there: boolean }).there)
          await queries.unsafe(`drop schema "${schema}" cascade`);
        else await queries.unsafe(`alter schema "${schema}" rename to "${kept}"`);
        await makeTables(database, queries);
        await setMeta(database, queries, { note: JSON.stringify(note) });
      }),
    putIn: (folder) => inOne((database, queries) => putFiles(database, queries, folder)),
    undo: () =>
      inOne(async (database, queries) => {
        if (!last) return;
        const { schema } = database.address;
        await queries.unsafe(`drop schema "${schema}" cascade`);
        await queries.unsafe(
          `alter schema "${keptSchema(database.address, last)}" rename to "${schema}"`,
        );
        last = undefined;
      }),
    keep: (note, entities) =>
      inOne(async (database, queries) => {
        const kept = keptSchema(database.address, note);
        for (const { name, shape } of entities) {
          const table = shape === "records" ? recordsTable(name) : "documents";
          await copyOver(database, queries, { kept, table, name });
        }
      }),
    keepSecret: (note) =>
      inOne(async (database, queries) => {
        const kept = keptSchema(database.address, note);
        await queries.unsafe(
          `insert into ${database.table("meta")} select * from "${kept}".meta where name = 'secret'
            on conflict (name) do update set value = excluded.value`,
        );
      }),
    putSecret: (secret) =>
      inOne((database, queries) => setMeta(database, queries, { secret: secretAsText(secret) })),
    end: () =>
      inOne(async (database, queries) => {
        await queries.unsafe(`delete from ${database.table("meta")} where name = 'note'`);
      }),
  };
}

/** What was kept of one entity takes the place of what was put in. */
async function copyOver(
  database: Database,
  queries: Queries,
  { kept, table, name }: { kept: string; table: string; name: string },
): Promise<void> {
  const [found] = await queries.unsafe("select to_regclass($1) is not null as there", [
    `"${kept}"."${table}"`,
  ]);
  if (!(found as { there: boolean }).there) return;
  const [from, to] = [`"${kept}"."${table}"`, database.table(table)];
  if (table === "documents") {
    await queries.unsafe(`delete from ${to} where name = $1`, [name]);
    await queries.unsafe(`insert into ${to} select * from ${from} where name = $1`, [name]);
    return;
  }
  const columns = "id, uniq, version, keys, search, bytes, value";
  await queries.unsafe(`create table if not exists ${to} (like ${from} including all)`);
  await queries.unsafe(`delete from ${to}`);
  await queries.unsafe(
    `insert into ${to} (${columns}) select ${columns} from ${from} order by seq`,
  );
}
