/** The shape of every refusal over HTTP. */

/** Stable codes of refusals; clients branch on these, people read `error`. */
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
  /** By which the server's log knows the request; as the header X-Request-Id. */
  readonly requestId?: string;
  /** Words by field name, when the refusal is about what was typed. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The entity as it is stored now, with `changed_elsewhere`. */
  readonly current?: unknown;
  /** Which of the entities that a batch names it is about. */
  readonly name?: string;
}
