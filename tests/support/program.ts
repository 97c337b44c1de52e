/** The built program as a process: run to its end, or serving a site until it is stopped. */
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./ports.ts";
import { AS_OWNER, callersOf, type RunningSite } from "./site.ts";

/** How a site of the built program is started. */
export interface ProgramOptions {
  /** Settings by the name of their variable. */
  readonly env?: Env;
  /** Default true: there is an owner, `OWNER`. Without one the log has the setup link. */
  readonly owner?: boolean;
  /** True: with the content of `limelight demo`. Default: empty. */
  readonly sample?: boolean;
  /** Its folder, which is kept. Default: a folder that is removed when it stops. */
  readonly folder?: string;
  /** Started instead of the built program. */
  readonly command?: readonly string[];
  /** Called with the process at once, for tests that end it while it starts. */
  readonly onSpawn?: (child: Bun.Subprocess) => void;
}

/** A site of the built program. */
export type ProgramSite = RunningSite & Serving;

/** Starts a site on a free port and waits until it is healthy; in a database if `TEST_DATABASE_URL` names one. */
export async function startProgram(options: ProgramOptions = {}): Promise<ProgramSite> {
  const { owner = true, sample = false, command, onSpawn } = options;
  const database = process.env["TEST_DATABASE_URL"];
  const site = options.folder ? siteIn(options.folder) : await newSiteFolder();
  const siteEnv = { ...databaseOf(site, database), ...options.env };
  const remove = () => (options.folder ? undefined : removeFolder(site));
  try {
    const env = { ...(owner && AS_OWNER), ...siteEnv };
    if (sample) await addSample(site, database && siteEnv);
    const serving = await serveProgram(site, env, { command, onSpawn });
    const stop = (signal?: NodeJS.Signals) => serving.stop(signal).then(remove);
    return { ...site, ...serving, ...callersOf(serving.url), stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The variables of a database for this site only, the same at every start; empty if none is configured. */
export function databaseOf(
  { folder }: SiteFolder,
  database = process.env["TEST_DATABASE_URL"],
): Env {
  if (!database) return {};
  return { DATABASE_URL: `${database}?schema=t${Bun.hash(folder).toString(36)}` };
}

/** The folders of a site, below one folder. */
export interface SiteFolder {
  readonly folder: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
}

/** The folders of a site below `folder`. */
export function siteIn(folder: string): SiteFolder {
  return { folder, dataDir: join(folder, "data"), uploadsDir: join(folder, "uploads") };
}

/** Folders for a site that a test starts several times. */
export async function newSiteFolder({ sample = false } = {}): Promise<SiteFolder> {
  const site = siteIn(await mkdtemp(join(tmpdir(), "limelight-test-")));
  if (sample) await addSample(site);
  return site;
}

export function removeFolder({ folder }: SiteFolder): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** A serving program. */
export interface Serving {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first complete response, in milliseconds. */
  readonly firstAnswer: number;
  log(): string;
  /** Ends it like a service manager, or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Options for serving; `ready` is the path that is requested until it is answered. */
export interface ServeOptions {
  readonly command?: readonly string[] | undefined;
  readonly onSpawn?: ProgramOptions["onSpawn"] | undefined;
  readonly ready?: string;
}

/** Starts `serve` on a free port and waits until it is healthy. */
export async function serveProgram(
  site: SiteFolder,
  env: Env = {},
  { command, onSpawn, ready = "/api/health" }: ServeOptions = {},
): Promise<Serving> {
  // A program that prints its port chooses one itself, since a free port may be taken by then.
  const port = env["PORT"] ?? (command ? String(freePort()) : "0");
  const path = join(site.folder, "log");
  const output = openSync(path, "a");
  const before = statSync(path).size;
  const started = performance.now();
  const child = Bun.spawn([...(command ?? [program()]), "serve"], {
    cwd: site.folder,
    env: { ...settings(site), ...env, PORT: port },
    stdout: output,
    stderr: output,
  });
  closeSync(output);
  onSpawn?.(child);
  const readOutput = () => readFileSync(path).subarray(before).toString();
  const portOf = () => (port === "0" ? LISTENING_ON.exec(readOutput())?.[1] : port);
  const addressOf = () => portOf() && `http://127.0.0.1:${portOf()}`;
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await child.exited;
  };
  const url = await untilWell(addressOf, ready, child).catch(async (error: Error) => {
    await stop();
    throw new Error(`${error.message}\n${readOutput()}`);
  });
  const firstAnswer = performance.now() - started;
  return { url, pid: child.pid, firstAnswer, log: () => readFileSync(path, "utf8"), stop };
}

/** Runs a command to its end; `input` is typed at its prompts. */
export async function runProgram(site: SiteFolder, args: string[], input = "", env: Env = {}) {
  const child = Bun.spawn([program(), ...args], {
    cwd: site.folder,
    env: { ...settings(site), ...env },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outputOf(child);
}

/** Waits for the end of a process, whose outputs are pipes. */
export async function outputOf(child: {
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
 * folders it is made once for each build and then copied.
 */
export async function addSample(site: SiteFolder, inDatabase?: Env | ""): Promise<void> {
  if (inDatabase)
    return void (await runProgram(site, ["demo", "--fill"], "", { ...AS_OWNER, ...inDatabase }));
  const name = `sample-${statSync(program()).mtimeMs}`;
  const made = siteIn(join(dirname(program()), name));
  if (!existsSync(made.folder)) await makeSample(made.folder);
  await cp(made.dataDir, site.dataDir, { recursive: true });
  await cp(made.uploadsDir, site.uploadsDir, { recursive: true });
}

/** Made aside and renamed, since several processes may need it at the same time. */
async function makeSample(folder: string): Promise<void> {
  const dist = dirname(folder);
  const making = siteIn(await mkdtemp(join(dist, "making-")));
  const { code, error } = await runProgram(making, ["demo", "--fill"], "", AS_OWNER);
  if (code !== 0 || error !== "") throw new Error(`The sample content could not be made: ${error}`);
  for (const name of await readdir(dist))
    if (name.startsWith("sample-") && join(dist, name) !== folder)
      await rm(join(dist, name), { recursive: true, force: true });
  // Another process has made the same one first.
  await rename(making.folder, folder).catch(() => removeFolder(making));
}

export function program(): string {
  const path = join(import.meta.dir, "../../dist/limelight");
  if (!existsSync(path)) throw new Error('There is no dist/limelight. Run "bun run build" first.');
  return path;
}

function settings({ dataDir, uploadsDir }: SiteFolder): Env {
  const PATH = process.env["PATH"] ?? "";
  return { PATH, HOST: "127.0.0.1", DATA_DIR: dataDir, UPLOADS_DIR: uploadsDir };
}

const LISTENING_ON = /\(listening on [^)]*:(\d+)\)/;

/** The longest start on a busy machine, in milliseconds; an exit is noticed at once. */
const PATIENCE = 45_000;

/** Resolves to the address once `ready` is answered. */
async function untilWell(
  addressOf: () => string | undefined,
  ready: string,
  child: Bun.Subprocess,
): Promise<string> {
  const patience = performance.now() + PATIENCE;
  while (performance.now() < patience && child.exitCode === null && child.signalCode === null) {
    const address = addressOf();
    const answer = address ? await fetch(address + ready).catch(() => undefined) : undefined;
    if (address && answer?.ok) return address;
    await answer?.body?.cancel();
    await Bun.sleep(2);
  }
  throw new Error(
    child.exitCode === null && child.signalCode === null
      ? "dist/limelight serve was not healthy in time."
      : `dist/limelight serve ended with ${child.exitCode ?? child.signalCode}.`,
  );
}
