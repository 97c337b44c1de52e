/**
 * `limelight backup --test-restore`: starts a site from a backup in a temporary folder, and requests some pages. An
 * upgrade tests the newer program this way. Without a file, tests the newest backup in BACKUP_DIR, and writes the
 * result to the catalog there.
 */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createApp } from "../app.ts";
import { shortenSiteId } from "../backup/repository/backupFolder.ts";
import { testNewestBackup } from "../backup/repository/createBackup.ts";
import { restoreArchive } from "../backup/restore.ts";
import { LISTEN_OPTIONS } from "../http/listenOptions.ts";
import { loadWebBuild } from "../pages/webBuild.ts";
import type { Config } from "../shared/config.ts";
import { cannotOpen } from "../shared/errors.ts";
import { ignoreMissing } from "../storage/disk/disk.ts";
import { printLine } from "./command.ts";
import { createEngine, openSite, createPictureStorage, assertSiteExists } from "./openSite.ts";
import { DAY } from "../shared/time.ts";

const CHECKED_PATHS = ["/api/health", "/", "/admin/login"];

/** Returns 0 if the test passes. Throws `usage` if there is no site, and `cannot_open` if the test fails. */
export async function runRestoreTest(config: Config, file: string | undefined): Promise<number> {
  if (file !== undefined) await testArchive(config, file);
  const tested = file ?? (await runNewestBackupTest(config));
  printLine(`Restore test passed: a site started from ${tested} was healthy.`);
  return 0;
}

async function runNewestBackupTest(config: Config): Promise<string> {
  const data = createEngine(config);
  await assertSiteExists(data);
  const siteId = await data.readSiteId();
  if (siteId === undefined)
    throw cannotOpen(
      `The id of the site in ${data.location} can't be read. Run "limelight doctor".`,
    );
  return testNewestBackup(config, shortenSiteId(siteId), (file) => testArchive(config, file));
}

async function testArchive(config: Config, file: string): Promise<void> {
  // The archive is unpacked beside the backup: the system's temporary folder may be too small.
  const parentFolder = dirname(resolve(file));
  await removeLeftovers(parentFolder);
  const folder = await mkdtemp(join(parentFolder, TEST_FOLDER_PREFIX));
  try {
    const testConfig = {
      ...config,
      dataDir: join(folder, "data"),
      databaseUrl: undefined,
      uploadsS3: undefined,
      uploadsDir: join(folder, "uploads"),
      siteUrl: undefined,
    };
    await restoreArchive(file, {
      data: createEngine(testConfig),
      uploads: createPictureStorage(testConfig),
    });
    await serveOnce(testConfig);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TEST_FOLDER_PREFIX = ".rehearsal-";

/** Removes folders that interrupted tests left more than a day ago. A younger folder may be in use. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEST_FOLDER_PREFIX)) continue;
    const path = join(folder, name);
    // `stats` is undefined if another test has just removed its folder.
    const stats = await ignoreMissing(stat(path));
    if (stats && Date.now() - stats.mtimeMs > DAY) await rm(path, { recursive: true, force: true });
  }
}

async function serveOnce(config: Config): Promise<void> {
  const { store, library, bin, close } = await openSite(config, printLine);
  try {
    const build = await loadWebBuild();
    const { app, stop } = await createApp({ store, bin, config, library, build });
    app.listen({ ...LISTEN_OPTIONS, hostname: "127.0.0.1", port: 0 });
    try {
      const { port } = assertDefined(app.server, "server");
      for (const path of CHECKED_PATHS) await assertResponds(`http://127.0.0.1:${port}${path}`);
    } finally {
      await app.stop(true);
      await stop();
    }
  } finally {
    await close();
  }
}

async function assertResponds(address: string): Promise<void> {
  const response = await fetch(address);
  await response.bytes();
  if (!response.ok)
    throw cannotOpen(
      `The site in the backup responded to ${new URL(address).pathname} with ${response.status}.`,
    );
}
