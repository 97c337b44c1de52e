/** Shared by the two measurements of mail: a mail server in its own process, and the waiting time of other work. */
import { startMailServer } from "../tests/support/mailServer.ts";

/** Starts a mail server in its own process. `url` is the value of MAIL_URL. */
export async function startMailProcess(): Promise<{ url: string; kill(): void }> {
  const server = Bun.spawn([process.execPath, import.meta.path], { stdout: "pipe" });
  const { value } = await server.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  return { url: `smtp://127.0.0.1:${port}`, kill: () => server.kill() };
}

if (import.meta.main)
  process.stdout.write(`${(await startMailServer({ login: false, plain: true })).port}\n`);

/**
 * Measures how long other work, such as a page, has to wait. Call the returned function at the end for a summary. At
 * most this process's own working time counts, since on a busy machine a timer is late because of others too.
 */
export function waits(): () => string {
  const late: number[] = [];
  let last = performance.now();
  let worked = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(worked);
    late.push(Math.max(0, Math.min(now - last - 2, (user + system) / 1000)));
    last = now;
    worked = process.cpuUsage();
  }, 2);
  return () => {
    clearInterval(timer);
    late.sort((one, other) => one - other);
    const most = late[Math.floor(late.length * 0.99)] ?? 0;
    return `at most ${late.at(-1)?.toFixed(0)} ms, 99 of 100 times under ${most.toFixed(0)}`;
  };
}

/** Formats the processor time for each message. */
export function costOf(count: number, since: { cpu: NodeJS.CpuUsage; at: number }): string {
  const { user, system } = process.cpuUsage(since.cpu);
  const seconds = (performance.now() - since.at) / 1000;
  const each = (micros: number) => micros / 1000 / count;
  return `${(count / seconds).toFixed(0)} a second; each ${each(user + system).toFixed(2)} ms of processor time (${each(system).toFixed(2)} of it the system's), ${(each(user + system) * 5).toFixed(1)} % of a core at 50 a second`;
}
