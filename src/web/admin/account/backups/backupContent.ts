/** The contents of a backup, and restoring them. */
import type { BackupContent } from "../../../../schema/api/backups.ts";
import { api, queryClient } from "../../data/client.ts";
import { createResource, useResource } from "../../data/resource.ts";

const backupPath = (id: string) => `/api/backups/${encodeURIComponent(id)}`;

/** The server may take two seconds to read a backup for the first time. */
export const useBackupContent = (id: string) =>
  useResource(createResource<BackupContent>(`${backupPath(id)}/inside`));

export type RestoreSelection =
  { readonly section: string } | { readonly picture: string } | { readonly everything: true };

interface ReplacedEntity {
  readonly name: string;
  readonly revision: number;
}

/** POST /api/backups/{id}/restore. Returns the replaced versions, for `undoSection`. Throws CallError. */
export async function restorePart(
  id: string,
  wanted: RestoreSelection,
): Promise<readonly ReplacedEntity[]> {
  const path = `${backupPath(id)}/restore`;
  const { replaced = [] } = await api.post<{ replaced?: readonly ReplacedEntity[] }>(path, wanted);
  if (!("everything" in wanted)) await queryClient.invalidateQueries();
  return replaced;
}

/** Restores the versions that `restorePart` replaced. Throws CallError. */
export async function undoSection(replaced: readonly ReplacedEntity[]): Promise<void> {
  for (const { name, revision } of replaced) {
    await api.post(`/api/history/${name}/${revision}/restore`, {});
  }
  await queryClient.invalidateQueries();
}

const POLL_INTERVAL_MS = 700;
const RESTORE_TIMEOUT_MS = 120_000;

/** Resolves to true once the restored site responds, or to false after two minutes. */
export async function waitUntilRestored(id: string): Promise<boolean> {
  const end = Date.now() + RESTORE_TIMEOUT_MS;
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const inside = await api.get<BackupContent>(`${backupPath(id)}/inside`).catch(() => undefined);
    if (inside?.sections.every(({ changes }) => changes.length === 0)) return true;
  }
  return false;
}
