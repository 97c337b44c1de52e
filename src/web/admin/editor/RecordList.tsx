/** A paged list: its rows, their count, and Show more. */
import type { LucideIcon } from "lucide-react";
import SearchX from "lucide-react/icons/search-x";
import { type ReactNode, useState } from "react";
import { formatNumber } from "../../../schema/core/formatNumber.ts";
import { Button } from "../../ui/Button.tsx";
import { useAction } from "../../ui/useAction.ts";
import type { PagedList } from "../data/usePagedList.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import rowsCss from "./OrderedList.css" with { type: "text" };
import css from "./RecordList.css" with { type: "text" };

interface RecordListProps<T> {
  readonly list: PagedList<T>;
  readonly className: string;
  /** Whether filters are set. If so, an empty list shows `notFoundText` instead of `emptyState`. */
  readonly isFiltered: boolean;
  readonly notFoundText: string;
  readonly emptyState: { readonly icon: LucideIcon; readonly title: string; readonly help: string };
  /** Renders a row. The row must call `onDeleted` after its deletion, so that the focus moves to the next row. */
  readonly children: (row: T, onDeleted: () => void) => ReactNode;
}

export function RecordList<T extends { readonly id: string }>(props: RecordListProps<T>) {
  const { list, className, isFiltered, notFoundText, emptyState, children } = props;
  useStylesheet(rowsCss);
  useStylesheet(css);
  const [listElement, setListElement] = useState<HTMLUListElement | null>(null);
  const rows = list.value ?? [];
  const focusRow = (index: number) =>
    requestAnimationFrame(() =>
      listElement?.children[index]?.querySelector<HTMLElement>("button")?.focus(),
    );
  if (rows.length === 0) {
    const noResults = { icon: SearchX, title: "No results", help: notFoundText };
    const { help, ...state } = isFiltered ? noResults : emptyState;
    return <EmptyState {...state}>{help}</EmptyState>;
  }
  return (
    <>
      <ul ref={setListElement} className={`rows divided ${className}`}>
        {rows.map((row, index) =>
          children(row, () => focusRow(Math.max(0, Math.min(index, rows.length - 2)))),
        )}
      </ul>
      <ListFoot list={list} onMore={() => focusRow(rows.length)} />
    </>
  );
}

/** Calls `onMore` once new rows are shown. */
function ListFoot({ list, onMore }: { list: PagedList<unknown>; onMore: () => void }) {
  const [isPending, loadMore] = useLoadMore(list, onMore);
  const count = list.value?.length ?? 0;
  return (
    <div className="card-row border-top faint small justify-between row cluster">
      <output>
        Showing 1–{count} of {formatNumber(list.total ?? count)}
      </output>
      {list.hasMore && (
        <Button isPending={isPending} onClick={loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

export const useLoadMore = (list: PagedList<unknown>, onMore?: () => void) =>
  useAction(
    async () => {
      const { error } = await list.loadMore();
      if (error) throw error;
      onMore?.();
    },
    { failure: "Couldn't load more. Try again." },
  );
