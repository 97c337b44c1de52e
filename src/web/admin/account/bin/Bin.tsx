/** The bin: items deleted in the last 30 days, to restore with one press or to delete permanently. */
import { Segments } from "../../../ui/Segments.tsx";
import Info from "lucide-react/icons/info";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { BIN_DAYS, type BinKind } from "../../../../schema/people/bin.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { usePages } from "../../data/usePagedList.ts";
import { refetch } from "../../data/resource.ts";
import { RecordList } from "../../editor/RecordList.tsx";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { Read } from "../../../ui/Read.tsx";
import css from "./Bin.css" with { type: "text" };
import { useBinCounts } from "./binCounts.tsx";
import { BinRow, type Deleted } from "./BinRow.tsx";

export function Bin() {
  useSheet(css);
  const [kind, choose] = useState<Shown>("");
  const counts = useBinCounts();
  const pages = usePages<Deleted>("bin", "/api/bin", { kind });
  const total = counts && countOf("", counts);
  return (
    <>
      <Card
        title="Trash"
        note={`deleted permanently after ${BIN_DAYS} days`}
        className="bin-card"
        flush
        actions={!!total && <EmptyTheBin count={total} />}
      >
        {counts && !!total && (
          <Segments
            label="Show"
            options={KINDS.map((each) => ({ ...each, count: countOf(each.value, counts) }))}
            value={kind}
            onChoose={choose}
            className="bin-kinds"
          />
        )}
        <Read of={{ ...pages, reload: () => void pages.reload() }} subject="the trash">
          {() => (
            <RecordList
              pages={pages}
              className="bin border-top"
              filtered={kind !== ""}
              notFound="Nothing matches this filter."
              empty={{
                icon: Trash,
                title: "The trash is empty",
                help: `Deleted items stay here for ${BIN_DAYS} days.`,
              }}
            >
              {(deleted, onRemoved) => (
                <BinRow key={deleted.id} deleted={deleted} onRemoved={onRemoved} />
              )}
            </RecordList>
          )}
        </Read>
      </Card>
      <p className="faint small row">
        <Info size={16} aria-hidden="true" /> Erased personal data isn't kept here and can't be
        restored.
      </p>
    </>
  );
}

type Shown = BinKind | "";

const KINDS: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: "", label: "All" },
  { value: "pictures", label: "Images" },
  { value: "enquiries", label: "Submissions" },
  { value: "other", label: "Other" },
];

/** Of one kind, or all. */
const countOf = (kind: Shown, counts: Readonly<Record<BinKind, number>>) =>
  kind === "" ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[kind];

/** Asks once, with the number of items. */
function EmptyTheBin({ count }: { count: number }) {
  const [asking, setAsking] = useState(false);
  const [pending, empty] = useAction(() => api.delete("/api/bin"), {
    success: "Trash emptied",
    failure: "Couldn't empty the trash",
    after: () => {
      setAsking(false);
      return refetch("/api/bin");
    },
  });
  return (
    <>
      <Button variant="quiet" data-tone="bad" onClick={() => setAsking(true)}>
        Empty trash
      </Button>
      <ConfirmDialog
        open={asking}
        title="Empty the trash?"
        cancel="Cancel"
        confirm={count === 1 ? "Delete permanently" : `Delete ${formatNumber(count)} permanently`}
        pending={pending}
        onCancel={() => setAsking(false)}
        onConfirm={empty}
      >
        <p>
          {count === 1
            ? "The item and everything that belongs to it"
            : `All ${formatNumber(count)} items and everything that belongs to them`}{" "}
          will be deleted permanently. This can't be undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
