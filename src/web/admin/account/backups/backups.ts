/** The server's routes for backups. */
import type { BackupDifferences, BackupsState } from "../../../../schema/api/backups.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { joinList } from "../../../shared/joinList.ts";
import { api } from "../../data/client.ts";
import { setCachedValue, createResource, useResource } from "../../data/resource.ts";

/** The polling interval while a job runs, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

const backupsResource = createResource<BackupsState>("/api/backups", {
  pollIntervalMs: ({ underWay }) => underWay !== null && POLL_INTERVAL_MS,
});

export const useBackups = () => useResource(backupsResource);

/** Starts a backup or a restore test without waiting for its end. Throws CallError. */
export async function startBackupJob(job: "backup" | "rehearsal"): Promise<void> {
  const path = job === "backup" ? "/api/backups" : "/api/backups/rehearsal";
  setCachedValue(backupsResource, await api.post<BackupsState>(path));
}

/** Sets how many backups are kept from the next one on. The server requires the password. Throws CallError. */
export async function saveRetention(retention: BackupsState["keep"]): Promise<void> {
  setCachedValue(backupsResource, await api.put<BackupsState>("/api/backups/keep", retention));
}

const MAX_LISTED_DIFFERENCES = 3;

/** "2 fewer submissions, before changes to Hero"; "same as now" without differences. */
export function describeDifferences({ counts, changed }: BackupDifferences): string {
  const differences = counts.map(({ label, plural, by }) => {
    const count = Math.abs(by);
    const noun = count === 1 ? label : plural;
    return `${formatNumber(count)} ${by < 0 ? "fewer" : "more"} ${noun}`;
  });
  const parts = changed.length > MAX_LISTED_DIFFERENCES ? [`${changed.length} sections`] : changed;
  if (differences.length > MAX_LISTED_DIFFERENCES)
    differences.splice(MAX_LISTED_DIFFERENCES - 1, Number.POSITIVE_INFINITY, "more differences");
  const all = [joinList(differences), parts.length > 0 && `before changes to ${joinList(parts)}`];
  return all.filter(Boolean).join(", ") || "same as now";
}
