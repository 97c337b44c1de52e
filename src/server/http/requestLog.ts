/** The request log, and the request ids that identify its lines. */

export type RequestIds = ReturnType<typeof createRequestIds>;

/**
 * Creates ids of seven letters and digits, unique for four billion requests. They are a scrambled counter, so an id
 * doesn't reveal how many visitors a site has.
 */
export function createRequestIds() {
  const ids = new WeakMap<Request, string>();
  const [scrambleKey = 0] = crypto.getRandomValues(new Uint32Array(1));
  let count = 0;
  const createId = () => {
    count = (count + 1) >>> 0;
    return ((Math.imul(count, SCRAMBLE_FACTOR) ^ scrambleKey) >>> 0).toString(36).padStart(7, "0");
  };
  return {
    getId(request: Request) {
      const id = ids.get(request) ?? createId();
      ids.set(request, id);
      return id;
    },
    /** Like `getId`, but doesn't store the id, so this must be the last call for a request. */
    releaseId: (request: Request) => ids.get(request) ?? createId(),
  };
}

/** An odd factor, so that different 32-bit counts have different products: 2^32 divided by the golden ratio. */
const SCRAMBLE_FACTOR = 0x9e3779b1;

interface FinishedRequest {
  readonly id: string;
  readonly method: string;
  /** The path without the query, which may identify somebody. No path contains a secret. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

const MAX_PATH_LENGTH = 200;

export const formatRequestLine = ({ id, method, path, status, ms }: FinishedRequest): string =>
  `${new Date().toISOString()} ${id} ${method} ${escapePath(path)} ${status} ${ms.toFixed(1)}ms`;

// Matches line ends, and control characters that a terminal would obey.
// oxlint-disable-next-line no-control-regex
const INVISIBLE_PATTERN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const escapePath = (path: string) =>
  path.slice(0, MAX_PATH_LENGTH).replace(INVISIBLE_PATTERN, "\u{fffd}");

/** Reports an unexpected error, with the id of the request that caused it, if any. */
export type ReportError = (error: unknown, requestId?: string) => void;

export function formatError(error: unknown, requestId?: string): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : "Unknown error.";
  return requestId === undefined ? text : `${requestId} ${text}`;
}
