/** The database that DATABASE_URL names is used, whatever variables other programs have. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { userInfo } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";

const SOURCE = join(import.meta.dir, "../../../../src/server");

test("a DATABASE_URL needs a user, except for a socket, where the system's user is the default", () => {
  expect(() => parseDatabaseUrl("postgres://db.example.com/limelight")).toThrow(/^has no user: /);
  const { url, location } = parseDatabaseUrl("postgres://localhost/limelight?host=/run/postgresql");
  expect([new URL(url).username, location]).toEqual([
    encodeURIComponent(userInfo().username),
    "localhost/limelight",
  ]);
});

test("a DATABASE_URL for a socket needs no host, as in PostgreSQL's own programs", () => {
  for (const address of [
    "postgres:///limelight?host=/run/postgresql",
    "postgresql://ada@/limelight?application_name=site&host=%2Frun%2Fpostgresql",
  ])
    expect(new URL(parseDatabaseUrl(address).url).searchParams.get("host")).toBe("/run/postgresql");
  expect(() => parseDatabaseUrl("postgres://ada@/limelight")).toThrow(
    /^must be an address such as/,
  );
});

test("a DATABASE_URL sets encryption by sslmode or ssl, and an invalid mode is refused", () => {
  const modeOf = (parameters: string) =>
    new URL(parseDatabaseUrl(`postgres://ada:p@db/site${parameters}`).url).search;
  expect(modeOf("?ssl=true")).toBe("?sslmode=require");
  expect(modeOf("?ssl=false")).toBe("?sslmode=disable");
  expect(modeOf("?ssl=True")).toBe("?sslmode=require");
  expect(modeOf("?ssl=FALSE")).toBe("?sslmode=disable");
  expect(modeOf("?sslmode=Verify-Full&ssl=true")).toBe("?sslmode=verify-full");
  expect([modeOf("?sslmode="), modeOf("")]).toEqual(["", ""]);
  for (const wrong of ["?sslmode=no-verify", "?ssl=maybe", "?ssl=constructor", "?ssl=__proto__"])
    expect(() => modeOf(wrong)).toThrow(
      /^has an invalid sslmode: it can be disable, .*verify-full$/,
    );
});

test("a DATABASE_URL with a literal percent sign is refused with a message on how to write the sign", () => {
  for (const address of ["postgres://ada:100%sure@db/site", "postgres://ada:p@db/%zz"])
    expect(() => parseDatabaseUrl(address)).toThrow("contains a literal %. Write it as %25");
});

describe.skipIf(!hasPostgres)("environment variables of PostgreSQL's own programs", () => {
  const postgres = setUpPostgres();

  test("don't change the connection's database, encryption, user or options", async () => {
    const script = `
      import { parseDatabaseUrl } from "${SOURCE}/shared/databaseUrl.ts";
      import { openSingleConnection } from "${SOURCE}/storage/postgres/database.ts";
      const { sql } = openSingleConnection(parseDatabaseUrl(process.argv[1]));
      const [row] = await sql.unsafe("select current_database(), current_user, current_setting('synchronous_commit')");
      console.log(Object.values(row).join(" "));
      await sql.close();`;
    const asking = Bun.spawn([process.execPath, "-e", script, postgres.createUrl()], {
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
