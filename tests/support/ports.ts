/** Ports for what has to be told its own before it starts. */

/** One that nobody listens on at the moment. */
export function freePort(): number {
  return freePorts(1)[0]!;
}

/** Several, all held at once, so that none is given twice. */
export function freePorts(count: number): number[] {
  const listen = () => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const probes = Array.from({ length: count }, listen);
  for (const probe of probes) probe.stop(true);
  return probes.map(({ port }) => port);
}
