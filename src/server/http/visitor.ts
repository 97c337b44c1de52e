/** Who is calling, as far as the site may know. */

/** The caller of a request. */
export interface Visitor {
  /** The socket's address, or the one a trusted proxy names. */
  readonly address: string;
  readonly userAgent: string | null;
}
