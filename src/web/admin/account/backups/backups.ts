/** The server's routes for backups. */
import type { BackupDifferences, BackupsState } from "../../../../schema/api/backups.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { joinList } from "../../../shared/listed.ts";
import { api } from "../../data/client.ts";
import { setCached, resource, useResource } from "../../data/resource.ts";

/** The interval at which a job under way is read again, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

const backups = resource<BackupsState>("/api/backups", {
  every: ({ underWay }) => underWay !== null && POLL_INTERVAL_MS,
});

export const useBackups = () => useResource(backups);

/** Starts a backup or a restore test, which continues after this. Throws CallFailed. */
export async function begin(job: "backup" | "rehearsal"): Promise<void> {
  const path = job === "backup" ? "/api/backups" : "/api/backups/rehearsal";
  setCached(backups, await api.post<BackupsState>(path));
}

/** Sets the number of backups to retain from the next one on; asks for the password. Throws CallFailed. */
export async function saveRetention(retention: BackupsState["keep"]): Promise<void> {
  setCached(backups, await api.put<BackupsState>("/api/backups/keep", retention));
}

/** The most differences listed. */
const NAMED = 3;

/** "2 fewer submissions, before changes to Hero"; "same as now" without differences. */
export function describeDifferences({ counts, changed }: BackupDifferences): string {
  const differences = counts.map(({ label, plural, by }) => {
    const count = Math.abs(by);
    const noun = count === 1 ? label : plural;
    return `${formatNumber(count)} ${by < 0 ? "fewer" : "more"} ${noun}`;
  });
  const parts = changed.length > NAMED ? [`${changed.length} sections`] : changed;
  if (differences.length > NAMED)
    differences.splice(NAMED - 1, Number.POSITIVE_INFINITY, "more differences");
  const all = [joinList(differences), parts.length > 0 && `before changes to ${joinList(parts)}`];
  return all.filter(Boolean).join(", ") || "same as now";
}
