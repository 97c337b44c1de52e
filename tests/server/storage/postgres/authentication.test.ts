/** Authentication to the database without a password: by a certificate, or by the system account. */
import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { newSchema } from "../../../support/newSchema.ts";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";
import { hero, rejection } from "../samples.ts";

describe.skipIf(!hasPostgres || !Bun.which("openssl"))("a database that takes no passwords", () => {
  const postgres = postgresForAll({ isStrict: true });

  const open = async (more: string, host = `127.0.0.1:${postgres.port}`) => {
    const url = `postgres://limelight@${host}/postgres?schema=${newSchema()}&${more}`;
    const store = await postgresEngine(parseDatabaseUrl(url), tmpdir()).open({ entities: [hero] });
    await store.of(hero).update((value) => ({ ...value, title: "By certificate" }));
    const { title } = store.of(hero).read().value;
    await store.close();
    return title;
  };
  const certificate = (name: string, authority = "authority.pem") =>
    `sslmode=verify-full&sslcert=${postgres.folder}/${name}.pem&sslkey=${postgres.folder}/${name}.key&sslrootcert=${postgres.folder}/${authority}`;

  test("a site with its certificate reads and writes", async () => {
    expect(await open(certificate("limelight"))).toBe("By certificate");
  });

  test("a site without a certificate, or with another name's, is refused with a message", async () => {
    const words = "rejected the user, the password or the certificate in DATABASE_URL";
    expect((await rejection(open("sslmode=require"))).message).toContain(words);
    expect((await rejection(open(certificate("somebody")))).message).toContain(words);
  });

  test("a server whose certificate is from another authority gets no data", async () => {
    const { message } = await rejection(open(certificate("limelight", "somebody.pem")));
    expect(message).toMatch(/can't be used \((SELF_SIGNED|UNABLE_TO|CERT)/);
  });

  test("on the same machine the database's socket identifies it by its system user", async () => {
    const socket = `host=${postgres.folder}`;
    expect(await open(socket, `localhost:${postgres.port}`)).toBe("By certificate");
  });

  test("a missing file is reported by its setting, not by its path", () => {
    const url = "postgres://limelight@127.0.0.1/postgres?sslcert=/nowhere/a.pem";
    expect(() => parseDatabaseUrl(url)).toThrow(/^has a sslcert file that can't be read$/);
  });
});
