/** Replaces the site in a database. The old data is moved to a separate schema. */
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpen } from "../../shared/errors.ts";
import type { Replacement, ReplacementNote } from "../engine.ts";
import { createFolderEngine } from "../files/folderEngine.ts";
import type { Database, SiteQueries } from "./database.ts";
import { encodeSecret } from "../siteSecret.ts";
import { isOnlyInstance } from "./instanceLock.ts";
import { replaceSite } from "./archiveFiles.ts";
import { readMeta, setMeta } from "./meta.ts";
import { createTables } from "./tables.ts";

/** Runs `work` on a separate connection, which is closed afterwards. */
export type WithDatabase = <R>(work: (database: Database) => Promise<R>) => Promise<R>;

/** Returns the name of the schema to which a replacement moves the old data. */
export const getMovedAsideSchema = ({ schema }: DatabaseAddress, { before }: ReplacementNote) =>
  `${schema}_before_${before.replace(/\D/g, "")}`;

/** Finds the schemas with moved data that contain a text, ignoring case. Throws `cannot_store`. */
export async function findSchemasContaining(database: Database, text: string): Promise<string[]> {
  const tables: { schema: string; name: string }[] = await database.read(
    `select schemaname as schema, tablename as name from pg_tables
      where starts_with(schemaname, $1) order by 1, 2`,
    [`${database.address.schema}_before_`],
  );
  const matchingSchemas = new Set<string>();
  for (const { schema, name } of tables) {
    const [row] = await database.read(
      `select 1 from "${schema}"."${name}" t
        where strpos(lower(t::text), lower($1::text)) > 0 limit 1`,
      [text],
    );
    if (row) matchingSchemas.add(schema);
  }
  return [...matchingSchemas];
}

export function createPostgresReplacement(
  stagingFolder: string,
  withDatabase: WithDatabase,
): Omit<Replacement, "openOldData"> {
  const runInTransaction = (work: (queries: SiteQueries) => Promise<void>) =>
    withDatabase((database) =>
      database.sql.begin(async (transaction) => {
        await transaction.unsafe("set local statement_timeout = 0");
        await work(database.toSiteQueries(transaction));
      }),
    );
  return {
    stagingFolder,
    readPendingNote: () =>
      withDatabase(async (database) => {
        const { note } = await readMeta(database);
        return note === undefined ? undefined : (JSON.parse(note) as ReplacementNote);
      }),
    begin: (note) =>
      runInTransaction(async (queries) => {
        if (!(await isOnlyInstance(queries)))
          throw cannotOpen(
            "Several instances are serving this site. Stop all but one, then restore. Nothing was changed.",
          );
        await createTables(queries);
        await setMeta(queries, { note: JSON.stringify(note) });
      }),
    moveOut: (note) =>
      runInTransaction(async (queries) => {
        const { schema } = queries.address;
        const movedAsideSchema = getMovedAsideSchema(queries.address, note);
        const [row]: [{ exists: boolean }] = await queries.unsafe(
          "select to_regnamespace($1) is not null as exists",
          [`"${movedAsideSchema}"`],
        );
        // If the old data was already moved away, an interrupted `moveIn` left the current data, which is deleted.
        if (note.emptied || row.exists)
          await queries.unsafe(`drop schema if exists "${schema}" cascade`);
        else if (await hasStoredData(queries))
          await queries.unsafe(`alter schema "${schema}" rename to "${movedAsideSchema}"`);
        await createTables(queries);
        await setMeta(queries, { note: JSON.stringify(note) });
      }),
    moveIn: (folder) =>
      runInTransaction((queries) => replaceSite(queries, createFolderEngine(folder).readFiles())),
    putSecret: (secret) =>
      runInTransaction((queries) => setMeta(queries, { secret: encodeSecret(secret) })),
    end: () =>
      runInTransaction(async (queries) => {
        await queries.unsafe(`delete from ${queries.getTableName("meta")} where name = 'note'`);
      }),
  };
}

/** Whether the database has any metadata besides the note of the replacement. */
async function hasStoredData(queries: SiteQueries): Promise<boolean> {
  return Object.keys(await readMeta(queries)).some((name) => name !== "note");
}
