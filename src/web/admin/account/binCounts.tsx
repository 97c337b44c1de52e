/** How much is in the bin: at its line in the account menu, and on its screen. */
import { useQuery } from "@tanstack/react-query";
import type { BinKind } from "../../../schema/bin.ts";
import { call } from "../../shared/api.ts";
import { withSession } from "../data/client.ts";
import { BIN } from "../data/writes.ts";

type Counts = Readonly<Record<BinKind, number>>;

/** How many of each kind; missing until they are read. */
export function useBinCounts(): Counts | undefined {
  const { data } = useQuery({
    queryKey: [...BIN, "counts"],
    queryFn: () => withSession(() => call<Counts>("/api/bin/counts")),
  });
  return data;
}

/** How much is in the bin, at its line in the account menu; nothing when it is empty. */
export function BinCount() {
  const count = Object.values(useBinCounts() ?? {}).reduce((sum, each) => sum + each, 0);
  return count > 0 && <span className="menu-note">{count.toLocaleString("en-GB")}</span>;
}
