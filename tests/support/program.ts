/** The built program as a process: run to its end, or serving until it is stopped. */
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where a program keeps a site, below one folder. */
export interface SiteFolder {
  readonly folder: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
}

/** The folders of a site below `folder`. */
export function siteIn(folder: string): SiteFolder {
  return { folder, dataDir: join(folder, "data"), uploadsDir: join(folder, "uploads") };
}

/** A serving program. */
export interface Serving {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly pid: number;
  /** Everything it has written to its log. */
  log(): string;
  /** Ends it as a service manager would, or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs a command to its end; `input` is typed at its questions. */
export async function runProgram(site: SiteFolder, args: string[], input = "", env: Env = {}) {
  const child = Bun.spawn([program(), ...args], {
    cwd: site.folder,
    env: { ...settings(site), ...env },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, error };
}

/** Starts `serve` on a free port and waits until it is well; of another `command` than the built one. */
export async function serveProgram(
  site: SiteFolder,
  env: Env = {},
  command: readonly string[] = [program()],
): Promise<Serving> {
  const port = freePort();
  const path = join(site.folder, "log");
  const output = openSync(path, "a");
  const child = Bun.spawn([...command, "serve"], {
    cwd: site.folder,
    env: { ...settings(site), PORT: String(port), ...env },
    stdout: output,
    stderr: output,
  });
  closeSync(output);
  const url = `http://127.0.0.1:${port}`;
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await child.exited;
  };
  await untilWell(url, child).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, pid: child.pid, log: () => readFileSync(path, "utf8"), stop };
}

type Env = Record<string, string>;

function program(): string {
  const path = resolve("dist/limelight");
  if (!existsSync(path)) throw new Error('There is no dist/limelight. Run "bun run build" first.');
  return path;
}

function settings({ dataDir, uploadsDir }: SiteFolder): Env {
  const PATH = process.env["PATH"] ?? "";
  return { PATH, HOST: "127.0.0.1", DATA_DIR: dataDir, UPLOADS_DIR: uploadsDir };
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}

async function untilWell(url: string, child: Bun.Subprocess): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error("dist/limelight serve did not become well within ten seconds.");
}
