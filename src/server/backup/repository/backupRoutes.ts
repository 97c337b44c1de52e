/** The owner's routes that list, make, test and download backups. */
import { Elysia } from "elysia";
import * as v from "valibot";
import type { LogAudit, AccessGuard } from "../../accounts/guard.ts";
import { entities } from "../../../schema/index.ts";
import { MAX_RETAINED_BACKUPS } from "../../../schema/people/siteMaintenance.ts";
import { readCheckedJson } from "../../http/body.ts";
import type { Store } from "../../storage/store.ts";
import type { BackupScheduler, BackupJobName } from "./backupScheduler.ts";

interface BackupRoutesContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly backups: BackupScheduler;
}

/** POST `/api/backups` starts a backup, POST `/api/backups/rehearsal` a restore test. Neither waits for the job. */
export function createBackupRoutes({ store, guard, backups }: BackupRoutesContext) {
  const startJob = (
    jobName: BackupJobName,
    set: { status?: number | string },
    logAudit: LogAudit,
  ) => {
    // Doesn't await the job. GET `/api/backups` returns the result later.
    void backups.startJob(jobName).outcome;
    logAudit(
      "data",
      jobName === "backup" ? "started a backup" : "started a restore test of the latest backup",
    );
    set.status = 202;
    return backups.readState();
  };
  return new Elysia({ prefix: "/api/backups" })
    .use(guard)
    .get("", () => backups.readState(), { owner: true })
    .put(
      "/keep",
      async ({ request, logAudit }) => {
        const retention = await readCheckedJson(retentionBodySchema, request, "keep");
        await store.of(entities.backupSettings).update(() => retention);
        const { daily, weekly, monthly } = retention;
        const description = `${daily} daily, ${weekly} weekly, ${monthly} monthly`;
        logAudit("settings", "changed how many backups are kept", description);
        return backups.readState();
      },
      // Requires the password, because the next backup permanently removes the backups beyond these numbers.
      { owner: "reauthenticated", parse: "none" },
    )
    .post("", ({ set, logAudit }) => startJob("backup", set, logAudit), { owner: true })
    .post("/rehearsal", ({ set, logAudit }) => startJob("rehearsal", set, logAudit), {
      owner: true,
    })
    .get(
      "/:id",
      async ({ request, params: { id }, logAudit }) => {
        const file = Bun.file(await backups.getArchivePath(id));
        if (request.method !== "HEAD") logAudit("data", "downloaded a backup", id);
        return new Response(file, {
          headers: {
            "content-type": "application/gzip",
            "content-disposition": `attachment; filename="limelight-${id}.tar.gz"`,
            "cache-control": "no-store",
          },
        });
      },
      { owner: "reauthenticated" },
    );
}

/** Refuses a missing number with the same message as a wrong number. */
function createCountSchema(maxCount: number) {
  const message = `Use a whole number from 0 to ${maxCount}.`;
  const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= maxCount;
  return v.optional(v.pipe(v.number(message), v.check(isCount, message)), Number.NaN);
}

const retentionBodySchema = v.object({
  daily: createCountSchema(MAX_RETAINED_BACKUPS.daily),
  weekly: createCountSchema(MAX_RETAINED_BACKUPS.weekly),
  monthly: createCountSchema(MAX_RETAINED_BACKUPS.monthly),
});
