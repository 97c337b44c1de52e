/** The counts of items in the trash. */
import type { BinKind } from "../../../../schema/people/bin.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { createApiQuery, useApiQuery } from "../../data/apiQuery.ts";

type BinCounts = Readonly<Record<BinKind, number>>;

/** The count of deleted items of each kind; undefined until loaded. */
export const useBinCounts = () => useApiQuery(binCountsQuery).value;

const binCountsQuery = createApiQuery<BinCounts>("/api/bin/counts", { isCached: true });

export function BinCount() {
  const count = Object.values(useBinCounts() ?? {}).reduce((sum, each) => sum + each, 0);
  return count > 0 && <span className="quiet note">{formatNumber(count)}</span>;
}
