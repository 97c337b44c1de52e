/** Visitors' data is stored for a limited time: the daily round, and the removal of IP addresses and browsers. */
import { allEntities, type AnyRecords } from "../../schema/index.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import { createMatcher } from "../storage/where.ts";
import { type ClosedEnquiriesContext, deleteClosedEnquiries } from "./closedEnquiries.ts";
import { removeOldErasedEnquiries } from "./erasures.ts";
import { DAY } from "../shared/time.ts";
import { entityFields } from "../../schema/entities/entity.ts";

/**
 * Runs now and then daily: also deletes closed enquiries, and forgets expired notes on erasures. `failed` is called
 * when a run fails.
 */
export function startRetention(
  context: ClosedEnquiriesContext,
  days: number,
  failed: (error: unknown) => void,
): PeriodicJob {
  const { store, bin, clock } = context;
  const rounds = startSiteJob({
    store,
    name: "retention",
    intervalMs: DAY,
    runRound: async (shouldContinue) => {
      await removeExpiredTraces(store, bin, days, clock(), shouldContinue);
      await deleteClosedEnquiries(context, shouldContinue);
      if (await shouldContinue()) await removeOldErasedEnquiries(store, clock());
    },
    onError: failed,
  });
  rounds.runNow();
  return rounds;
}

/**
 * Removes the fields declared as traces from every record older than `days`, including the bin and earlier copies of
 * the files. Returns the number of changed records, also when it ends early.
 */
export async function removeExpiredTraces(
  store: Store,
  bin: Bin,
  days: number,
  now = Date.now(),
  shouldContinue: ShouldContinue = async () => true,
): Promise<number> {
  const before = new Date(now - days * DAY).toISOString();
  let forgotten = 0;
  for (const entity of allEntities)
    if (entity.shape === "records" && entity.collectedAtField && (await shouldContinue())) {
      const isOld = { [entity.collectedAtField]: { before, not: null } };
      forgotten += await removeTraces(store, bin, entity, isOld);
    }
  if (forgotten > 0) await store.purgeOldVersions();
  return forgotten;
}

/** Reads only segments with something to remove: the first trace is an in-memory key. */
async function removeTraces(
  store: Store,
  bin: Bin,
  entity: AnyRecords,
  isOld: Readonly<Record<string, { readonly before: string; readonly not: null }>>,
): Promise<number> {
  const traces = traceFields(entity);
  const oldWith = (names: string[]) => names.map((name) => ({ ...isOld, [name]: { not: null } }));
  const hasOld = createMatcher<Readonly<Record<string, unknown>>>(oldWith(traces));
  const without = <T extends object>(record: T) => ({
    ...record,
    ...Object.fromEntries(traces.map((name) => [name, null])),
  });
  const deleted = await bin.changeItems(entity, (item) => (hasOld(item) ? without(item) : item));
  const queryable = traces.filter((name) => entity.keys.includes(name));
  return deleted + (await store.of(entity).updateWhere(oldWith(queryable), without));
}

function traceFields(entity: AnyRecords): string[] {
  const traces = Object.entries(entityFields(entity)).filter(
    ([, each]) => each.personal === "trace",
  );
  return traces.map(([name]) => name);
}
