/** The database that DATABASE_URL names is used, whatever variables other programs have. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { userInfo } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";

const SOURCE = join(import.meta.dir, "../../../../src/server");

test("an address needs a user, unless it is a socket, for which the system has one", () => {
  expect(() => parseDatabaseUrl("postgres://db.example.com/limelight")).toThrow(/^has no user: /);
  const { url, location } = parseDatabaseUrl("postgres://localhost/limelight?host=/run/postgresql");
  expect([new URL(url).username, location]).toEqual([
    encodeURIComponent(userInfo().username),
    "localhost/limelight",
  ]);
});

describe.skipIf(!hasPostgres)("the variables of PostgreSQL's own programs", () => {
  const postgres = postgresForAll();

  test("change neither database, encryption, user nor options", async () => {
    const script = `
      import { parseDatabaseUrl } from "${SOURCE}/shared/databaseUrl.ts";
      import { openSingleConnection } from "${SOURCE}/storage/postgres/database.ts";
      const { sql } = openSingleConnection(parseDatabaseUrl(process.argv[1]));
      const [row] = await sql.unsafe("select current_database(), current_user, current_setting('synchronous_commit')");
      console.log(Object.values(row).join(" "));
      await sql.close();`;
    const asking = Bun.spawn([process.execPath, "-e", script, postgres.url()], {
      env: {
        PATH: process.env["PATH"] ?? "",
        PGDATABASE: "template1",
        PGPORT: "1",
        PGUSER: "somebody",
        PGOPTIONS: "-c synchronous_commit=off",
        TLS_DATABASE_URL: "postgres://elsewhere.example/site",
      },
      stderr: "pipe",
    });
    expect([
      await new Response(asking.stdout).text(),
      await new Response(asking.stderr).text(),
    ]).toEqual(["postgres limelight on\n", ""]);
  });
});
