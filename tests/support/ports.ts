/** Ports for programs that need to know their port before they start. */

/**
 * The first port. All ports here are below 32,768, from where Linux assigns ports to unnamed listeners and outgoing
 * connections. So a port that is free stays free until the test listens on it, also between restarts.
 */
const FIRST_PORT = 20_000;
/** The number of ports for each process that runs test files in parallel. */
const PORTS_PER_PROCESS = 1500;
const MAX_PROCESSES = 8;

const firstPort =
  FIRST_PORT + PORTS_PER_PROCESS * (Number(process.env["BUN_TEST_WORKER_ID"] ?? 0) % MAX_PROCESSES);

const assigned = new Set<number>();

/** Returns a port on which nobody listens, and that this process hasn't returned before. */
export function findFreePort(): number {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * PORTS_PER_PROCESS);
    if (assigned.has(port) || !isFree(port)) continue;
    assigned.add(port);
    return port;
  }
}

export function findFreePorts(count: number): number[] {
  return Array.from({ length: count }, findFreePort);
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
