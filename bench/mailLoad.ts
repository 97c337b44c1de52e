/** Shared by letters.ts and outbox.ts: a mail server in its own process, and the waiting time of other work. */
import { startMailServer } from "../tests/support/mailServer.ts";

/** Starts a mail server in its own process. `url` is the value of MAIL_URL. */
export async function startMailProcess(): Promise<{ url: string; kill(): void }> {
  const server = Bun.spawn([process.execPath, import.meta.path], { stdout: "pipe" });
  const { value } = await server.stdout.getReader().read();
  const port = new TextDecoder().decode(value).trim();
  return { url: `smtp://127.0.0.1:${port}`, kill: () => server.kill() };
}

if (import.meta.main)
  process.stdout.write(`${(await startMailServer({ hasLogin: false, isPlain: true })).port}\n`);

/**
 * Measures how long other work, such as a page, has to wait. Call the returned function at the end for a summary. A
 * delay counts only as far as this process itself was working, since other processes also delay its timers on a busy
 * machine.
 */
export function measureWaits(): () => string {
  const delays: number[] = [];
  let last = performance.now();
  let cpuAtLastTick = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(cpuAtLastTick);
    delays.push(Math.max(0, Math.min(now - last - 2, (user + system) / 1000)));
    last = now;
    cpuAtLastTick = process.cpuUsage();
  }, 2);
  return () => {
    clearInterval(timer);
    delays.sort((one, other) => one - other);
    const percentile99 = delays[Math.floor(delays.length * 0.99)] ?? 0;
    return `at most ${delays.at(-1)?.toFixed(0)} ms, 99 of 100 times under ${percentile99.toFixed(0)}`;
  };
}

export function formatCost(count: number, start: { cpu: NodeJS.CpuUsage; at: number }): string {
  const { user, system } = process.cpuUsage(start.cpu);
  const seconds = (performance.now() - start.at) / 1000;
  const computeMsPerMessage = (micros: number) => micros / 1000 / count;
  return `${(count / seconds).toFixed(0)} a second; each ${computeMsPerMessage(user + system).toFixed(2)} ms of processor time (${computeMsPerMessage(system).toFixed(2)} of it the system's), ${(computeMsPerMessage(user + system) * 5).toFixed(1)} % of a core at 50 a second`;
}
