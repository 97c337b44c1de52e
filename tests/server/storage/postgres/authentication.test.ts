/** Authentication to the database without a password: by a certificate, or by the system account. */
import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { createSchemaName } from "../../../support/createSchemaName.ts";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";
import { hero, catchError } from "../samples.ts";

describe.skipIf(!hasPostgres || !Bun.which("openssl"))("a database that takes no passwords", () => {
  const postgres = setUpPostgres({ isStrict: true });

  const openWith = async (more: string, host = `127.0.0.1:${postgres.port}`) => {
    const url = `postgres://limelight@${host}/postgres?schema=${createSchemaName()}&${more}`;
    const store = await createPostgresEngine(parseDatabaseUrl(url), tmpdir()).open({
      entities: [hero],
    });
    await store.of(hero).update((value) => ({ ...value, title: "By certificate" }));
    const { title } = store.of(hero).read().value;
    await store.close();
    return title;
  };
  const createCertificateQuery = (name: string, authority = "authority.pem") =>
    `sslmode=verify-full&sslcert=${postgres.folder}/${name}.pem&sslkey=${postgres.folder}/${name}.key&sslrootcert=${postgres.folder}/${authority}`;

  test("a site with its certificate reads and writes", async () => {
    expect(await openWith(createCertificateQuery("limelight"))).toBe("By certificate");
  });

  test("a site without a certificate, or with another name's, is refused with a message", async () => {
    const words = "rejected the user, the password or the certificate in DATABASE_URL";
    expect((await catchError(openWith("sslmode=require"))).message).toContain(words);
    expect((await catchError(openWith(createCertificateQuery("somebody")))).message).toContain(
      words,
    );
  });

  test("a server whose certificate is from another authority gets no data", async () => {
    const { message } = await catchError(
      openWith(createCertificateQuery("limelight", "somebody.pem")),
    );
    expect(message).toMatch(/can't be used \((SELF_SIGNED|UNABLE_TO|CERT)/);
  });

  test("a site on the same machine logs in by the database's socket, as its system user", async () => {
    const socket = `host=${postgres.folder}`;
    expect(await openWith(socket, `localhost:${postgres.port}`)).toBe("By certificate");
  });

  test("a missing certificate file is reported by its setting, not by its path", () => {
    const url = "postgres://limelight@127.0.0.1/postgres?sslcert=/nowhere/a.pem";
    expect(() => parseDatabaseUrl(url)).toThrow(/^has a sslcert file that can't be read$/);
  });
});
