/** Ports for what has to be told its own before it starts. */

/**
 * Below 32,768, from where on Linux gives ports to whoever names none and to every connection that goes out: what
 * is free here stays so until it is listened on, and while what listens there is started again.
 */
const [FIRST, LAST] = [20_000, 31_999];

const given = new Set<number>();

/** One that nobody listens on, and that was given to nobody in this process. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (given.has(port) || !isFree(port)) continue;
    given.add(port);
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
