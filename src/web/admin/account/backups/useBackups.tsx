/** Reads, creates and restores backups. */
import type {
  BackupDifferences,
  BackupsState,
  BackupContent,
} from "../../../../schema/api/backups.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { joinList } from "../../../shared/joinList.ts";
import { api, queryClient } from "../../data/client.ts";
import { setCachedValue, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { Badge } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";

const POLL_INTERVAL_MS = 1000;

const backupsQuery = createApiQuery<BackupsState>("/api/backups", {
  pollIntervalMs: ({ underWay }) => underWay !== null && POLL_INTERVAL_MS,
});

export const useBackups = () => useApiQuery(backupsQuery);

/** Starts a backup or a restore test without waiting for its end. Throws CallError. */
export async function startBackupJob(job: "backup" | "rehearsal"): Promise<void> {
  const path = job === "backup" ? "/api/backups" : "/api/backups/rehearsal";
  setCachedValue(backupsQuery, await api.post<BackupsState>(path));
}

/** Sets how many backups to keep, from the next backup on. The server requires the password. Throws CallError. */
export async function saveRetention(retention: BackupsState["keep"]): Promise<void> {
  setCachedValue(backupsQuery, await api.put<BackupsState>("/api/backups/keep", retention));
}

const MAX_LISTED_DIFFERENCES = 3;

/** Returns a text such as "2 fewer submissions, before changes to Hero", or "same as now" if nothing differs. */
export function describeDifferences({ counts, changed }: BackupDifferences): string {
  const differences = counts.map(({ label, plural, by }) => {
    const count = Math.abs(by);
    const noun = count === 1 ? label : plural;
    return `${formatNumber(count)} ${by < 0 ? "fewer" : "more"} ${noun}`;
  });
  const changedSections =
    changed.length > MAX_LISTED_DIFFERENCES ? [`${changed.length} sections`] : changed;
  if (differences.length > MAX_LISTED_DIFFERENCES)
    differences.splice(MAX_LISTED_DIFFERENCES - 1, Number.POSITIVE_INFINITY, "more differences");
  const clauses = [
    joinList(differences),
    changedSections.length > 0 && `before changes to ${joinList(changedSections)}`,
  ];
  return clauses.filter(Boolean).join(", ") || "same as now";
}

const getBackupPath = (id: string) => `/api/backups/${encodeURIComponent(id)}`;

export const useBackupContent = (id: string) =>
  useApiQuery(createApiQuery<BackupContent>(`${getBackupPath(id)}/inside`));

export type RestoreRequest =
  { readonly section: string } | { readonly picture: string } | { readonly everything: true };

interface ReplacedEntity {
  readonly name: string;
  readonly revision: number;
}

/** Restores content from a backup. Returns the replaced versions, for `undoRestore`. Throws CallError. */
export async function restorePart(
  id: string,
  request: RestoreRequest,
): Promise<readonly ReplacedEntity[]> {
  const path = `${getBackupPath(id)}/restore`;
  const { replaced: replacedEntities = [] } = await api.post<{
    replaced?: readonly ReplacedEntity[];
  }>(path, request);
  if (!("everything" in request)) await queryClient.invalidateQueries();
  return replacedEntities;
}

/** Restores the versions that `restorePart` replaced. Throws CallError. */
export async function undoRestore(replacedEntities: readonly ReplacedEntity[]): Promise<void> {
  for (const { name, revision } of replacedEntities) {
    await api.post(`/api/history/${name}/${revision}/restore`, {});
  }
  await queryClient.invalidateQueries();
}

const RESTORE_POLL_INTERVAL_MS = 700;
const RESTORE_TIMEOUT_MS = 120_000;

/** Resolves to true once the site has the backup's content, or to false after two minutes. */
export async function waitUntilRestored(id: string): Promise<boolean> {
  const deadline = Date.now() + RESTORE_TIMEOUT_MS;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, RESTORE_POLL_INTERVAL_MS));
    const content = await api
      .get<BackupContent>(`${getBackupPath(id)}/inside`)
      .catch(() => undefined);
    if (content?.sections.every(({ changes }) => changes.length === 0)) return true;
  }
  return false;
}

export function LastBackupNote() {
  const { value: state } = useBackups();
  if (!state) return null;
  if (state.warning) return <Badge tone="warn">check</Badge>;
  return (
    state.here.lastAt && (
      <span className="quiet note">{formatRelativeDateTimeInSentence(state.here.lastAt)}</span>
    )
  );
}
