/** The bin: what was deleted in the last 30 days, put back with one press, or let go for good. */
import Info from "lucide-react/icons/info";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { BIN_DAYS, BIN_KINDS, type BinKind } from "../../../schema/bin.ts";
import { Button } from "../../ui/Button.tsx";
import { api, queryClient } from "../data/client.ts";
import { usePages } from "../data/usePages.ts";
import { usePending } from "../data/usePending.ts";
import { BIN, withToast } from "../data/writes.ts";
import { RecordList } from "../editor/RecordList.tsx";
import { Card } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { Read } from "../../ui/Read.tsx";
import css from "./Bin.css" with { type: "text" };
import { useBinCounts } from "./binCounts.tsx";
import { BinRow, type Deleted } from "./BinRow.tsx";

export function Bin() {
  useSheet(css);
  const [kind, setKind] = useState<BinKind>();
  const counts = useBinCounts();
  const pages = usePages<Deleted>("bin", "/api/bin", { kind });
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Card
        title="Bin"
        note={`kept for ${BIN_DAYS} days`}
        className="bin-card"
        flush
        actions={!!total && <EmptyTheBin count={total} />}
      >
        {!!total && (
          <fieldset className="segments bin-kinds" aria-label="Show">
            {[undefined, ...BIN_KINDS].map((each) => (
              <button
                key={each ?? "all"}
                type="button"
                aria-pressed={each === kind}
                onClick={() => setKind(each)}
              >
                {each ? KINDS[each] : "All"}
                <span className="segment-note">{each ? counts[each] : total}</span>
              </button>
            ))}
          </fieldset>
        )}
        <Read of={{ ...pages, reload: () => void pages.reload() }} what="the bin">
          {() => (
            <RecordList
              pages={pages}
              className="bin"
              filtered={kind !== undefined}
              notFound="Nothing of this kind was deleted lately."
              empty={{
                icon: Trash,
                title: "The bin is empty",
                help: `What you delete stays here for ${BIN_DAYS} days.`,
              }}
            >
              {(deleted, onGone) => <BinRow key={deleted.id} deleted={deleted} onGone={onGone} />}
            </RecordList>
          )}
        </Read>
      </Card>
      <p className="bin-erased">
        <Info size={16} aria-hidden="true" /> People you erased are not here. That can't be undone.
      </p>
    </>
  );
}

const KINDS: Readonly<Record<BinKind, string>> = {
  pictures: "Pictures",
  enquiries: "Enquiries",
  other: "Other",
};

/** Asks once, and names how much goes. */
function EmptyTheBin({ count }: { count: number }) {
  const [asking, ask] = useState(false);
  const [pending, run] = usePending();
  const empty = async () => {
    await withToast(EMPTY_WORDS, () => api.delete("/api/bin"));
    ask(false);
    await queryClient.invalidateQueries({ queryKey: BIN });
  };
  return (
    <>
      <Button variant="quiet" className="bad" onClick={() => ask(true)}>
        Empty the bin
      </Button>
      <ConfirmDialog
        open={asking}
        title="Empty the bin?"
        keep="Keep everything"
        confirm={
          count === 1 ? "Delete it for good" : `Delete ${count.toLocaleString("en-GB")} for good`
        }
        pending={pending}
        onKeep={() => ask(false)}
        onConfirm={() => void run(empty)}
      >
        <p>
          {count === 1 ? "What is in it goes" : `All ${count.toLocaleString("en-GB")} go`} for good,
          with what belongs to {count === 1 ? "it" : "them"}. That can't be undone.
        </p>
      </ConfirmDialog>
    </>
  );
}

const EMPTY_WORDS = { success: "The bin is empty", failure: "Failed to empty the bin" };
