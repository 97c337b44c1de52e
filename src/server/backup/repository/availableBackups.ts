/** The backups that `limelight restore` can use: the backups of any site in the backup folder and in the bucket. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../shared/config.ts";
import { downloadArchive, readRemoteArchiveSizes } from "./remoteBackups.ts";
import {
  readArchiveSizes,
  type ArchiveName,
  parseArchiveName,
  toUnwritableFolderRefusal,
} from "./backupFolder.ts";

export interface AvailableBackup extends ArchiveName {
  /** The archive's file name on this machine. In the bucket, `.age` is added. */
  readonly fileName: string;
  /** In bytes; null if the archive isn't on this machine. */
  readonly localSize: number | null;
  /** The encrypted size in bytes; null if the archive isn't in the bucket. */
  readonly remoteSize: number | null;
}

export const describeBackupLocations = ({ backupDir, backupS3 }: Config) =>
  backupS3 ? `${backupDir} and BACKUP_S3` : `${backupDir} (BACKUP_S3 isn't set)`;

/** Finds backups of one site or of all sites, newest first. Throws `cannot_store` if the bucket fails. */
export async function findAvailableBackups(
  config: Config,
  shortSiteId?: string,
): Promise<AvailableBackup[]> {
  const backups = new Map<string, AvailableBackup>();
  const add = (file: string, size: { localSize: number } | { remoteSize: number }) => {
    const parsed = parseArchiveName(file);
    if (!parsed || (shortSiteId !== undefined && parsed.shortSiteId !== shortSiteId)) return;
    const fileName = file.replace(/\.age$/, "");
    const sizes = backups.get(fileName) ?? { localSize: null, remoteSize: null };
    backups.set(fileName, { ...parsed, fileName, ...sizes, ...size });
  };
  for (const [name, localSize] of await readArchiveSizes(config.backupDir))
    add(name, { localSize });
  for (const [name, remoteSize] of await readRemoteArchiveSizes(config)) add(name, { remoteSize });
  return [...backups.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Passes a backup's file to `work`, downloaded if necessary. Throws `cannot_store` if the download fails. */
export async function withArchive<T>(
  config: Config,
  { fileName, localSize }: AvailableBackup,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const { backupDir: folder } = config;
  if (localSize !== null) return work(join(folder, fileName));
  const downloadFolder = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => mkdtemp(join(folder, DOWNLOAD_PREFIX)))
    .catch((error: unknown) => Promise.reject(toUnwritableFolderRefusal(folder, error)));
  try {
    const file = join(downloadFolder, `${fileName}.age`);
    await downloadArchive(config, `${fileName}.age`, file);
    return await work(file);
  } finally {
    await rm(downloadFolder, { recursive: true, force: true });
  }
}

/** The prefix of download folders. The next backup removes the folders left by killed processes (backupFolder.ts). */
const DOWNLOAD_PREFIX = ".limelight-fetched-";
