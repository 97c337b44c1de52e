/** The owner's routes for backups. */
import { Elysia } from "elysia";
import type { Happened, OwnerGuard, Proof } from "../../accounts/guard.ts";
import { type Content, entities } from "../../../schema/index.ts";
import { MOST_KEPT_BACKUPS } from "../../../schema/upkeep.ts";
import { DASHBOARD_JSON, readJson } from "../../http/body.ts";
import { invalid } from "../../shared/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Backups, Job } from "./backups.ts";

interface BackupRoutesContext {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly proof: Proof;
  readonly backups: Backups;
}

/**
 * `GET` and `POST /api/backups`, `POST /api/backups/rehearsal`; `PUT /api/backups/keep`; `GET /api/backups/{id}`
 * downloads one, after a proof. Jobs continue after the response: 202 with the current state.
 */
export function backupRoutes({ store, guard, proof, backups }: BackupRoutesContext) {
  const begin = (job: Job, set: { status?: number | string }, happened: Happened) => {
    // The state will show the result.
    void backups.begin(job).done;
    happened(
      "data",
      job === "backup" ? "began a backup" : "began a restore test of the last backup",
    );
    set.status = 202;
    return backups.state();
  };
  return new Elysia({ prefix: "/api/backups" })
    .use(guard)
    .get("", () => backups.state(), { owner: true })
    .put(
      "/keep",
      async ({ request, owner, happened }) => {
        // It removes backups that somebody may want to restore.
        proof.require(owner);
        const keep = readKeep(await readJson(request, DASHBOARD_JSON));
        await store.of(entities.backupSettings).update(() => keep);
        const { daily, weekly, monthly } = keep;
        const words = `${daily} daily, ${weekly} weekly, ${monthly} monthly`;
        happened("settings", "changed how long backups are kept", words);
        return backups.state();
      },
      { owner: true, parse: "none" },
    )
    .post("", ({ set, happened }) => begin("backup", set, happened), { owner: true })
    .post("/rehearsal", ({ set, happened }) => begin("rehearsal", set, happened), { owner: true })
    .get(
      "/:id",
      async ({ request, owner, params: { id }, happened }) => {
        proof.require(owner);
        const file = Bun.file(await backups.open(id));
        if (request.method !== "HEAD") happened("data", "downloaded a backup", id);
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

type Kept = Record<keyof Content<"backupSettings">, number>;

function readKeep(sent: unknown): Kept {
  const wrong: Record<string, string> = {};
  const numbers = Object.entries(MOST_KEPT_BACKUPS).map(([name, most]) => {
    const number = ((sent ?? {}) as Record<string, unknown>)[name];
    const fits = Number.isInteger(number) && Number(number) >= 0 && Number(number) <= most;
    if (!fits) wrong[name] = `Use a whole number from 0 to ${most}.`;
    return [name, number];
  });
  const [first] = Object.values(wrong);
  if (first !== undefined) throw invalid(first, wrong);
  return Object.fromEntries(numbers) as Kept;
}
