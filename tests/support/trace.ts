/** The system calls of a serving program, traced by strace. */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether system calls can be traced: strace is installed, and may trace other processes. */
export const canTrace =
  Bun.which("strace") !== null &&
  Bun.spawnSync(["strace", "-f", "-o", "/dev/null", "true"], { stderr: "ignore" }).exitCode === 0;

if (!canTrace)
  console.warn("System calls aren't tested: strace isn't installed, or may not trace processes.");

/** A finished call. Calls are in the order in which they ended. */
export interface SystemCall {
  readonly name: string;
  readonly args: string;
  readonly result: number;
}

const TRACED_CALLS =
  "openat,open,creat,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,write,pwrite64,writev,sendto,sendmsg";

/** Returns a prefix for a command that makes strace write the command's calls to `file`. */
export const createTraceCommand = (file: string) =>
  `strace -f -y -qq -s 60 -e trace=${TRACED_CALLS} -o ${file}`.split(" ");

/** Returns the calls in a trace from a line on, and the index of the line after the last one. */
export function readSystemCalls(
  file: string,
  firstLine: number,
): { calls: SystemCall[]; nextLine: number } {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const unfinished = new Map<string, string>();
  const calls: SystemCall[] = [];
  for (const line of lines.slice(firstLine)) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
    if (text.endsWith("<unfinished ...>")) {
      unfinished.set(thread, text.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const whole = resumed === undefined ? text : `${unfinished.get(thread) ?? ""}${resumed}`;
    const [, name, args, result] = /^(\w+)\((.*)\) += (-?\d+)/.exec(whole) ?? [];
    if (name) calls.push({ name, args: args!, result: Number(result) });
  }
  return { calls, nextLine: lines.length };
}

/** Finds the process that strace started. */
export async function findTracedProcess(strace: number): Promise<number> {
  const children = await readFile(`/proc/${strace}/task/${strace}/children`, "utf8");
  return Number(children.trim().split(" ")[0]);
}

/** Makes a process's calls fail while `work` runs. `fault` is strace's `-e inject` without the call. */
export async function withInjectedFault<R>(
  pid: number,
  call: string,
  fault: string,
  work: () => Promise<R>,
): Promise<R> {
  const threads = (await readdir(`/proc/${pid}/task`)).length;
  const strace = Bun.spawn(
    `strace -f -qq -p ${pid} -e trace=${call} -e inject=${call}:${fault} -o /dev/null`.split(" "),
    { stderr: "ignore" },
  );
  await waitUntilTraced(pid, threads);
  try {
    return await work();
  } finally {
    strace.kill("SIGINT");
    // If the process ended meanwhile, strace may wait for a thread that never comes.
    const forced = setTimeout(() => strace.kill("SIGKILL"), 1000);
    await strace.exited;
    clearTimeout(forced);
  }
}

/** The longest wait on a busy machine, in milliseconds. */
const ATTACH_TIMEOUT_MS = 45_000;

/** Waits until every thread is traced, or the process has ended. */
async function waitUntilTraced(pid: number, threads: number): Promise<void> {
  const end = performance.now() + ATTACH_TIMEOUT_MS;
  while (performance.now() < end) {
    const names = await readdir(`/proc/${pid}/task`).catch(() => []);
    const states = await Promise.all(
      names.map((name) =>
        readFile(join(`/proc/${pid}/task`, name, "status"), "utf8").catch(() => ""),
      ),
    );
    const traced = states.filter((state) => /TracerPid:\s+[1-9]/.test(state)).length;
    if (names.length === 0 || traced >= Math.max(threads, names.length)) return;
    await Bun.sleep(5);
  }
  throw new Error("strace could not be attached in time.");
}
