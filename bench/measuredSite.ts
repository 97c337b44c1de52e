/** Starts the built executable with folders of its own, for measuring. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A running site; `stop` ends it and removes its folders. */
export interface MeasuredSite {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first complete answer, in milliseconds. */
  readonly firstAnswer: number;
  stop(): Promise<void>;
}

/** How long a start may take on a busy machine, in milliseconds. */
const PATIENCE = 30_000;

/** Starts a command that listens on `port`, and waits for its first answer to GET /. */
export async function startServer(
  command: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<Omit<MeasuredSite, "stop"> & { exited: Promise<number>; kill: () => void }> {
  const started = performance.now();
  const server = Bun.spawn(command, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (performance.now() - started < PATIENCE) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) {
      await answer.bytes();
      const firstAnswer = performance.now() - started;
      return {
        url,
        pid: server.pid,
        firstAnswer,
        exited: server.exited,
        kill: () => server.kill(),
      };
    }
    await Bun.sleep(2);
  }
  server.kill();
  throw new Error(`${command[0]} did not answer.`);
}

/** A filled site on the built executable. `demo` fills it with the sample content first. */
export async function startSite(
  options: { demo?: boolean; env?: Record<string, string> } = {},
): Promise<MeasuredSite> {
  const root = await mkdtemp(join(tmpdir(), "limelight-bench-"));
  const env = {
    DATA_DIR: join(root, "data"),
    UPLOADS_DIR: join(root, "uploads"),
    ADMIN_USERNAME: "owner",
    ADMIN_EMAIL: "owner@example.com",
    ADMIN_PASSWORD: "a long enough passphrase",
    ...options.env,
  };
  const program = resolve("dist/limelight");
  if (options.demo) {
    const filling = Bun.spawn([program, "demo"], {
      env: { ...process.env, ...env },
      stdout: "ignore",
    });
    if ((await filling.exited) !== 0) throw new Error("The sample content could not be filled in.");
  }
  const server = await startServer([program, "serve"], freePort(), env);
  return {
    ...server,
    async stop() {
      server.kill();
      await server.exited;
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens on now. */
export function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Resident memory of a process in MB, and the part of it that no file backs. */
export async function memoryOf(pid: number): Promise<{ resident: number; anonymous: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const kilobytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { resident: kilobytes("VmRSS") / 1024, anonymous: kilobytes("RssAnon") / 1024 };
}
