/** The running site: its process, its health, and how it is stopped and restarted. */
import { kill } from "node:process";
import type { Config } from "../../shared/config.ts";
import type { Engine } from "../../storage/engine.ts";
import { isServing } from "../../http/health.ts";
import { hostOf } from "../../http/listening.ts";

/** How the site is restarted: by a command, or by itself after a signal. */
export type Restart = { readonly command: string } | "signal";

/** A site as seen from outside. Times are in milliseconds. */
export interface RunningSite {
  /** The URL of its health check. */
  readonly address: string;
  /** The process that has the data open; undefined when none has. */
  process(): Promise<number | undefined>;
  /** A single check. */
  isHealthy(): Promise<boolean>;
  /**
   * Waits until one process other than `than` has been well for a while; false when none is after `patience`, or when
   * too many have crashed in a row. The while is a part of `watched`; default: `patience`.
   */
  waitUntilHealthy(patience: number, than?: number, watched?: number): Promise<boolean>;
  /** Stops a process, and waits until it has released the data. */
  end(process: number): Promise<void>;
  /** Restarts it. False when the command failed. */
  restart(): Promise<boolean>;
}

/**
 * How many checks in a row must succeed: those of five seconds or an eighth of the patience, since some processes
 * crash only under requests. Checks are counted because time also passes on a suspended machine.
 */
const steadyLooks = (patience: number) => Math.min(5000, patience / 8) / PAUSE;
/** This many processes that came and went are a crash loop. */
const CRASHES = 5;
/** How long a site may take to stop before it is killed; by itself it stops within 10 s. */
const GRACE = 20_000;
const LONGEST_COMMAND = 120_000;
const PAUSE = 50;

/** The site with these settings. `restart` is undefined when nothing should be restarted. */
export function runningSite(
  config: Config,
  data: Engine,
  restart: Restart | undefined,
): RunningSite {
  const address = `${config.domain ? "https" : "http"}://${hostOf(config)}:${config.port}/api/health`;
  const process = () => data.lockHolder();
  const isWell = () => ask(address);

  return {
    address,
    process,
    isHealthy: isWell,
    end,
    async waitUntilHealthy(patience, than, watched = patience) {
      const seen = new Set<number>();
      const end = performance.now() + patience;
      let looks = 0;
      let last: number | undefined;
      // A process that came up in time is checked to the end of the while.
      while (performance.now() < end || looks > 0) {
        const pid = await process().catch(() => undefined);
        if (pid !== undefined && pid !== than) seen.add(pid);
        if (seen.size > CRASHES) return false;
        const well = pid !== undefined && pid !== than && (await isWell());
        if (pid !== last) looks = 0;
        looks = well ? looks + 1 : 0;
        last = pid;
        if (looks > steadyLooks(watched)) return true;
        await Bun.sleep(PAUSE);
      }
      return false;
    },
    async restart() {
      if (restart === undefined) return true;
      if (restart !== "signal") return run(restart.command);
      const open = await process();
      if (open !== undefined) await end(open);
      return true;
    },
  };

  async function end(pid: number): Promise<void> {
    for (const name of ["SIGTERM", "SIGKILL"] as const) {
      signal(pid, name);
      if (await within(GRACE, async () => (await process()) !== pid)) return;
    }
  }
}

async function ask(address: string): Promise<boolean> {
  // The certificate is for the site's names, but the request goes to a local address.
  const tls = { rejectUnauthorized: false };
  const response = await fetch(address, { tls, signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  );
  return response !== null && (await isServing(response));
}

async function run(command: string): Promise<boolean> {
  const child = Bun.spawn(["/bin/sh", "-c", command], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    timeout: LONGEST_COMMAND,
    // In its own session, so that Ctrl+C doesn't reach it.
    detached: true,
  });
  return (await child.exited) === 0;
}

/** Polls until true; false after `ms`. */
async function within(ms: number, question: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (await question()) return true;
    await Bun.sleep(PAUSE);
  }
  return false;
}

/** A process that has already ended needs no signal; whether it is gone is checked separately. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    kill(pid, name);
  } catch {}
}
