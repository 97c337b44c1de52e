/** The parts of HTTP that server and browser share: the shape of every refusal, and ETags. */

/** The code of a refusal, for programs. Unlike the texts in `error`, the codes stay the same in later releases. */
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

export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  /** The request's id in the server's log, also sent in the header X-Request-Id. */
  readonly requestId?: string;
  /** The messages by field name, if input is refused. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The entity's current value, if `code` is `changed_elsewhere`. */
  readonly current?: unknown;
  /** The name of the refused entity, if the request was for several entities. */
  readonly name?: string;
}

/** The parts that a compressing proxy (Apache, Caddy) adds to an ETag: `W/` in `W/"hash"`, `-gzip` in `"hash-gzip"`. */
const PROXY_MARK_PATTERN = /^W\/|-(?:gzip|br|zstd|deflate)(?="$)/g;

/** Returns the ETag without a proxy's additions, so that it can be compared with the server's own ETag. */
export const normalizeEtag = (etag: string): string => etag.replace(PROXY_MARK_PATTERN, "");
