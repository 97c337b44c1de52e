/** The request log, and the ids by which a request's line is found. */
import type { Clock } from "../shared/clock.ts";

export interface RequestIds {
  /** Always the same for one request. */
  of(request: Request): string;
  /** The same, as the last use: not remembered, since most requests need it only once. */
  last(request: Request): string;
}

/**
 * Seven letters and digits, unique for four billion requests. A counter is scrambled, so that an id doesn't reveal
 * how many visitors a site has.
 */
export function requestIds(): RequestIds {
  const ids = new WeakMap<Request, string>();
  const [key = 0] = crypto.getRandomValues(new Uint32Array(1));
  let count = 0;
  const next = () => {
    count = (count + 1) >>> 0;
    return ((Math.imul(count, SPREAD) ^ key) >>> 0).toString(36).padStart(7, "0");
  };
  return {
    of(request) {
      const id = ids.get(request) ?? next();
      ids.set(request, id);
      return id;
    },
    last: (request) => ids.get(request) ?? next(),
  };
}

/** Odd, which maps every 32-bit count to another number: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

interface Answered {
  readonly id: string;
  readonly method: string;
  /** Without the query, which may identify somebody. No path has a secret. */
  readonly path: string;
  readonly status: number;
  /** Its duration. */
  readonly ms: number;
}

const MAX_PATH = 200;

/** Formats a finished request: time, id, method, path, status, duration. */
export function requestLines(clock: Clock): (request: Answered) => string {
  const timeOf = timestamps();
  return ({ id, method, path, status, ms }) =>
    `${timeOf(clock())} ${id} ${method} ${inLine(path)} ${status} ${ms.toFixed(1)}ms`;
}

// Control characters that a terminal would obey, and line ends.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const inLine = (path: string) => path.slice(0, MAX_PATH).replace(UNSEEN, "\u{fffd}");

/** ISO 8601 in UTC; all but the milliseconds is formatted once a second. */
export function timestamps(): (now: number) => string {
  let second = Number.NaN;
  let text = "";
  return (now) => {
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      text = new Date(second).toISOString().slice(0, 20);
    }
    return `${text}${String(ms).padStart(3, "0")}Z`;
  };
}

/** Reports an unexpected error, with the id of the request that caused it, if any. */
export type ReportFault = (error: unknown, requestId?: string) => void;

export function faultLine(error: unknown, requestId?: string): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : "Unknown error.";
  return requestId === undefined ? text : `${requestId} ${text}`;
}
