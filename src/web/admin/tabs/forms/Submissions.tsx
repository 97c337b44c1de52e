/** The Submissions subtab: follow-ups, and submissions of all forms, or of one. */
import { useAction } from "../../../ui/useAction.ts";
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import Inbox from "lucide-react/icons/inbox";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import type { Submission } from "../../../../schema/enquiry/visitors.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import {
  answersFile,
  answersFileName,
  csvFile,
  submissionsFileName,
  submissionsTable,
} from "../../data/csv.ts";
import { usePermission } from "../../data/session.ts";
import { pathOf, useEntity } from "../../data/useEntity.ts";
import { type PagedList, usePages } from "../../data/usePagedList.ts";
import { refresh } from "../../data/writes.ts";
import { ExportButton, ExportProgress } from "../../editor/ExportButton.tsx";
import { RecordList } from "../../editor/RecordList.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { useIsWide } from "../../editor/useIsWide.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { LoadFailed, Read } from "../../../ui/Read.tsx";
import { lazyPart } from "../../parts/LazyPart.tsx";
import { ChooseForm, useChosenForm } from "./ChooseForm.tsx";
import { ForToday } from "./ForToday.tsx";
import { type SubmissionChoice, SubmissionFilter } from "./SubmissionFilter.tsx";
import { useSubmissionCount } from "./submissionCounts.tsx";
import { SubmissionRow } from "./SubmissionRow.tsx";
import css from "./Submissions.css" with { type: "text" };

export function Submissions() {
  useSheet(css);
  const may = usePermission();
  const read = useEntity("forms");
  const { chosen, enquiry, choose } = useChosenForm();
  const [isChoosing, setIsChoosing] = useState(false);
  const forms = read.value ?? [];
  const form = forms.find(({ id }) => id === chosen) ?? (forms.length === 1 ? forms[0] : undefined);
  const open = (id: string | undefined) => {
    setIsChoosing(false);
    choose(id);
  };
  return (
    <Read of={read} subject="forms">
      {() =>
        isChoosing || forms.length === 0 ? (
          <ChooseForm
            forms={forms}
            purpose="see its submissions"
            onChoose={open}
            onAll={() => open(undefined)}
          />
        ) : (
          <div className="stack gap-16">
            <ForToday />
            <SubmissionsCard
              key={`${form?.id} ${enquiry}`}
              form={form}
              forms={forms}
              enquiry={enquiry}
              onChange={() => setIsChoosing(true)}
            />
            {may("site") && <CallsCalendar />}
          </div>
        )
      }
    </Read>
  );
}

/** Opened once; then a calendar follows it. */
const CallsCalendar = lazyPart<object>({
  subject: "the calendar of your calls",
  code: async () => (await import("./CallsCalendar.tsx")).CallsCalendar,
  waiting: null,
});

/** `form` undefined: all forms. `enquiry`: the id to open; `onChange` opens the choice of forms. */
interface SubmissionsCardProps {
  readonly form: Item<"forms"> | undefined;
  readonly forms: readonly Item<"forms">[];
  readonly enquiry: string | undefined;
  readonly onChange: () => void;
}

/** Search, filter, refresh, export, and the list. */
function SubmissionsCard({ form, forms, enquiry, onChange }: SubmissionsCardProps) {
  const [search, setSearch] = useState("");
  const [choice, setChoice] = useState<SubmissionChoice>({ status: "", stage: undefined });
  const [open, setOpen] = useState<string | null>(enquiry ?? null);
  const path = pathOf("formSubmissions", form?.id);
  const pages = usePages<Submission>("formSubmissions", path, { search, ...choice });
  const count = useSubmissionCount(form?.id);
  const isLost = useReadUpTo(enquiry, pages);
  const isWide = useIsWide();
  const titleOf = (id: string) => forms.find((each) => each.id === id)?.title ?? "";
  return (
    <Card
      title={form?.title ?? "All forms"}
      note={<Badge>{formatNumber(count.total)} in total</Badge>}
      flush
      actions={<ChangeForm onClick={onChange} />}
    >
      <div className="list-tools pad border-bottom row cluster">
        <SearchField label="Search names and answers" onSearch={setSearch} />
        <SubmissionFilter {...choice} count={count} isWide={isWide} onChoose={setChoice} />
        {isWide && <ListActions path={path} />}
      </div>
      {isWide && <ExportProgress path={path} />}
      {isLost && <LoadFailed subject="this submission" onRetry={() => void pages.more()} />}
      <Read of={{ ...pages, reload: () => void pages.reload() }} subject="submissions">
        {() => (
          <RecordList
            pages={pages}
            className="submissions"
            filtered={search !== "" || choice.status !== "" || choice.stage !== undefined}
            notFound="No submissions match your search and filters."
            empty={EMPTY}
          >
            {(submission, onDeleted) => (
              <SubmissionRow
                key={submission.id}
                submission={submission}
                formTitle={titleOf(submission.formId)}
                isOfAll={form === undefined}
                open={open === submission.id}
                isRequested={enquiry === submission.id}
                onToggle={() => setOpen(open === submission.id ? null : submission.id)}
                onDeleted={onDeleted}
              />
            )}
          </RecordList>
        )}
      </Read>
      {!isWide && (
        <div className="border-top pad">
          <ExportProgress path={path} />
          <ListActions path={path} />
        </div>
      )}
    </Card>
  );
}

const ChangeForm = ({ onClick }: { onClick: () => void }) => (
  <Button onClick={onClick}>
    <ArrowLeftRight size={16} aria-hidden="true" /> Change Form
  </Button>
);

const EMPTY = {
  icon: Inbox,
  title: "No submissions yet",
  help: "Submissions from visitors appear here.",
} as const;

/** Actions on the whole list; below it on a phone, to show the newest enquiry first. */
function ListActions({ path }: { path: string }) {
  return (
    <div className="actions ms-auto">
      <RefreshButton />
      <ExportButton
        path={path}
        plural="submissions"
        file={(separator) => csvFile(submissionsTable, separator)}
        fileName={submissionsFileName}
      />
      <ExportButton path={path} plural="submissions" file={answersFile} fileName={answersFileName}>
        Export CSV with one column per question
      </ExportButton>
    </div>
  );
}

/** A message may link to an older enquiry. */
const READ_AT_MOST = 500;

/**
 * Loads pages until the list has the enquiry that a message links to. Returns whether that failed; the owner can retry.
 */
function useReadUpTo(enquiry: string | undefined, pages: PagedList<Submission>): boolean {
  const { value, hasMore, hasFailed, isReading, more } = pages;
  const isMissing =
    enquiry !== undefined && value !== undefined && !value.some(({ id }) => id === enquiry);
  const reads = isMissing && hasMore && !hasFailed && !isReading && value.length < READ_AT_MOST;
  useEffect(() => {
    if (reads) void more();
  });
  return isMissing && hasFailed;
}

function RefreshButton() {
  const [pending, readAgain] = useAction(() => refresh("formSubmissions", { throwOnError: true }), {
    failure: "Couldn't refresh. Check your connection and try again.",
  });
  return (
    <Button pending={pending} onClick={readAgain}>
      <RefreshCw size={16} className={pending ? "spin" : ""} aria-hidden="true" /> Refresh
    </Button>
  );
}
