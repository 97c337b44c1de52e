/** The store in PostgreSQL keeps what every engine promises. */
import { describe, setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { testEngineConformance, type Installation } from "../conformance.ts";
import { hero, subscribers } from "../samples.ts";

setDefaultTimeout(120_000);

describe.if(hasPostgres)("with a database", () => {
  const postgres = setUpPostgres();

  testEngineConformance("a store in PostgreSQL", async (): Promise<Installation> => {
    const address = parseDatabaseUrl(postgres.createUrl());
    const folder = await mkdtemp(join(tmpdir(), "limelight-staging-"));
    const engine = createPostgresEngine(address, folder);
    const opened: Store[] = [];
    const close = async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    };
    return {
      engine,
      async open({ entities = [hero, subscribers], dataKey } = {}) {
        const store = await engine.open({ entities, dataKey, log: () => {} });
        opened.push(store);
        return store;
      },
      close,
      async remove() {
        await close();
        const sql = postgres.connect();
        await sql.unsafe(`drop schema if exists "${address.schema}" cascade`);
        await sql.close();
      },
    };
  });
});
