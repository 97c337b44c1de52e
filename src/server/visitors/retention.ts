/** The daily job that removes old data of visitors: IP addresses, browsers and closed enquiries. */
import { allEntities, type AnyRecords } from "../../schema/index.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import { createMatcher } from "../storage/where.ts";
import { type ClosedEnquiriesContext, deleteClosedEnquiries } from "./closedEnquiries.ts";
import { removeOldErasedEnquiries } from "./erasures.ts";
import { DAY } from "../shared/time.ts";
import { getEntityFields } from "../../schema/entities/entity.ts";

/** Starts the job. Its first run starts at once. `onFailure` is called with the error of a run that failed. */
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

/**
 * Removes the fields declared as traces (IP addresses, browsers) from records older than `days`, even in the bin and in
 * earlier versions of the files. Returns the number of changed records. Ends early if `shouldContinue` returns false.
 */
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

/** Returns how many records changed. Selects them by the traces held in memory as keys, so it reads no others. */
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
