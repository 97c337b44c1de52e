/** The parts of HTTP that server and browser share: the shape of every refusal, and ETags. */

/** Stable codes of refusals, for programs. The text for people is `error`. */
export type ErrorCode =
  | "malformed"
  | "no_session"
  | "wrong_credentials"
  | "second_factor"
  | "second_factor_due"
  | "not_allowed"
  | "foreign_origin"
  | "insecure"
  | "proof_needed"
  | "not_found"
  | "conflict"
  | "changed_elsewhere"
  | "too_large"
  | "wrong_type"
  | "wrong_host"
  | "invalid"
  | "too_many_requests"
  | "cannot_store"
  | "timeout"
  | "internal";

/** The body of a refusal. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  /** Identifies the request in the server's log; also in the header X-Request-Id. */
  readonly requestId?: string;
  /** Messages by field name, when the refusal is about input. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The entity's current value, with `changed_elsewhere`. */
  readonly current?: unknown;
  /** The entity that the refusal is about, in a request for several entities. */
  readonly name?: string;
}

/** What a compressing proxy adds to an ETag: `W/` in `W/"hash"`, or `-gzip` in `"hash-gzip"` (Apache and Caddy). */
const PROXY_MARK_PATTERN = /^W\/|-(?:gzip|br|zstd|deflate)(?="$)/g;

/** Returns the ETag without a proxy's additions, for comparing. The hash still identifies the value. */
export const normalizeEtag = (etag: string): string => etag.replace(PROXY_MARK_PATTERN, "");
