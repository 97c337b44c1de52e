/** The warnings for an owner, and when they appear. */
import { describe, expect, test } from "bun:test";
import type { Backup } from "../../../../src/server/backup/repository/backupFolder.ts";
import type { Catalog } from "../../../../src/server/backup/repository/catalog.ts";
import { createBackupsState } from "../../../../src/server/backup/repository/backupsState.ts";
import { readConfig } from "../../../../src/server/shared/config.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2026-11-21T12:00:00Z");
const REMOTE_ENV = {
  BACKUP_S3: "s3://ours?endpoint=https://s3.example.com",
  BACKUP_KEY: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  S3_ACCESS_KEY_ID: "a",
  S3_SECRET_ACCESS_KEY: "b",
};

const backup = (days: number, more: Partial<Backup> = {}): Backup => {
  const createdAt = new Date(NOW - days * DAY).toISOString();
  const locations = { localSize: 100, remoteSize: 120, isRemoteVerified: true };
  return {
    id: createdAt.replace(/[:.]/g, "-"),
    createdAt,
    at: NOW - days * DAY,
    isGood: true,
    summary: undefined,
    remarks: [],
    ...locations,
    ...more,
  };
};
const failed = (message: string) => ({ at: new Date(NOW).toISOString(), message, times: 3 });

interface StateOptions {
  readonly backups?: Backup[];
  readonly catalog?: Partial<Catalog>;
  readonly env?: Record<string, string>;
  readonly beganAt?: number;
}
const state = ({
  backups = [],
  catalog,
  env = REMOTE_ENV,
  beganAt = NOW - 90 * DAY,
}: StateOptions) =>
  createBackupsState(
    {
      config: readConfig([], env).config,
      catalog: { format: 1, backups: {}, ...catalog },
      backups,
      now: NOW,
      inUseSince: beganAt,
      runningJob: undefined,
      unstoredFailure: undefined,
      zone: "UTC",
    },
    {},
  );

describe("the warning", () => {
  const makeLocalBackup = (days: number) =>
    backup(days, { remoteSize: null, isRemoteVerified: false });

  test("says that the bucket has had no backup for two days, why, and that local ones are fine", () => {
    const remoteFailure = failed("The backup bucket (ours at s3.example.com) failed.");
    const { warning, away } = state({
      backups: [makeLocalBackup(0.4), makeLocalBackup(1.4), backup(2.4)],
      catalog: { awayFailure: remoteFailure },
    });
    expect(warning).toEqual({
      title: "No off-site backup for 2 days",
      message: `${remoteFailure.message} The local backups are fine.`,
    });
    expect(away).toMatchObject({ count: 1, bytes: 120, name: "ours at s3.example.com" });
  });

  test("doesn't count an off-site copy that was not read back", () => {
    const unchecked = backup(0.4, { isRemoteVerified: false });
    expect(state({ backups: [unchecked, backup(2.4)] }).warning!.title).toContain("off-site");
    expect(state({ backups: [backup(0.4)] }).warning).toBeNull();
  });

  test("for a bucket that never had one comes after two days of failures", () => {
    const catalog = { failure: failed("The disk.") };
    expect(state({}).warning).toBeNull();
    expect(state({ catalog, beganAt: NOW - DAY }).warning).toBeNull();
    expect(state({ catalog }).warning).toEqual({
      title: "No backup for 90 days",
      message: "The disk.",
    });
  });

  test("for a failed restore test comes last, and disappears with a successful one", () => {
    const at = new Date(NOW).toISOString();
    const rehearsal = { at, id: "x", ok: false, message: "It fails.", isBad: true };
    const backups = [backup(0.4)];
    expect(state({ backups, catalog: { rehearsal } }).warning).toEqual({
      title: "The last backup can't be restored",
      message: "It fails.",
    });
    const noRoom = { ...rehearsal, isBad: false };
    expect(state({ backups, catalog: { rehearsal: noRoom } }).warning!.title).toBe(
      "The last restore test couldn't run",
    );
    const late = state({ backups: [backup(4)], catalog: { rehearsal } });
    expect(late.warning!.title).toBe("No backup for 4 days");
    expect(state({ backups: [backup(1.9)] }).warning).toBeNull();
    expect(state({ backups: [backup(2.1)] }).warning).toEqual({
      title: "No backup for 2 days",
      message: "No backup was made, and no error was recorded. Check the server's log.",
    });
    const well = { ...rehearsal, ok: true };
    expect(state({ backups, catalog: { rehearsal: well } }).warning).toBeNull();
  });
});

test("the next times are in the future; a due backup is made within minutes", () => {
  const at = (days: number) => new Date(NOW - days * DAY).toISOString();
  const rehearsal = { at: at(1), id: "x", ok: true, message: "", isBad: false };
  expect(state({}).nextAt).toBeNull();
  const well = state({ backups: [backup(0.1)], catalog: { rehearsal } });
  expect(Date.parse(well.nextAt!)).toBeGreaterThan(NOW);
  expect(well.nextRehearsalAt).toBe(at(-29));
  const failed = { ...rehearsal, at: at(0.1), ok: false };
  expect(state({ catalog: { rehearsal: failed } }).nextRehearsalAt).toBe(at(-0.9));
  const other = state({ backups: [backup(0)], catalog: { rehearsal: { ...failed, isBad: true } } });
  expect(other.nextRehearsalAt).toBeNull();
  const ahead = state({ catalog: { rehearsal: { ...rehearsal, at: at(-400) } } });
  expect(ahead.nextRehearsalAt).toBeNull();
});

test("when no bucket is configured any longer, no off-site backup is listed", () => {
  const { backups, away } = state({
    backups: [backup(0.4), backup(1.4, { localSize: null })],
    env: {},
  });
  expect([away, backups.map(({ isHere, isAway }) => [isHere, isAway])]).toEqual([
    null,
    [[true, false]],
  ]);
});
