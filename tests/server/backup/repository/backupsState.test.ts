/** The warnings for an owner, and when they appear. */
import { describe, expect, test } from "bun:test";
import type { Backup } from "../../../../src/server/backup/repository/backupFolder.ts";
import type { Catalog } from "../../../../src/server/backup/repository/catalog.ts";
import { createBackupsState } from "../../../../src/server/backup/repository/backupsState.ts";
import { readConfig } from "../../../../src/server/shared/config.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2026-11-21T12:00:00Z");
const REMOTE_ENV = {
  BACKUP_S3: "s3://ours?endpoint=https://s3.example.com",
  BACKUP_KEY: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  S3_ACCESS_KEY_ID: "a",
  S3_SECRET_ACCESS_KEY: "b",
};

const createTestBackup = (days: number, more: Partial<Backup> = {}): Backup => {
  const createdAt = new Date(NOW - days * DAY_MS).toISOString();
  const locations = { localSize: 100, remoteSize: 120, isRemoteVerified: true };
  return {
    id: createdAt.replace(/[:.]/g, "-"),
    createdAt,
    timeMs: NOW - days * DAY_MS,
    isGood: true,
    summary: undefined,
    remarks: [],
    ...locations,
    ...more,
  };
};
const createFailure = (message: string) => ({ at: new Date(NOW).toISOString(), message, times: 3 });

interface StateOptions {
  readonly backups?: Backup[];
  readonly catalog?: Partial<Catalog>;
  readonly env?: Record<string, string>;
  readonly startedAt?: number;
}
const createState = ({
  backups = [],
  catalog,
  env = REMOTE_ENV,
  startedAt: beganAt = NOW - 90 * DAY_MS,
}: StateOptions) =>
  createBackupsState(
    {
      config: readConfig([], env).config,
      catalog: { format: 1, backups: {}, ...catalog },
      backups,
      now: NOW,
      firstUsedAt: beganAt,
      runningJob: undefined,
      zone: "UTC",
    },
    {},
  );

describe("the warning about backups", () => {
  const makeLocalBackup = (days: number) =>
    createTestBackup(days, { remoteSize: null, isRemoteVerified: false });

  test("says why the bucket has had no backup for two days, and that local backups are fine", () => {
    const remoteFailure = createFailure("The backup bucket (ours at s3.example.com) failed.");
    const { warning, away } = createState({
      backups: [makeLocalBackup(0.4), makeLocalBackup(1.4), createTestBackup(2.4)],
      catalog: { awayFailure: remoteFailure },
    });
    expect(warning).toEqual({
      title: "No off-site backup for 2 days",
      message: `${remoteFailure.message} The local backups are fine.`,
    });
    expect(away).toMatchObject({ count: 1, bytes: 120, name: "ours at s3.example.com" });
  });

  test("treats an off-site copy that wasn't read back as missing", () => {
    const unchecked = createTestBackup(0.4, { isRemoteVerified: false });
    expect(createState({ backups: [unchecked, createTestBackup(2.4)] }).warning!.title).toContain(
      "off-site",
    );
    expect(createState({ backups: [createTestBackup(0.4)] }).warning).toBeNull();
  });

  test("appears on a site that never had a backup if the site has run for days and backups fail", () => {
    const catalog = { failure: createFailure("The disk.") };
    expect(createState({}).warning).toBeNull();
    expect(createState({ catalog, startedAt: NOW - DAY_MS }).warning).toBeNull();
    expect(createState({ catalog }).warning).toEqual({
      title: "No backup for 90 days",
      message: "The disk.",
    });
  });

  test("reports a failed restore test if there is no older problem, and disappears after a successful test", () => {
    const at = new Date(NOW).toISOString();
    const rehearsal = { at, id: "x", ok: false, message: "It fails.", isBad: true };
    const backups = [createTestBackup(0.4)];
    expect(createState({ backups, catalog: { rehearsal } }).warning).toEqual({
      title: "The last backup can't be restored",
      message: "It fails.",
    });
    const noRoom = { ...rehearsal, isBad: false };
    expect(createState({ backups, catalog: { rehearsal: noRoom } }).warning!.title).toBe(
      "The last restore test couldn't run",
    );
    const late = createState({ backups: [createTestBackup(4)], catalog: { rehearsal } });
    expect(late.warning!.title).toBe("No backup for 4 days");
    expect(createState({ backups: [createTestBackup(1.9)] }).warning).toBeNull();
    expect(createState({ backups: [createTestBackup(2.1)] }).warning).toEqual({
      title: "No backup for 2 days",
      message: "No backup was made, and no error was recorded. Check the server's log.",
    });
    const well = { ...rehearsal, ok: true };
    expect(createState({ backups, catalog: { rehearsal: well } }).warning).toBeNull();
  });
});

test("the time of the next backup or restore test is in the future, and missing if the job is already due", () => {
  const at = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
  const rehearsal = { at: at(1), id: "x", ok: true, message: "", isBad: false };
  expect(createState({}).nextAt).toBeNull();
  const well = createState({ backups: [createTestBackup(0.1)], catalog: { rehearsal } });
  expect(Date.parse(well.nextAt!)).toBeGreaterThan(NOW);
  expect(well.nextRehearsalAt).toBe(at(-29));
  const failed = { ...rehearsal, at: at(0.1), ok: false };
  expect(createState({ catalog: { rehearsal: failed } }).nextRehearsalAt).toBe(at(-0.9));
  const other = createState({
    backups: [createTestBackup(0)],
    catalog: { rehearsal: { ...failed, isBad: true } },
  });
  expect(other.nextRehearsalAt).toBeNull();
  const ahead = createState({ catalog: { rehearsal: { ...rehearsal, at: at(-400) } } });
  expect(ahead.nextRehearsalAt).toBeNull();
});

test("off-site backups aren't listed once no bucket is configured", () => {
  const { backups, away } = createState({
    backups: [createTestBackup(0.4), createTestBackup(1.4, { localSize: null })],
    env: {},
  });
  expect([away, backups.map(({ isHere, isAway }) => [isHere, isAway])]).toEqual([
    null,
    [[true, false]],
  ]);
});
