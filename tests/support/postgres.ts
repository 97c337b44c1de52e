/**
 * A real PostgreSQL for tests, in its own folder and on a free port. It comes from Debian (postgresql, which includes
 * pg_trgm); `TEST_POSTGRES` names another folder of its programs. PostgreSQL refuses to run as root, so root starts it
 * as another user.
 */
import { afterAll, beforeAll } from "bun:test";
import { SQL } from "bun";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSchemaName } from "./createSchemaName.ts";
import { findFreePort } from "./ports.ts";
import { DISK_FOLDER } from "./temporary.ts";

const INSTALL_FOLDER = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/**
 * The configured folder, or the newest installed one; undefined if there is none, and "" if the programs are on the
 * path.
 */
const programFolder = process.env["TEST_POSTGRES"] ?? (await findNewestFolder());

async function findNewestFolder(): Promise<string | undefined> {
  const versions: string[] = await readdir(INSTALL_FOLDER).catch(() => []);
  const latest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  if (latest) return join(INSTALL_FOLDER, latest, "bin");
  const isOnPath = Bun.which("initdb") && Bun.which("pg_ctl");
  return isOnPath ? "" : undefined;
}

/** Whether PostgreSQL is available. If not, tests that need it are skipped. */
export const hasPostgres = programFolder !== undefined && (!isRoot || Bun.which("su") !== null);

if (!hasPostgres)
  console.warn("PostgreSQL is not installed (Debian: postgresql), so its tests are skipped.");

export interface Postgres {
  readonly port: number;
  /**
   * Contains the socket. With `isStrict`, also certificates for `limelight` and `somebody`, and that of their
   * authority.
   */
  readonly folder: string;
  /** The server's address, without a site. */
  readonly address: string;
  /** Returns the address of a site in the database; by default of a new site. */
  createUrl(schema?: string): string;
  /** Opens a connection for manual changes. The caller closes it. */
  connect(): SQL;
  /** Kills the server, as in a crash. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Starts a standby that follows the server. */
  startStandby(): ReturnType<typeof createStandby>;
  /** Removes the server with its data. */
  remove(): Promise<void>;
}

interface PostgresOptions {
  /** Whether data survives a crash of the server. Without this, it is faster. */
  readonly isDurable?: boolean;
  /** Whether a name alone isn't enough to connect: TLS needs a certificate, and the socket a system user. */
  readonly isStrict?: boolean;
}

/** Starts a server for all tests of a file or a `describe`. They are skipped if PostgreSQL isn't available. */
export function setUpPostgres(options?: PostgresOptions): Postgres {
  const postgres = {} as Postgres;
  beforeAll(async () => {
    if (hasPostgres) Object.assign(postgres, await startPostgres(options));
  });
  afterAll(() => postgres.remove?.());
  return postgres;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { isDurable = false, isStrict = false } = options;
  const cluster = await createCluster();
  const { folder, data, port, remove } = cluster;
  await run("cp", "-a", await createTemplateOnce(), data);
  const settings = [
    isDurable ? "" : "-c fsync=off",
    isStrict ? await setUpStrictMode(folder, data) : "",
  ].join(" ");
  const start = () => cluster.start(settings);
  const address = `postgres://limelight@127.0.0.1:${port}/postgres`;
  await start();
  return {
    port,
    folder,
    address,
    createUrl: (schema = createSchemaName()) => `${address}?schema=${schema}`,
    connect: () => new SQL(address, { max: 1 }),
    crash: cluster.crash,
    start,
    startStandby: () => createStandby(port),
    remove,
  };
}

/** Creates an empty folder for the data of a server that isn't started yet, and chooses its port. */
async function createCluster() {
  const folder = await mkdtemp(join(tmpdir(), "limelight-postgres-"));
  if (isRoot) await run("chown", "nobody", folder);
  const data = join(folder, "data");
  const port = findFreePort();
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`;
  const crash = () => runAsUser(`pg_ctl -D ${data} -m immediate -w stop`);
  return {
    folder,
    data,
    port,
    start: (settings = "") =>
      runAsUser(`pg_ctl -D ${data} -o '${options} ${settings}' -l ${folder}/log -w start`),
    crash,
    async remove() {
      await crash().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the database folder of which all others are copies, since creating one takes a second. It is stored for all
 * runs.
 */
async function createTemplateOnce(): Promise<string> {
  const initdb = programFolder === "" ? Bun.which("initdb")! : join(programFolder!, "initdb");
  const name = Bun.hash(`${initdb} ${statSync(initdb).mtimeMs}`).toString(36);
  const template = join(DISK_FOLDER, `limelight-postgres-${name}`);
  if (existsSync(template)) return template;
  const folder = await mkdtemp(join(DISK_FOLDER, "limelight-making-"));
  if (isRoot) await run("chown", "nobody", folder);
  const data = join(folder, "data");
  await runAsUser(`initdb -D ${data} -U limelight -A trust -E UTF8 --locale=C.UTF-8`);
  // Another process may have made the same folder first.
  await rename(data, template).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  return template;
}

/** Creates the certificates and rules for `isStrict`. Returns the server's settings for them. */
async function setUpStrictMode(folder: string, data: string): Promise<string> {
  const file = (name: string) => join(folder, name);
  for (const name of ["authority", "server", "limelight", "somebody"]) {
    const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
    const outputArgs = [...files, "-subj", `/CN=${name}`];
    const authorityArgs = ["-CA", file("authority.pem"), "-CAkey", file("authority.key")];
    const signingArgs =
      name === "authority" ? [] : [...authorityArgs, "-addext", "subjectAltName=IP:127.0.0.1"];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    await run("openssl", "req", "-x509", ...key, ...outputArgs, ...signingArgs); // oxlint-disable-line no-await-in-loop -- the authority first
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

async function createStandby(primaryPort: number) {
  const { data, port, start, remove } = await createCluster();
  const source = `-h 127.0.0.1 -p ${primaryPort} -U limelight`;
  await runAsUser(`pg_basebackup ${source} -D ${data} -R -X stream -c fast`);
  await start();
  /** Makes the standby accept writes from now on. */
  const promote = () => runAsUser(`pg_ctl -D ${data} -w promote`);
  return { port, promote, remove };
}

function runAsUser(command: string): Promise<void> {
  const fullCommand = programFolder === "" ? command : `${programFolder}/${command}`;
  return isRoot
    ? run("su", "-s", "/bin/sh", "nobody", "-c", fullCommand)
    : run("/bin/sh", "-c", fullCommand);
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: "/", stdout: "ignore", stderr: "pipe", stdin: "ignore" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} failed (${code})`);
}
