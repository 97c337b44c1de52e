/** What the log says of each request, and the id by which its line is found again. */
import type { Clock } from "../shared/clock.ts";

/** Names requests. */
export interface RequestIds {
  /** Always the same for one request. */
  of(request: Request): string;
  /** The same, for what is said last of a request: most are never asked for before that. */
  last(request: Request): string;
}

/**
 * Seven letters and digits, none of them twice in two billion requests. They are counted, and the count is
 * turned into something that doesn't tell how many visitors a site has.
 */
export function requestIds(): RequestIds {
  const known = new WeakMap<Request, string>();
  const [key = 0] = crypto.getRandomValues(new Uint32Array(1));
  let count = 0;
  const next = () => {
    count = (count + 1) >>> 0;
    return ((Math.imul(count, SPREAD) ^ key) >>> 0).toString(36).padStart(7, "0");
  };
  return {
    of(request) {
      const id = known.get(request) ?? next();
      known.set(request, id);
      return id;
    },
    last: (request) => known.get(request) ?? next(),
  };
}

/** Odd, so that no two counts of 32 bits become the same: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** An answered request. */
interface Answered {
  readonly id: string;
  readonly method: string;
  /** Without its query, which may say who somebody is; a secret in it doesn't go into the line. */
  readonly path: string;
  readonly status: number;
  /** How long it took. */
  readonly ms: number;
}

const MAX_PATH = 200;

/** Returns what makes the line of an answered request: time, id, method, path, status, duration. */
export function requestLines(clock: Clock): (request: Answered) => string {
  const timeOf = moments();
  return ({ id, method, path, status, ms }) =>
    `${timeOf(clock())} ${id} ${method} ${inLine(path)} ${status} ${ms.toFixed(1)}ms`;
}

// What a terminal would obey, or a reader take for the end of the line.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const inLine = (path: string) => withoutSecret(path).slice(0, MAX_PATH).replace(UNSEEN, "\u{fffd}");

/** What comes after its slash is a secret: who knows it is believed. A route with another one belongs here too. */
export const REPORTS = "/api/letters/reports";

const withoutSecret = (path: string) =>
  path.startsWith(`${REPORTS}/`) ? `${REPORTS}/{key}` : path;

/** ISO 8601 in UTC; all but the milliseconds is made once a second. */
export function moments(): (now: number) => string {
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

/** Told of failures that are the program's own fault, and by which request if there was one. */
export type ReportFault = (error: unknown, requestId?: string) => void;

/** What the log says of a failure of the program's own. */
export function faultLine(error: unknown, requestId?: string): string {
  const said = error instanceof Error ? (error.stack ?? error.message) : "An unknown failure.";
  return requestId === undefined ? said : `${requestId} ${said}`;
}
