/** What a capability has to tell the owner unasked (see accounts/notices.ts). */

export interface Notice {
  /** Stable, for programs. */
  readonly code: string;
  /** What is, and what to do. */
  readonly message: string;
}

/** Asked again and again, so from memory: what it no longer returns is over. */
export type NoticeSource = () => readonly Notice[];
