/** The store in PostgreSQL keeps what every engine promises. */
import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, type Postgres, startPostgres } from "../../../support/postgres.ts";
import { conformance, type Place } from "../conformance.ts";
import { hero, subscribers } from "../samples.ts";

setDefaultTimeout(120_000);

describe.if(hasPostgres)("with a database", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.remove());

  conformance("PostgreSQL", async (): Promise<Place> => {
    const address = parseDatabaseUrl(postgres.url(newSchema()));
    const folder = await mkdtemp(join(tmpdir(), "limelight-staging-"));
    const engine = postgresEngine(address, folder);
    const opened: Store[] = [];
    return {
      engine,
      async open({ entities = [hero, subscribers], dataKey } = {}) {
        const store = await engine.open({ entities, dataKey, log: () => {} });
        opened.push(store);
        return store;
      },
      async remove() {
        await Promise.all(opened.splice(0).map((store) => store.close()));
        const sql = new SQL(postgres.url("").replace(/\?.*/, ""), { max: 1 });
        await sql.unsafe(`drop schema if exists "${address.schema}" cascade`);
        await sql.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
});
