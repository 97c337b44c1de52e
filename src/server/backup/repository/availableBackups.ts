/** The backups that can be restored: those of any site, in the backup folder and in the bucket. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../shared/config.ts";
import { downloadArchive, listRemoteArchives } from "./remoteBackups.ts";
import { findArchives, type BackupName, parseArchiveName, folderRefusal } from "./backupFolder.ts";

export interface AvailableBackup extends BackupName {
  /** Of its archive on this machine; the remote one also ends in `.age`. */
  readonly name: string;
  /** In bytes; null without a copy. */
  readonly localSize: number | null;
  readonly remoteSize: number | null;
}

/** The places searched for backups, as text. */
export const describeBackupLocations = ({ backupDir, backupS3 }: Config) =>
  backupS3 ? `${backupDir} and BACKUP_S3` : `${backupDir} (BACKUP_S3 isn't set)`;

/** Newest first; `site`: only this one's, by its short id. Throws `cannot_store` if the bucket can't be reached. */
export async function findAvailableBackups(
  config: Config,
  site?: string,
): Promise<AvailableBackup[]> {
  const backups = new Map<string, AvailableBackup>();
  const note = (
    name: string,
    sizes: Partial<Pick<AvailableBackup, "localSize" | "remoteSize">>,
  ) => {
    const named = parseArchiveName(name);
    if (!named || (site !== undefined && named.site !== site)) return;
    const archive = name.replace(/\.age$/, "");
    const before = backups.get(archive) ?? {
      ...named,
      name: archive,
      localSize: null,
      remoteSize: null,
    };
    backups.set(archive, { ...before, ...sizes });
  };
  for (const [name, localSize] of await findArchives(config.backupDir)) note(name, { localSize });
  for (const [name, remoteSize] of await listRemoteArchives(config)) note(name, { remoteSize });
  return [...backups.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/**
 * Uses a backup as a file; a remote one is downloaded, still encrypted, for that time. Throws `cannot_store` if it
 * can't be fetched, and what `use` throws.
 */
export async function withArchive<T>(
  config: Config,
  { name, localSize }: AvailableBackup,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const { backupDir: folder } = config;
  if (localSize !== null) return use(join(folder, name));
  const fetched = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => mkdtemp(join(folder, DOWNLOAD_PREFIX)))
    .catch((error: unknown) => Promise.reject(folderRefusal(folder, error)));
  try {
    const file = join(fetched, `${name}.age`);
    await downloadArchive(config, `${name}.age`, file);
    return await use(file);
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

/** The prefix of download folders; the next backup removes what a kill left. */
const DOWNLOAD_PREFIX = ".limelight-fetched-";
