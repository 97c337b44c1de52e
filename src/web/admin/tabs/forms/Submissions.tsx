/** The Submissions subtab: choose a form, then read what visitors sent with it. */
import { useAction } from "../../../ui/useAction.ts";
import { Segments } from "../../../ui/Segments.tsx";
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import Inbox from "lucide-react/icons/inbox";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { type Submission, SUBMISSION_STATUSES } from "../../../../schema/visitors.ts";
import { Button } from "../../../ui/Button.tsx";
import {
  answersFile,
  answersFileName,
  csvFile,
  submissionsFileName,
  submissionsTable,
} from "../../data/csv.ts";
import { pathOf, useEntity } from "../../data/useEntity.ts";
import { type Pages, usePages } from "../../data/usePages.ts";
import { refresh } from "../../data/writes.ts";
import { ExportButton, ExportProgress } from "../../editor/exportRecords.tsx";
import { RecordList } from "../../editor/RecordList.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { useIsWide } from "../../editor/useIsWide.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { LoadFailed, Read } from "../../../ui/Read.tsx";
import { ChooseForm, useChosenForm } from "./ChooseForm.tsx";
import { type SubmissionCount, useSubmissionCount } from "./submissionCounts.tsx";
import { SubmissionRow } from "./SubmissionRow.tsx";
import css from "./Submissions.css" with { type: "text" };

export function Submissions() {
  useSheet(css);
  const read = useEntity("forms");
  const { chosen, enquiry, choose } = useChosenForm();
  const forms = read.value ?? [];
  const form = forms.find(({ id }) => id === chosen) ?? (forms.length === 1 ? forms[0] : undefined);
  return (
    <Read of={read} what="forms">
      {() =>
        form ? (
          <SubmissionsCard
            key={`${form.id} ${enquiry}`}
            form={form}
            enquiry={enquiry}
            onChange={forms.length > 1 ? () => choose(undefined) : undefined}
          />
        ) : (
          <ChooseForm forms={forms} purpose="read its submissions" onChoose={choose} />
        )
      }
    </Read>
  );
}

/** `enquiry` is the id of the one to open; `onChange` goes back to the choice of forms, where there is one. */
interface SubmissionsCardProps {
  readonly form: Item<"forms">;
  readonly enquiry: string | undefined;
  readonly onChange: (() => void) | undefined;
}

/** Search, filter, refresh, export, and the list. */
function SubmissionsCard({ form, enquiry, onChange }: SubmissionsCardProps) {
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  const [open, setOpen] = useState<string | null>(enquiry ?? null);
  const path = pathOf("formSubmissions", form.id);
  const pages = usePages<Submission>("formSubmissions", path, { search, status });
  const count = useSubmissionCount(form.id);
  const isLost = useReadUpTo(enquiry, pages);
  const isWide = useIsWide();
  return (
    <Card
      title={form.title}
      note={<Badge>{count.total.toLocaleString("en-GB")} in total</Badge>}
      flush
      actions={
        onChange && (
          <Button onClick={onChange}>
            <ArrowLeftRight size={16} aria-hidden="true" /> Change Form
          </Button>
        )
      }
    >
      <div className="list-tools">
        <SearchField label="Search names and answers" onSearch={setSearch} />
        <StatusFilter status={status} count={count} isWide={isWide} onChoose={setStatus} />
        {isWide && <ListActions path={path} />}
      </div>
      {isWide && <ExportProgress path={path} />}
      {isLost && <LoadFailed what="the enquiry" onRetry={() => void pages.more()} />}
      <Read of={{ ...pages, reload: () => void pages.reload() }} what="submissions">
        {() => (
          <RecordList
            pages={pages}
            className="submissions"
            filtered={search !== "" || status !== ""}
            notFound="No submission with this status contains these words."
            empty={{
              icon: Inbox,
              title: "No submissions yet",
              help: "What visitors send with this form appears here.",
            }}
          >
            {(submission, onDeleted) => (
              <SubmissionRow
                key={submission.id}
                submission={submission}
                formTitle={form.title}
                open={open === submission.id}
                isAskedFor={enquiry === submission.id}
                onToggle={() => setOpen(open === submission.id ? null : submission.id)}
                onDeleted={onDeleted}
              />
            )}
          </RecordList>
        )}
      </Read>
      {!isWide && (
        <div className="list-after">
          <ExportProgress path={path} />
          <ListActions path={path} />
        </div>
      )}
    </Card>
  );
}

/** What is done with the list as a whole; on a phone below it, so that the newest enquiry is seen at once. */
function ListActions({ path }: { path: string }) {
  return (
    <div className="list-actions">
      <RefreshButton />
      <ExportButton
        path={path}
        what="submissions"
        file={() => csvFile(submissionsTable)}
        fileName={submissionsFileName}
      />
      <ExportButton path={path} what="submissions" file={answersFile} fileName={answersFileName}>
        Export with a column for each question
      </ExportButton>
    </div>
  );
}

/** A message may lead to an enquiry of some time ago. */
const READ_AT_MOST = 500;

/**
 * Reads on until the list holds the enquiry that a message leads to. Returns whether that failed: it is
 * tried again when the owner says so.
 */
function useReadUpTo(enquiry: string | undefined, pages: Pages<Submission>): boolean {
  const { value, hasMore, hasFailed, isReading, more } = pages;
  const isThere = value?.some(({ id }) => id === enquiry);
  const isMissing = enquiry !== undefined && isThere === false;
  const reads = isMissing && hasMore && !hasFailed && !isReading && value!.length < READ_AT_MOST;
  useEffect(() => {
    if (reads) void more();
  });
  return isMissing && hasFailed;
}

/** `status` is empty for all. */
interface StatusFilterProps {
  readonly status: string;
  readonly count: SubmissionCount;
  readonly isWide: boolean;
  readonly onChoose: (status: string) => void;
}

/** Narrows the list to one state; what is known of the numbers stands beside it. On a phone it is folded. */
function StatusFilter({ status, count, isWide, onChoose }: StatusFilterProps) {
  const numbers: Readonly<Record<string, number>> = { "": count.total, new: count.new };
  if (!isWide)
    return (
      <select aria-label="Status" value={status} onChange={({ target }) => onChoose(target.value)}>
        {STATES.map(({ value, label }) => (
          <option key={value} value={value}>
            {[label, numbers[value]?.toLocaleString("en-GB")].filter(Boolean).join(" ")}
          </option>
        ))}
      </select>
    );
  return (
    <Segments
      label="Status"
      options={STATES.map((each) => ({ ...each, count: numbers[each.value] }))}
      value={status}
      onChoose={onChoose}
    />
  );
}

const STATES = [{ value: "", label: "All" }, ...SUBMISSION_STATUSES];

function RefreshButton() {
  const [pending, readAgain] = useAction(() => refresh("formSubmissions", { throwOnError: true }), {
    failure: "The submissions couldn't be read again. Check your connection.",
  });
  return (
    <Button pending={pending} onClick={readAgain}>
      <RefreshCw size={16} className={pending ? "spin" : ""} aria-hidden="true" /> Refresh
    </Button>
  );
}
