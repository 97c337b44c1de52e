/** The built program as a process that is run to its end, or that serves a site until it is stopped. */
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFreePort } from "./ports.ts";
import { OWNER_ENV, createCallers, type RunningSite } from "./site.ts";

/** How a site of the built program is started. */
export interface ProgramOptions {
  /** Settings by the name of their variable. */
  readonly env?: Env;
  /** Whether there is an owner, `OWNER`. Default: true. Without an owner, the log has the setup link. */
  readonly hasOwner?: boolean;
  /** Whether the site has the content of `limelight demo`. Default: false. */
  readonly hasSample?: boolean;
  /** The site's folder, which isn't removed. Default: a folder that is removed when the site stops. */
  readonly folder?: string;
  /** The command to start instead of the built program. */
  readonly command?: readonly string[];
  /** Called with the process immediately, for tests that end it while it starts. */
  readonly onSpawn?: (child: Bun.Subprocess) => void;
}

/** A site of the built program. */
export type ProgramSite = RunningSite & RunningProgram;

/**
 * Starts a site on a free port and waits until it is healthy. If `TEST_DATABASE_URL` is set, the site is in that
 * database.
 */
export async function startProgram(options: ProgramOptions = {}): Promise<ProgramSite> {
  const { hasOwner = true, hasSample = false, command, onSpawn } = options;
  const database = process.env["TEST_DATABASE_URL"];
  const site = options.folder ? toSiteFolder(options.folder) : await createSiteFolder();
  const siteEnv = { ...createDatabaseEnv(site, database), ...options.env };
  const remove = () => (options.folder ? undefined : removeSiteFolder(site));
  try {
    const env = { ...(hasOwner && OWNER_ENV), ...siteEnv };
    if (hasSample) await addSample(site, database && siteEnv);
    const serving = await serveProgram(site, env, { command, onSpawn });
    const stop = (signal?: NodeJS.Signals) => serving.stop(signal).then(remove);
    return { ...site, ...serving, ...createCallers(serving.url), stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Returns the settings for this site's own part of the database, the same at every start. They are empty if no database
 * is configured.
 */
export function createDatabaseEnv(
  { folder }: SiteFolder,
  database = process.env["TEST_DATABASE_URL"],
): Env {
  if (!database) return {};
  return { DATABASE_URL: `${database}?schema=t${Bun.hash(folder).toString(36)}` };
}

/** A site's folder, with the two folders inside it. */
export interface SiteFolder {
  readonly folder: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
}

/** Returns the folders of a site below `folder`. */
export function toSiteFolder(folder: string): SiteFolder {
  return { folder, dataDir: join(folder, "data"), uploadsDir: join(folder, "uploads") };
}

/** Creates folders for a site that a test starts several times. */
export async function createSiteFolder({ sample = false } = {}): Promise<SiteFolder> {
  const site = toSiteFolder(await mkdtemp(join(tmpdir(), "limelight-test-")));
  if (sample) await addSample(site);
  return site;
}

export function removeSiteFolder({ folder }: SiteFolder): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** A serving program. */
export interface RunningProgram {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly pid: number;
  /** The time from the start of the process to its first complete response, in milliseconds. */
  readonly firstResponseMs: number;
  log(): string;
  /** Ends the program as a service manager does, or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Options for serving. `readyPath` is requested until it responds with success. */
export interface ServeOptions {
  readonly command?: readonly string[] | undefined;
  readonly onSpawn?: ProgramOptions["onSpawn"] | undefined;
  readonly readyPath?: string;
}

/** Starts `serve` on a free port and waits until it is healthy. */
export async function serveProgram(
  site: SiteFolder,
  env: Env = {},
  { command, onSpawn, readyPath: ready = "/api/health" }: ServeOptions = {},
): Promise<RunningProgram> {
  // Without another command, the program chooses a port and prints it, since a free port may be taken meanwhile.
  const port = env["PORT"] ?? (command ? String(findFreePort()) : "0");
  const path = join(site.folder, "log");
  const output = openSync(path, "a");
  const startOffset = statSync(path).size;
  const started = performance.now();
  const child = Bun.spawn([...(command ?? [getProgramPath()]), "serve"], {
    cwd: site.folder,
    env: { ...createEnv(site), ...env, PORT: port },
    stdout: output,
    stderr: output,
  });
  closeSync(output);
  onSpawn?.(child);
  const readOutput = () => readFileSync(path).subarray(startOffset).toString();
  const readPort = () => (port === "0" ? LISTENING_ON.exec(readOutput())?.[1] : port);
  const readAddress = () => readPort() && `http://127.0.0.1:${readPort()}`;
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await child.exited;
  };
  const url = await waitUntilHealthy(readAddress, ready, child).catch(async (error: Error) => {
    await stop();
    throw new Error(`${error.message}\n${readOutput()}`);
  });
  const firstResponseMs = performance.now() - started;
  return { url, pid: child.pid, firstResponseMs, log: () => readFileSync(path, "utf8"), stop };
}

/** Runs a command to its end. `input` is typed at its prompts. */
export async function runProgram(site: SiteFolder, args: string[], input = "", env: Env = {}) {
  const child = Bun.spawn([getProgramPath(), ...args], {
    cwd: site.folder,
    env: { ...createEnv(site), ...env },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  return collectOutput(child);
}

/** Waits until a process ends, whose outputs must be pipes. Returns its exit code and outputs. */
export async function collectOutput(child: {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<number>;
}) {
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, error };
}

type Env = Readonly<Record<string, string>>;

/**
 * Adds the sample content to a site's folders, or to the database in the settings. Its pictures take seconds, so for
 * folders the content is made once for each build and then copied.
 */
export async function addSample(site: SiteFolder, databaseEnv?: Env | ""): Promise<void> {
  if (databaseEnv)
    return void (await runProgram(site, ["demo", "--fill"], "", { ...OWNER_ENV, ...databaseEnv }));
  const name = `sample-${statSync(getProgramPath()).mtimeMs}`;
  const cached = toSiteFolder(join(dirname(getProgramPath()), name));
  if (!existsSync(cached.folder)) await makeSample(cached.folder);
  await cp(cached.dataDir, site.dataDir, { recursive: true });
  await cp(cached.uploadsDir, site.uploadsDir, { recursive: true });
}

/** Makes the sample elsewhere and then renames it, since several processes may need it at the same time. */
async function makeSample(folder: string): Promise<void> {
  const dist = dirname(folder);
  const temporary = toSiteFolder(await mkdtemp(join(dist, "making-")));
  const { code, error } = await runProgram(temporary, ["demo", "--fill"], "", OWNER_ENV);
  if (code !== 0 || error !== "") throw new Error(`The sample content could not be made: ${error}`);
  for (const name of await readdir(dist))
    if (name.startsWith("sample-") && join(dist, name) !== folder)
      await rm(join(dist, name), { recursive: true, force: true });
  // Another process may have made the same sample first.
  await rename(temporary.folder, folder).catch(() => removeSiteFolder(temporary));
}

export function getProgramPath(): string {
  const path = join(import.meta.dir, "../../dist/limelight");
  if (!existsSync(path)) throw new Error('There is no dist/limelight. Run "bun run build" first.');
  return path;
}

function createEnv({ dataDir, uploadsDir }: SiteFolder): Env {
  const PATH = process.env["PATH"] ?? "";
  return { PATH, HOST: "127.0.0.1", DATA_DIR: dataDir, UPLOADS_DIR: uploadsDir };
}

const LISTENING_ON = /\(listening on [^)]*:(\d+)\)/;

/** The longest start on a busy machine, in milliseconds. An exit is noticed immediately. */
const START_TIMEOUT_MS = 45_000;

/** Returns the address once `readyPath` can be requested. */
async function waitUntilHealthy(
  readAddress: () => string | undefined,
  ready: string,
  child: Bun.Subprocess,
): Promise<string> {
  const end = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < end && child.exitCode === null && child.signalCode === null) {
    const address = readAddress();
    const response = address ? await fetch(address + ready).catch(() => undefined) : undefined;
    if (address && response?.ok) return address;
    await response?.body?.cancel();
    await Bun.sleep(2);
  }
  throw new Error(
    child.exitCode === null && child.signalCode === null
      ? "dist/limelight serve was not healthy in time."
      : `dist/limelight serve ended with ${child.exitCode ?? child.signalCode}.`,
  );
}
