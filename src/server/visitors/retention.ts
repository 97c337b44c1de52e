/** Visitors' data is stored for a limited time: the daily round, and the removal of IP addresses and browsers. */
import { allEntities, type AnyRecords } from "../../schema/index.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import { matcherOf } from "../storage/where.ts";
import { type ClosedContext, deleteClosed } from "./closedEnquiries.ts";
import { forgetErasedEnquiries } from "./erasures.ts";
import { DAY } from "../shared/time.ts";
import { fieldsOf } from "../../schema/entities/entity.ts";

/**
 * Runs now and then daily: also deletes closed enquiries, and forgets expired notes on erasures. `failed` is called
 * when a run fails.
 */
export function startRetention(
  context: ClosedContext,
  days: number,
  failed: (error: unknown) => void,
): PeriodicJob {
  const { store, bin, clock } = context;
  const rounds = startSiteJob({
    store,
    name: "retention",
    every: DAY,
    round: async (shouldContinue) => {
      await removeExpiredTraces(store, bin, days, clock(), shouldContinue);
      await deleteClosed(context, shouldContinue);
      if (await shouldContinue()) await forgetErasedEnquiries(store, clock());
    },
    onError: failed,
  });
  rounds.wake();
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
    if (entity.shape === "records" && entity.collectedAt && (await shouldContinue())) {
      const isOld = { [entity.collectedAt]: { before, not: null } };
      forgotten += await forgetTraces(store, bin, entity, isOld);
    }
  if (forgotten > 0) await store.purgeOldVersions();
  return forgotten;
}

/** Reads only segments with something to remove: the first trace is an in-memory key. */
async function forgetTraces(
  store: Store,
  bin: Bin,
  entity: AnyRecords,
  isOld: Readonly<Record<string, { readonly before: string; readonly not: null }>>,
): Promise<number> {
  const traces = tracesOf(entity);
  const oldWith = (names: string[]) => names.map((name) => ({ ...isOld, [name]: { not: null } }));
  const hasOld = matcherOf<Readonly<Record<string, unknown>>>(oldWith(traces));
  const without = <T extends object>(record: T) => ({
    ...record,
    ...Object.fromEntries(traces.map((name) => [name, null])),
  });
  const deleted = await bin.change(entity, (item) => (hasOld(item) ? without(item) : item));
  const queryable = traces.filter((name) => entity.keys.includes(name));
  return deleted + (await store.of(entity).updateWhere(oldWith(queryable), without));
}

function tracesOf(entity: AnyRecords): string[] {
  const traces = Object.entries(fieldsOf(entity)).filter(([, each]) => each.personal === "trace");
  return traces.map(([name]) => name);
}
