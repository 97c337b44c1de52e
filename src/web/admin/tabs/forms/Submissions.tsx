/** The Submissions subtab: pick a form, then read what visitors sent (spec section 2). */
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import Inbox from "lucide-react/icons/inbox";
import RefreshCw from "lucide-react/icons/refresh-cw";
import SearchX from "lucide-react/icons/search-x";
import { useRef, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { SUBMISSION_STATUSES } from "../../../../schema/visitors.ts";
import { Button } from "../../../ui/Button.tsx";
import { submissionsFileName, submissionsTable } from "../../data/csv.ts";
import { pathOf, useEntity } from "../../data/useEntity.ts";
import { type Pages, usePages } from "../../data/usePages.ts";
import { refresh } from "../../data/writes.ts";
import { ExportButton, ExportProgress } from "../../editor/exportRecords.tsx";
import { SearchField, ShowMore } from "../../editor/RecordList.tsx";
import { Badge, Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { WhenRead } from "../../parts/WhenRead.tsx";
import { ChooseForm, NoForms, useChosenForm } from "./ChooseForm.tsx";
import { type SubmissionCount, useSubmissionCount } from "./submissionCounts.tsx";
import { SubmissionRow } from "./SubmissionRow.tsx";

// Narrows the list to submissions in one state.

/** `status` is empty for all. */
interface StatusFilterProps {
  readonly status: string;
  readonly count: SubmissionCount;
  readonly onChoose: (status: string) => void;
}

/** Renders the choice; what is known of the numbers stands beside it. */
function StatusFilter({ status, count, onChoose }: StatusFilterProps) {
  const numbers: Readonly<Record<string, number>> = { "": count.total, new: count.new };
  return (
    <fieldset className="segments" aria-label="Status">
      {[{ value: "", label: "All" }, ...SUBMISSION_STATUSES].map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChoose(value)}
        >
          {label}
          {numbers[value] !== undefined && (
            <span className="segment-note">{numbers[value].toLocaleString("en-GB")}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

// The rows of submissions, newest first.

/** `filtered`: not all of them were asked for. */
interface SubmissionListProps {
  readonly pages: Pages<Item<"formSubmissions">>;
  readonly formTitle: string;
  readonly filtered: boolean;
}

/** Renders the list and its foot. */
function SubmissionList({ pages, formTitle, filtered }: SubmissionListProps) {
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

// Everything visitors sent with one form: search, filter, refresh, export, and the list.

/** `onChange` goes back to the choice of forms. */
interface SubmissionsCardProps {
  readonly form: Item<"forms">;
  readonly onChange: () => void;
}

/** Renders the card. */
function SubmissionsCard({ form, onChange }: SubmissionsCardProps) {
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  const path = pathOf("formSubmissions", form.id);
  const pages = usePages<Item<"formSubmissions">>("formSubmissions", path, { search, status });
  const count = useSubmissionCount(form.id);
  return (
    <Card
      title={form.title}
      note={<Badge>{count.total.toLocaleString("en-GB")} in total</Badge>}
      flush
      actions={
        <Button onClick={onChange}>
          <ArrowLeftRight size={16} aria-hidden="true" /> Change Form
        </Button>
      }
    >
      <div className="list-tools">
        <SearchField label="Search names and answers" onSearch={setSearch} />
        <StatusFilter status={status} count={count} onChoose={setStatus} />
        <div className="list-actions">
          <RefreshButton />
          <ExportButton
            path={path}
            what="submissions"
            table={submissionsTable}
            fileName={submissionsFileName}
          />
        </div>
      </div>
      <ExportProgress path={path} />
      <WhenRead of={{ ...pages, reload: () => void pages.reload() }} what="submissions">
        {() => (
          <SubmissionList
            pages={pages}
            formTitle={form.title}
            filtered={search !== "" || status !== ""}
          />
        )}
      </WhenRead>
    </Card>
  );
}

function RefreshButton() {
  const [pending, setPending] = useState(false);
  const read = async () => {
    setPending(true);
    await refresh("formSubmissions");
    setPending(false);
  };
  return (
    <Button pending={pending} onClick={() => void read()}>
      <RefreshCw size={16} className={pending ? "spin" : ""} aria-hidden="true" /> Refresh
    </Button>
  );
}

/** Shows the submissions of the chosen form. */
export function Submissions() {
  const read = useEntity("forms");
  const { chosen, choose } = useChosenForm();
  const forms = read.value ?? [];
  const form = forms.find(({ id }) => id === chosen);
  return (
    <WhenRead of={read} what="forms">
      {() => {
        if (form)
          return <SubmissionsCard key={form.id} form={form} onChange={() => choose(undefined)} />;
        if (forms.length === 0) return <NoForms />;
        return <ChooseForm forms={forms} purpose="read its submissions" onChoose={choose} />;
      }}
    </WhenRead>
  );
}
