/**
 * Problems of a running site, by the names that monitors see. `/api/health`, `/metrics` and the dashboard derive them
 * from the notices; `limelight doctor` asks the running site.
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
  /** A stable identifier for programs. */
  readonly code: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** The problem reported to monitors; without a problem, only the owner sees the notice. */
  readonly problem?: ProblemName;
  readonly title?: string;
  /** The account screen where the owner can solve the problem, and the label of the link to that screen. */
  readonly opens?: { readonly screen: string; readonly label: string };
}

/**
 * Returns the notices that apply now. A notice is over once it is no longer returned. Called often, so it must be fast.
 */
export type NoticeSource = () => readonly Notice[] | Promise<readonly Notice[]>;

/**
 * Collects the notices of all sources. Leaves out a failing source, since another one usually reports the cause, such
 * as a database that is down. `onFailure` is called once if any source failed.
 */
export async function collectNotices(
  sources: readonly NoticeSource[],
  onFailure = () => {},
): Promise<Notice[]> {
  const outcomes = await Promise.allSettled(sources.map(async (source) => source()));
  if (outcomes.some(({ status }) => status === "rejected")) onFailure();
  return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}
