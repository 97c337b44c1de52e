/**
 * A real PostgreSQL for tests, in its own folder and on a free port. Debian has it (postgresql, which includes
 * pg_trgm); `TEST_POSTGRES` names another folder of its programs. It refuses to run as root, so it is started as
 * another user then.
 */
import { afterAll, beforeAll } from "bun:test";
import { SQL } from "bun";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSchema } from "./newSchema.ts";
import { freePort } from "./ports.ts";
import { ON_DISK } from "./temporary.ts";

const FOLDERS = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/** The configured folder, or the newest installed one; undefined without any. */
const binaries = process.env["TEST_POSTGRES"] ?? (await newest());

async function newest(): Promise<string | undefined> {
  const versions: string[] = await readdir(FOLDERS).catch(() => []);
  const latest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  if (latest) return join(FOLDERS, latest, "bin");
  const named = Bun.which("initdb") && Bun.which("pg_ctl");
  return named ? "" : undefined;
}

/** Whether it is available; tests that need it are skipped otherwise. */
export const hasPostgres = binaries !== undefined && (!isRoot || Bun.which("su") !== null);

if (!hasPostgres)
  console.warn("PostgreSQL is not installed (Debian: postgresql), so its tests are skipped.");

export interface Postgres {
  readonly port: number;
  /** Contains its socket; with `isStrict` also certificates for `limelight` and `somebody`, and the authority's. */
  readonly folder: string;
  /** Its address, without a site. */
  readonly address: string;
  /** The address of a site in it; by default a new one. */
  url(schema?: string): string;
  /** A connection for manual changes; the caller closes it. */
  sql(): SQL;
  /** Kills it, like a crash. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** A standby that follows it. */
  standby(): Promise<Standby>;
  /** Removes it with its data. */
  remove(): Promise<void>;
}

export interface Standby {
  readonly port: number;
  /** Accepts writes from now on. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

interface PostgresOptions {
  /** It survives its own crash; others are faster without that. */
  readonly isDurable?: boolean;
  /** Nobody can connect by name alone: over TLS with a certificate, over its socket as a system user. */
  readonly isStrict?: boolean;
}

/** One for all tests of a file or a `describe`, which are skipped if it isn't available. */
export function postgresForAll(options?: PostgresOptions): Postgres {
  const postgres = {} as Postgres;
  beforeAll(async () => {
    if (hasPostgres) Object.assign(postgres, await startPostgres(options));
  });
  afterAll(() => postgres.remove?.());
  return postgres;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { isDurable = false, isStrict = false } = options;
  const folder = await mkdtemp(join(tmpdir(), "limelight-postgres-"));
  if (isRoot) await run("chown", "nobody", folder);
  const data = join(folder, "data");
  const port = freePort();
  await run("cp", "-a", await madeOnce(), data);
  const settings = [
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`,
    isDurable ? "" : "-c fsync=off",
    isStrict ? await strictly(folder, data) : "",
  ].join(" ");
  const start = () => asUser(`pg_ctl -D ${data} -o '${settings}' -l ${folder}/log -w start`);
  const end = (mode: string) => asUser(`pg_ctl -D ${data} -m ${mode} -w stop`);
  const address = `postgres://limelight@127.0.0.1:${port}/postgres`;
  await start();
  return {
    port,
    folder,
    address,
    url: (schema = newSchema()) => `${address}?schema=${schema}`,
    sql: () => new SQL(address, { max: 1 }),
    crash: () => end("immediate"),
    start,
    standby: () => standbyOf(port),
    async remove() {
      await end("immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A new database folder that all others are copies of, since creating it takes a second. Stored for all runs. */
async function madeOnce(): Promise<string> {
  const initdb = binaries === "" ? Bun.which("initdb")! : join(binaries!, "initdb");
  const name = Bun.hash(`${initdb} ${statSync(initdb).mtimeMs}`).toString(36);
  const made = join(ON_DISK, `limelight-postgres-${name}`);
  if (existsSync(made)) return made;
  const folder = await mkdtemp(join(ON_DISK, "limelight-making-"));
  if (isRoot) await run("chown", "nobody", folder);
  const data = join(folder, "data");
  await asUser(`initdb -D ${data} -U limelight -A trust -E UTF8 --locale=C.UTF-8`);
  // Another process has made the same one first.
  await rename(data, made).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  return made;
}

/** Creates the certificates and rules of a strict one; returns its settings. */
async function strictly(folder: string, data: string): Promise<string> {
  const file = (name: string) => join(folder, name);
  for (const name of ["authority", "server", "limelight", "somebody"]) {
    const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
    const made = [...files, "-subj", `/CN=${name}`];
    const by = ["-CA", file("authority.pem"), "-CAkey", file("authority.key")];
    const signed = name === "authority" ? [] : [...by, "-addext", "subjectAltName=IP:127.0.0.1"];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    await run("openssl", "req", "-x509", ...key, ...made, ...signed); // oxlint-disable-line no-await-in-loop -- the authority first
  }
  if (isRoot) await run("chown", "nobody", file("server.key"));
  const rules = "local all all peer map=tests\nhostssl all all 127.0.0.1/32 cert\n";
  await Bun.write(join(data, "pg_hba.conf"), rules);
  const me = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
  await Bun.write(join(data, "pg_ident.conf"), `tests ${me} limelight\n`);
  const files = { cert: "server.pem", key: "server.key", ca: "authority.pem" };
  const options = Object.entries(files).map(
    ([name, value]) => `-c ssl_${name}_file=${file(value)}`,
  );
  return ["-c ssl=on", ...options].join(" ");
}

async function standbyOf(port: number): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-standby-"));
  if (isRoot) await run("chown", "nobody", folder);
  const data = join(folder, "data");
  const standbyPort = freePort();
  const source = `-h 127.0.0.1 -p ${port} -U limelight`;
  await asUser(`pg_basebackup ${source} -D ${data} -R -X stream -c fast`);
  const options = `-p ${standbyPort} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`;
  await asUser(`pg_ctl -D ${data} -o '${options}' -l ${folder}/log -w start`);
  return {
    port: standbyPort,
    promote: () => asUser(`pg_ctl -D ${data} -w promote`),
    async remove() {
      await asUser(`pg_ctl -D ${data} -m immediate -w stop`).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function asUser(command: string): Promise<void> {
  const named = binaries === "" ? command : `${binaries}/${command}`;
  return isRoot ? run("su", "-s", "/bin/sh", "nobody", "-c", named) : run("/bin/sh", "-c", named);
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: "/", stdout: "ignore", stderr: "pipe", stdin: "ignore" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} failed (${code})`);
}
