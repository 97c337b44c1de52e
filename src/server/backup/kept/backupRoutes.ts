/** What an owner sees of the backups and does with them. */
import { Elysia } from "elysia";
import type { Happened, OwnerGuard, Proof } from "../../accounts/guard.ts";
import type { Backups, Job } from "./backups.ts";

export interface BackupRoutesContext {
  readonly guard: OwnerGuard;
  readonly proof: Proof;
  readonly backups: Backups;
}

/**
 * `GET` and `POST /api/backups`, `POST /api/backups/rehearsal`; `GET /api/backups/{id}` downloads one, after
 * a proof. What is begun goes on after the response, which is the state as it is then: 202.
 */
export function backupRoutes({ guard, proof, backups }: BackupRoutesContext) {
  const begin = (job: Job, set: { status?: number | string }, happened: Happened) => {
    // How it ends is told by the state.
    void backups.begin(job).done;
    happened("data", job === "backup" ? "began a backup" : "began a rehearsal of the last backup");
    set.status = 202;
    return backups.state();
  };
  return new Elysia({ prefix: "/api/backups" })
    .use(guard)
    .get("", () => backups.state(), { owner: true })
    .post("", ({ set, happened }) => begin("backup", set, happened), { owner: true })
    .post("/rehearsal", ({ set, happened }) => begin("rehearsal", set, happened), { owner: true })
    .get(
      "/:id",
      async ({ owner, params: { id }, happened }) => {
        proof.require(owner);
        const file = Bun.file(await backups.open(id));
        happened("data", "downloaded a backup", id);
        return new Response(file, {
          headers: {
            "content-type": "application/gzip",
            "content-disposition": `attachment; filename="limelight-${id}.tar.gz"`,
            "cache-control": "no-store",
          },
        });
      },
      { owner: true },
    );
}
