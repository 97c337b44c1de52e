/** The trash: items deleted in the last 30 days, to restore or to delete permanently. */
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import Info from "lucide-react/icons/info";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { BIN_RETENTION_DAYS, type BinKind } from "../../../../schema/people/bin.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { api } from "../../data/client.ts";
import { usePagedList } from "../../data/usePagedList.ts";
import { refetchPaths } from "../../data/apiQuery.ts";
import { RecordList } from "../../editor/RecordList.tsx";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import css from "./Bin.css" with { type: "text" };
import { useBinCounts } from "./binCounts.tsx";
import { BinRow, type DeletedItem } from "./BinRow.tsx";

export function BinPage() {
  useStylesheet(css);
  const [kind, setKind] = useState<BinFilter>("");
  const counts = useBinCounts();
  const list = usePagedList<DeletedItem>("bin", "/api/bin", { kind });
  const total = counts && getKindCount("", counts);
  return (
    <>
      <Card
        title="Trash"
        note={`deleted permanently after ${BIN_RETENTION_DAYS} days`}
        className="bin-card"
        isFlush
        actions={!!total && <EmptyBinButton count={total} />}
      >
        {counts && !!total && (
          <SegmentedControl
            label="Show"
            options={FILTER_CHOICES.map((each) => ({
              ...each,
              count: getKindCount(each.value, counts),
            }))}
            value={kind}
            onChoose={setKind}
            className="bin-kinds"
          />
        )}
        <AsyncContent state={list} subject="the trash">
          {() => (
            <RecordList
              list={list}
              className="bin border-top"
              isFiltered={kind !== ""}
              notFoundText="Nothing matches this filter."
              emptyState={{
                icon: Trash,
                title: "The trash is empty",
                help: `Deleted items stay here for ${BIN_RETENTION_DAYS} days.`,
              }}
            >
              {(deletedItem, onRemoved) => (
                <BinRow key={deletedItem.id} deletedItem={deletedItem} onRemoved={onRemoved} />
              )}
            </RecordList>
          )}
        </AsyncContent>
      </Card>
      <p className="faint small row">
        <Info size={16} aria-hidden="true" /> Erased personal data isn't kept here and can't be
        restored.
      </p>
    </>
  );
}

type BinFilter = BinKind | "";

const FILTER_CHOICES: readonly { readonly value: BinFilter; readonly label: string }[] = [
  { value: "", label: "All" },
  { value: "pictures", label: "Images" },
  { value: "enquiries", label: "Submissions" },
  { value: "other", label: "Other" },
];

const getKindCount = (kind: BinFilter, counts: Readonly<Record<BinKind, number>>) =>
  kind === "" ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[kind];

function EmptyBinButton({ count }: { count: number }) {
  const [ask, dialog] = useConfirmation(() => api.delete("/api/bin"), {
    success: "Trash emptied",
    failure: "Couldn't empty the trash",
    onSettled: () => refetchPaths("/api/bin"),
  });
  return (
    <>
      <Button variant="quiet" data-tone="bad" onClick={ask}>
        Empty trash
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Empty the trash?"
        confirmLabel={
          count === 1 ? "Delete permanently" : `Delete ${formatNumber(count)} permanently`
        }
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
