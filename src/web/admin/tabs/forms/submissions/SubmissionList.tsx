/** The rows of submissions, newest first. */
import Inbox from "lucide-react/icons/inbox";
import SearchX from "lucide-react/icons/search-x";
import { useRef, useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ShowMore } from "../../../records/ShowMore.tsx";
import type { Pages } from "../../../records/usePages.ts";
import { SubmissionRow } from "./SubmissionRow.tsx";

/** `filtered`: not all of them were asked for. */
export interface SubmissionListProps {
  readonly pages: Pages<Item<"formSubmissions">>;
  readonly formTitle: string;
  readonly filtered: boolean;
}

/** Renders the list and its foot. */
export function SubmissionList({ pages, formTitle, filtered }: SubmissionListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const rows = pages.value ?? [];
  // What is read next begins where the list ended; focus goes on from there.
  const focusRow = (at: number) =>
    requestAnimationFrame(() =>
      list.current?.children[at]?.querySelector<HTMLElement>("button")?.focus(),
    );
  if (rows.length === 0) return <NoSubmissions filtered={filtered} />;
  return (
    <>
      <ul ref={list} className="rows submissions">
        {rows.map((submission, at) => (
          <SubmissionRow
            key={submission.id}
            submission={submission}
            formTitle={formTitle}
            open={open === submission.id}
            onToggle={() => setOpen(open === submission.id ? null : submission.id)}
            onDeleted={() => focusRow(Math.max(0, Math.min(at, rows.length - 2)))}
          />
        ))}
      </ul>
      <ShowMore pages={pages} onMore={() => focusRow(rows.length)} />
    </>
  );
}

function NoSubmissions({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={SearchX} title="Nothing found">
      No submission holds these words in this state.
    </EmptyState>
  ) : (
    <EmptyState icon={Inbox} title="No submissions yet">
      What visitors send with this form appears here.
    </EmptyState>
  );
}
