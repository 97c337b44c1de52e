/** The engine that stores a site's data in PostgreSQL, for one or many instances. */
import type { AnyRecords, Entity, ItemOf } from "../../../schema/entities/entity.ts";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpenLost, reasonIn } from "../../shared/errors.ts";
import type {
  DocumentEntity,
  Engine,
  Finding,
  Replacement,
  ReplacementNote,
  Stored,
} from "../engine.ts";
import { refusedStart } from "../engine.ts";
import { migrated, valueOf } from "../storedValue.ts";
import { documentFormat } from "../archive/entries.ts";
import { secretFromText } from "../siteSecret.ts";
import {
  type Database,
  type Queries,
  reasonOf,
  singleConnection,
  connectionRefusal,
} from "./database.ts";
import { openPostgres } from "./pgStore.ts";
import { instancesIn, lockOutInstances } from "./instanceLock.ts";
import { setAsideSchema, replacementIn } from "./replacement.ts";
import { siteFiles } from "./archiveFiles.ts";
import { recordsTable } from "./recordColumns.ts";
import { readMeta } from "./meta.ts";

/** `folder`: a local one, for a restore's files. */
export function postgresEngine(address: DatabaseAddress, folder: string): Engine {
  const withDatabase = <R>(work: (database: Database) => Promise<R>) =>
    withSeparateConnection(address, work);
  const metaOf = () => withDatabase((database) => readMeta(database, database.sql));
  return {
    location: address.location,
    open: (options) => openPostgres(address, options),
    lock: () => lockOf(address),
    lockHolders: () => withDatabase((database) => instancesIn(database, database.sql)),
    isInstalled: async () => {
      const { siteId, note } = await metaOf();
      return siteId !== undefined || note !== undefined;
    },
    isEmpty: async () => Object.keys(await metaOf()).length === 0,
    siteId: async () => (await metaOf().catch(() => undefined))?.siteId,
    examine: (entities) =>
      withDatabase((database) => examine(database, entities)).catch((error: Error) => [
        { ok: false, message: reasonIn(error), blocksStart: true },
      ]),
    // Edits of a database by hand are live at once.
    acceptEdits: async () => [],
    readDocument: <E extends DocumentEntity>(entity: E) =>
      withDatabase((database) => readStoredValue(database, database.sql, entity)).catch(
        () => undefined,
      ) as Promise<Stored<E> | undefined>,
    readRecords: (entity) =>
      withDatabase((database) => peekRecords(database, entity)).catch(() => []),
    files: () => filesOf(address),
    secret: async () => {
      const { secret } = await metaOf();
      return secret === undefined ? undefined : secretFromText(secret);
    },
    ...setAsideSchemas(withDatabase),
    replacement: {
      ...replacementIn(folder, withDatabase),
      openSetAside: (note) =>
        postgresEngine({ ...address, schema: setAsideSchema(address, note) }, folder),
    } satisfies Replacement,
  };
}

/** One operation, on its own connection. */
async function withSeparateConnection<R>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<R>,
): Promise<R> {
  const database = singleConnection(address);
  try {
    return await work(database);
  } catch (error) {
    throw connectionRefusal(address, error);
  } finally {
    await database.close();
  }
}

async function lockOf(address: DatabaseAddress): Promise<() => Promise<void>> {
  const database = singleConnection(address);
  try {
    const release = await lockOutInstances(database);
    return () => release().then(() => database.close());
  } catch (error) {
    await database.close();
    throw connectionRefusal(address, error);
  }
}

async function* filesOf(address: DatabaseAddress): ReturnType<Engine["files"]> {
  const database = singleConnection(address);
  try {
    yield* siteFiles(database);
  } catch (error) {
    throw connectionRefusal(address, error);
  } finally {
    await database.close();
  }
}

async function readStoredValue(
  database: Database,
  queries: Queries,
  entity: DocumentEntity,
): Promise<unknown> {
  const [row]: { version: number; value: unknown }[] = await queries.unsafe(
    `select version, value from ${database.table("documents")} where name = $1`,
    [entity.name],
  );
  return row && valueOf(documentFormat(entity), row.version, row.value, true);
}

async function peekRecords<E extends AnyRecords>(
  database: Database,
  entity: E,
): Promise<ItemOf<E>[]> {
  const rows: { version: number; value: unknown }[] = await database.sql.unsafe(
    `select version, value from ${database.table(recordsTable(entity.name))} order by seq`,
  );
  return rows.map(({ version, value }) => migrated(entity, version, value) as ItemOf<E>);
}

/** Reads every document and record like a start and a list would. */
async function examine(database: Database, entities: readonly Entity[]): Promise<Finding[]> {
  const meta = await readMeta(database, database.sql);
  const { location } = database.address;
  if (meta.note) return [examinedNote(JSON.parse(meta.note) as ReplacementNote)];
  if (!meta.siteId)
    return [
      {
        ok: false,
        isLoss: true,
        message: `There is no site in ${location}. Start once, or restore a backup.`,
      },
    ];
  const findings: Finding[] = [{ ok: true, message: `${location} answers` }];
  for (const entity of entities) findings.push(await examineEntity(database, entity)); // oxlint-disable-line no-await-in-loop -- one connection
  return findings;
}

const examinedNote = ({ staging }: ReplacementNote): Finding =>
  staging === undefined
    ? {
        ok: false,
        blocksStart: true,
        isLoss: true,
        message: 'A restore was interrupted. Run "limelight restore" with the archive again.',
      }
    : {
        ok: false,
        message: "A restore was interrupted. The next start finishes it automatically.",
      };

async function examineEntity(database: Database, entity: Entity): Promise<Finding> {
  const { name } = entity;
  try {
    if (entity.shape !== "records") {
      const value = await readStoredValue(database, database.sql, entity);
      if (value === undefined) throw cannotOpenLost("is missing. Restore a backup.");
      return { ok: true, message: name };
    }
    const records = await peekRecords(database, entity);
    return { ok: true, message: `${name}: ${records.length} records` };
  } catch (error) {
    return refusedStart(error, `${name}: ${reasonOf(error)}`);
  }
}

type WithDatabase = <R>(work: (database: Database) => Promise<R>) => Promise<R>;

/** The data that restores moved away: schemas beside the site's. */
function setAsideSchemas(
  withDatabase: WithDatabase,
): Pick<Engine, "leftoverCopies" | "removeCopies"> {
  return {
    leftoverCopies: () =>
      withDatabase(async (database) => {
        const rows: { name: string; size: string }[] = await database.sql.unsafe(
          `select nspname as name, coalesce((select sum(pg_total_relation_size(c.oid)) from pg_class c
            where c.relnamespace = n.oid and c.relkind = 'r'), 0) as size
            from pg_namespace n where starts_with(nspname, $1) order by nspname`,
          [`${database.address.schema}_before_`],
        );
        return rows.map(({ name, size }) => ({
          path: name,
          size: Number(size),
          by: "a restore" as const,
        }));
      }),
    removeCopies: (copies) =>
      withDatabase(async (database) => {
        for (const { path } of copies)
          await database.sql.unsafe(`drop schema if exists "${path.replaceAll('"', "")}" cascade`);
      }),
  };
}
