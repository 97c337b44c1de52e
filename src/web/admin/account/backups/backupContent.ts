/** The contents of a backup, and restoring them. */
import type { BackupContent } from "../../../../schema/api/backups.ts";
import { api, queryClient } from "../../data/client.ts";
import { createResource, useResource } from "../../data/resource.ts";

const backupPath = (id: string) => `/api/backups/${encodeURIComponent(id)}`;

/** Reads a backup; the first time takes a second or two. */
export const useBackupContent = (id: string) =>
  useResource(createResource<BackupContent>(`${backupPath(id)}/inside`));

/** The selection to restore. */
export type RestoreSelection =
  { readonly section: string } | { readonly picture: string } | { readonly everything: true };

interface ReplacedEntity {
  readonly name: string;
  readonly revision: number;
}

/** POST …/restore; refetches what the dashboard shows. Returns what can be undone. Throws CallError. */
export async function restorePart(
  id: string,
  wanted: RestoreSelection,
): Promise<readonly ReplacedEntity[]> {
  const path = `${backupPath(id)}/restore`;
  const { replaced = [] } = await api.post<{ replaced?: readonly ReplacedEntity[] }>(path, wanted);
  if (!("everything" in wanted)) await queryClient.invalidateQueries();
  return replaced;
}

/** Restores a section's earlier version. Throws CallError. */
export async function undoSection(replaced: readonly ReplacedEntity[]): Promise<void> {
  for (const { name, revision } of replaced) {
    await api.post(`/api/history/${name}/${revision}/restore`, {});
  }
  await queryClient.invalidateQueries();
}

const POLL_INTERVAL_MS = 700;
const RESTORE_TIMEOUT_MS = 120_000;

/** Resolves once the restored site is served; to false if that takes too long. */
export async function waitUntilRestored(id: string): Promise<boolean> {
  const end = Date.now() + RESTORE_TIMEOUT_MS;
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const inside = await api.get<BackupContent>(`${backupPath(id)}/inside`).catch(() => undefined);
    if (inside?.sections.every(({ changes }) => changes.length === 0)) return true;
  }
  return false;
}
