/** The built program, run as an owner would, with folders of its own that go when it stops. */
import { existsSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The owner that every started program has. */
export const OWNER = {
  username: "owner",
  email: "owner@example.com",
  password: "a long enough passphrase",
} as const;

/** A running program. */
export interface Executable {
  /** Such as http://127.0.0.1:41234, without a slash. */
  readonly url: string;
  readonly dataDir: string;
  readonly uploadsDir: string;
  /** Everything it has written to its log. */
  log(): string;
  /** Makes a JSON call as the owner and answers the body; rejects with the answer when refused. */
  asOwner<T = any>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends it and removes its folders. */
  stop(): Promise<void>;
}

/** Starts `dist/limelight serve` on a free port and waits until it is well. `env` adds settings. */
export async function startExecutable(env: Record<string, string> = {}): Promise<Executable> {
  const program = resolve("dist/limelight");
  if (!existsSync(program))
    throw new Error('There is no dist/limelight. Run "bun run build" first.');
  const folder = await mkdtemp(join(tmpdir(), "limelight-test-"));
  const [dataDir, uploadsDir, port] = [join(folder, "data"), join(folder, "uploads"), freePort()];
  const output = openSync(join(folder, "log"), "a");
  const child = Bun.spawn([program, "serve"], {
    cwd: folder,
    env: { ...settings(dataDir, uploadsDir, port), ...env },
    stdout: output,
    stderr: output,
  });
  const url = `http://127.0.0.1:${port}`;
  const log = () => readFileSync(join(folder, "log"), "utf8");
  const stop = async () => {
    child.kill();
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  };
  await untilWell(url, child).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, dataDir, uploadsDir, log, asOwner: ownerCalls(url), stop };
}

function settings(dataDir: string, uploadsDir: string, port: number): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: dataDir,
    UPLOADS_DIR: uploadsDir,
    ADMIN_USERNAME: OWNER.username,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  };
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

function ownerCalls(url: string): Executable["asOwner"] {
  let cookie: Promise<string> | undefined;
  return async (method, path, body) => {
    cookie ??= logIn(url);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> =
      body === undefined ? {} : { "content-type": "application/json" };
    const headers = { ...type, cookie: await cookie };
    const answer = await fetch(url + path, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: OWNER.username, password: OWNER.password }),
  });
  if (!answer.ok) throw new Error(`Could not log in: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}
