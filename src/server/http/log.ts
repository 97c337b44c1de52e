/** One line per request: method, path, status, time. No query, body, cookie, token or address. */

/** Takes one line. */
export type Log = (line: string) => void;

const MAX_PATH = 200;

/** The line for one answered request; `ms` is the time it took. */
export function requestLine(method: string, path: string, status: number, ms: number): string {
  return `${method} ${path.slice(0, MAX_PATH)} ${status} ${ms.toFixed(1)}ms`;
}
