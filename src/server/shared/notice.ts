/** What a capability has to tell the owner unasked (see accounts/notices.ts). */

export interface Notice {
  /** Stable, for programs. */
  readonly code: string;
  /** What is, and what to do. */
  readonly message: string;
  /** The matter in a few words. */
  readonly title?: string;
  /** The screen of the account area where something can be done about it, and the words that lead there. */
  readonly opens?: { readonly screen: string; readonly label: string };
}

/** Asked again and again, so it must be quick: what it no longer returns is over. */
export type NoticeSource = () => readonly Notice[] | Promise<readonly Notice[]>;
