/** A notice that a capability shows the owner unasked (see accounts/notices.ts). */

export interface Notice {
  /** Stable, for programs. */
  readonly code: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** A short heading. */
  readonly title?: string;
  /** The account screen where something can be done about it, and the label of the link to it. */
  readonly opens?: { readonly screen: string; readonly label: string };
}

/** Called often, so it must be fast: a notice that it stops returning is over. */
export type NoticeSource = () => readonly Notice[] | Promise<readonly Notice[]>;
