/** Ports for programs that need theirs before they start. */

/**
 * Below 32,768, from where on Linux gives ports to whoever names none and to every connection that goes out: what
 * is free here stays so until it is listened on, and while what listens there is started again.
 */
const FIRST = 20_000;
/** Each of the processes that run test files side by side has so many of its own. */
const SHARE = 1500;
const MOST_PROCESSES = 8;

const firstPort = FIRST + SHARE * (Number(process.env["BUN_TEST_WORKER_ID"] ?? 0) % MOST_PROCESSES);

const assigned = new Set<number>();

/** One that nobody listens on, and that was given to nobody in this process. */
export function freePort(): number {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * SHARE);
    if (assigned.has(port) || !isFree(port)) continue;
    assigned.add(port);
    return port;
  }
}

/** Several of them. */
export function freePorts(count: number): number[] {
  return Array.from({ length: count }, freePort);
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
