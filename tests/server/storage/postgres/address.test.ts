/** The database that DATABASE_URL names is used, whatever variables other programs have. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";

const SOURCE = join(import.meta.dir, "../../../../src/server");

describe.skipIf(!hasPostgres)("the variables of PostgreSQL's own programs", () => {
  const postgres = postgresForAll();

  test("change neither database nor encryption", async () => {
    const script = `
      import { parseDatabaseUrl } from "${SOURCE}/shared/databaseUrl.ts";
      import { singleConnection } from "${SOURCE}/storage/postgres/database.ts";
      const { sql } = singleConnection(parseDatabaseUrl(process.argv[1]));
      const [row] = await sql.unsafe("select current_database() as name");
      console.log(row.name);
      await sql.close();`;
    const asking = Bun.spawn([process.execPath, "-e", script, postgres.url()], {
      env: {
        PATH: process.env["PATH"] ?? "",
        PGDATABASE: "template1",
        PGPORT: "1",
        TLS_DATABASE_URL: "postgres://elsewhere.example/site",
      },
      stderr: "pipe",
    });
    expect([
      await new Response(asking.stdout).text(),
      await new Response(asking.stderr).text(),
    ]).toEqual(["postgres\n", ""]);
  });
});
