/** The daily job that removes visitors' old data: IP addresses, browser names and closed enquiries. */
import { allEntities, type AnyRecords } from "../../schema/index.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import { createMatcher } from "../storage/where.ts";
import { type ClosedEnquiriesContext, deleteClosedEnquiries } from "./closedEnquiries.ts";
import { removeOldErasedEnquiries } from "./erasures.ts";
import { DAY } from "../shared/time.ts";
import { getEntityFields } from "../../schema/entities/entity.ts";

/** Starts the job and its first run. If a run fails, `onFailure` gets the error. */
export function startRetention(
  context: ClosedEnquiriesContext,
  days: number,
  onFailure: (error: unknown) => void,
): PeriodicJob {
  const { store, bin, clock } = context;
  const job = startSiteJob({
    store,
    name: "retention",
    intervalMs: DAY,
    runOnce: async (shouldContinue) => {
      await removeExpiredTraces(store, bin, days, clock(), shouldContinue);
      await deleteClosedEnquiries(context, shouldContinue);
      if (await shouldContinue()) await removeOldErasedEnquiries(store, clock());
    },
    onError: onFailure,
  });
  job.runNow();
  return job;
}

/** Removes IP addresses and browser names from records older than `days`. Returns the number of changed records. */
export async function removeExpiredTraces(
  store: Store,
  bin: Bin,
  days: number,
  now = Date.now(),
  shouldContinue: ShouldContinue = async () => true,
): Promise<number> {
  const before = new Date(now - days * DAY).toISOString();
  let changedCount = 0;
  for (const entity of allEntities)
    if (entity.shape === "records" && entity.collectedAtField && (await shouldContinue())) {
      const ageFilter = { [entity.collectedAtField]: { before, not: null } };
      changedCount += await removeTraces(store, bin, entity, ageFilter);
    }
  if (changedCount > 0) await store.purgeOldVersions();
  return changedCount;
}

/** Selects records by the traces that are keys, so that no others are read. Returns the number of changed records. */
async function removeTraces(
  store: Store,
  bin: Bin,
  entity: AnyRecords,
  ageFilter: Readonly<Record<string, { readonly before: string; readonly not: null }>>,
): Promise<number> {
  const traces = listTraceFields(entity);
  const createOldFilters = (names: string[]) =>
    names.map((name) => ({ ...ageFilter, [name]: { not: null } }));
  const hasOldTraces = createMatcher<Readonly<Record<string, unknown>>>(createOldFilters(traces));
  const clearTraces = <T extends object>(record: T) => ({
    ...record,
    ...Object.fromEntries(traces.map((name) => [name, null])),
  });
  const changedInBin = await bin.changeItems(entity, (item) =>
    hasOldTraces(item) ? clearTraces(item) : item,
  );
  const queryableTraces = traces.filter((name) => entity.keys.includes(name));
  return (
    changedInBin +
    (await store.of(entity).updateWhere(createOldFilters(queryableTraces), clearTraces))
  );
}

const listTraceFields = (entity: AnyRecords): string[] =>
  Object.entries(getEntityFields(entity)).flatMap(([name, { personal }]) =>
    personal === "trace" ? [name] : [],
  );
