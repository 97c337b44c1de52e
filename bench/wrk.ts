/** Load by Debian's wrk: 64 connections in one thread, each of which sends its next request after a response. */
import { readCpuTime } from "./measure.ts";

export const hasWrk = Bun.which("wrk") !== null;

/** A measured server; `pid` is the process that responds. */
export interface MeasuredServer {
  readonly url: string;
  readonly pid: number;
}

interface WrkRun {
  readonly perSecond: number;
  /** Microseconds of the server's own time for each request. */
  readonly cpu: number;
}

/** Requests one path for some seconds. `headers` are whole lines, as in a request. */
export async function runWrk(
  { url, pid }: MeasuredServer,
  path: string,
  seconds: number,
  headers: readonly string[] = [],
): Promise<WrkRun> {
  const before = await readCpuTime(pid);
  const headerArguments = headers.flatMap((header) => ["-H", header]);
  const wrk = ["wrk", "-t1", "-c64", `-d${seconds}s`, ...headerArguments, url + path];
  const output = await new Response(Bun.spawn(wrk).stdout).text();
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  return { perSecond: requests / seconds, cpu: ((await readCpuTime(pid)) - before) / requests };
}
