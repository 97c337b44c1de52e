/** A notice that a capability shows the owner unasked (see accounts/notices.ts). */

/**
 * Problems of a running site, by the names that monitors see. They are read in four places: `/api/health`, `/metrics`
 * and the dashboard through the notices, and `limelight doctor`, which asks the running site.
 */
export const PROBLEM_NAMES = [
  "writes",
  "mail",
  "backup",
  "certificate",
  "disk",
  "pictures",
] as const;

export type ProblemName = (typeof PROBLEM_NAMES)[number];

export interface Notice {
  /** Stable, for programs. */
  readonly code: string;
  /** The problem, and its solution. */
  readonly message: string;
  /** Monitors are notified, too; without it, the notice is for the owner alone. */
  readonly problem?: ProblemName;
  /** A short heading. */
  readonly title?: string;
  /** The account screen where something can be done about it, and the label of the link to it. */
  readonly opens?: { readonly screen: string; readonly label: string };
}

/** Called often, so it must be fast: a notice that it stops returning is over. */
export type NoticeSource = () => readonly Notice[] | Promise<readonly Notice[]>;

/**
 * The notices of all sources. One that can't be read is left out, as when the database is away: then another says why.
 * `onFailure` is called if there is one.
 */
export async function collectNotices(
  sources: readonly NoticeSource[],
  onFailure = () => {},
): Promise<Notice[]> {
  const outcomes = await Promise.allSettled(sources.map(async (source) => source()));
  if (outcomes.some(({ status }) => status === "rejected")) onFailure();
  return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}
