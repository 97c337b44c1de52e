/** The names of a running site's problems in `/api/health`, `/metrics` and `limelight doctor`. */
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
  /** The kind of notice, for programs. It never changes. */
  readonly code: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** The problem as monitoring tools see it. Without it, only owners see the notice. */
  readonly problem?: ProblemName;
  readonly title?: string;
  /** The account screen where the owner can solve the problem, and the label of the link to that screen. */
  readonly opens?: { readonly screen: string; readonly label: string };
}

/** Returns the notices that apply now. Called often, so it must be fast. */
export type NoticeSource = () => readonly Notice[] | Promise<readonly Notice[]>;

/**
 * Collects the notices of all sources. Skips a source that fails, because another source usually reports the cause,
 * such as a database that is down. `onFailure` is called once if any source failed.
 */
export async function collectNotices(
  sources: readonly NoticeSource[],
  onFailure = () => {},
): Promise<Notice[]> {
  const outcomes = await Promise.allSettled(sources.map(async (source) => source()));
  if (outcomes.some(({ status }) => status === "rejected")) onFailure();
  return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}
