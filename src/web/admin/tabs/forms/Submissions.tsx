/** The Submissions subtab: follow-ups, submissions of one or all forms, and the calendar of calls. */
import { useAction } from "../../../ui/useAction.ts";
import Inbox from "lucide-react/icons/inbox";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import {
  type Submission,
  ENQUIRY_STAGES,
  SUBMISSION_STATUSES,
} from "../../../../schema/enquiry/visitors.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { createAnswersFile, createCsvFile, SUBMISSIONS_TABLE } from "../../data/csv.ts";
import { usePermission } from "../../data/session.ts";
import { getEntityPath } from "../../data/useEntity.ts";
import { type PagedList, usePagedList } from "../../data/usePagedList.ts";
import { refetchEntity } from "../../data/entityWrites.ts";
import { ExportButton, ExportProgress } from "../../editor/ExportButton.tsx";
import { RecordList } from "../../editor/RecordList.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { Options } from "../../../ui/SelectField.tsx";
import { useIsWide } from "../../parts/widths.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { LoadError, AsyncContent } from "../../../ui/AsyncContent.tsx";
import { createLazyComponent } from "../../parts/lazyComponent.tsx";
import { ChangeFormButton, FormChoice, useFormChoice } from "./FormChoice.tsx";
import { FollowUpCards } from "./FollowUpCards.tsx";
import { useSubmissionCount, type SubmissionCount } from "./submissionCounts.tsx";
import { SubmissionRow } from "./SubmissionRow.tsx";
import css from "./Submissions.css" with { type: "text" };
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";

export function Submissions() {
  useStylesheet(css);
  const hasPermission = usePermission();
  const { formsQuery, forms, form, enquiry, isChoosing, open, startChoosing } = useFormChoice();
  return (
    <AsyncContent state={formsQuery} subject="forms">
      {() =>
        isChoosing || forms.length === 0 ? (
          <FormChoice
            forms={forms}
            purpose="see its submissions"
            onChoose={open}
            onShowAll={() => open(undefined)}
          />
        ) : (
          <div className="stack gap-16">
            <FollowUpCards />
            <SubmissionsCard
              key={`${form?.id} ${enquiry}`}
              form={form}
              forms={forms}
              submissionId={enquiry}
              onChangeForm={startChoosing}
            />
            {hasPermission("site") && <LazyCallsCalendar />}
          </div>
        )
      }
    </AsyncContent>
  );
}

const LazyCallsCalendar = createLazyComponent<object>({
  subject: "the calendar of your calls",
  loadCode: async () => (await import("./CallsCalendar.tsx")).CallsCalendar,
  placeholder: null,
});

/** If `form` is undefined, submissions of all forms are shown. `submissionId` is the submission to open. */
interface SubmissionsCardProps {
  readonly form: Item<"forms"> | undefined;
  readonly forms: readonly Item<"forms">[];
  readonly submissionId: string | undefined;
  readonly onChangeForm: () => void;
}

function SubmissionsCard({ form, forms, submissionId, onChangeForm }: SubmissionsCardProps) {
  const [search, setSearch] = useState("");
  const [filters, setFilters] = useState<SubmissionFilters>({ status: "", stage: undefined });
  const [openId, setOpenId] = useState<string | null>(submissionId ?? null);
  const path = getEntityPath("formSubmissions", form?.id);
  const submissionList = usePagedList<Submission>("formSubmissions", path, { search, ...filters });
  const count = useSubmissionCount(form?.id);
  const hasLoadFailed = useLoadSubmission(submissionId, submissionList);
  const isWide = useIsWide();
  const getFormTitle = (id: string) => forms.find((each) => each.id === id)?.title ?? "";
  return (
    <Card
      title={form?.title ?? "All forms"}
      note={<Badge>{formatNumber(count.total)} in total</Badge>}
      isFlush
      actions={<ChangeFormButton onClick={onChangeForm} />}
    >
      <div className="list-tools pad border-bottom row cluster">
        <SearchField label="Search names and answers" onSearch={setSearch} />
        <SubmissionFilter {...filters} count={count} isWide={isWide} onChoose={setFilters} />
        {isWide && <ListActions path={path} />}
      </div>
      {isWide && <ExportProgress path={path} />}
      {hasLoadFailed && (
        <LoadError subject="this submission" onRetry={() => void submissionList.loadMore()} />
      )}
      <AsyncContent state={submissionList} subject="submissions">
        {() => (
          <RecordList
            list={submissionList}
            className="submissions"
            isFiltered={search !== "" || filters.status !== "" || filters.stage !== undefined}
            notFoundText="No submissions match your search and filters."
            emptyState={EMPTY_STATE}
          >
            {(submission, onDeleted) => (
              <SubmissionRow
                key={submission.id}
                submission={submission}
                formTitle={getFormTitle(submission.formId)}
                hasFormName={form === undefined}
                isOpen={openId === submission.id}
                isLinked={submissionId === submission.id}
                onToggle={() => setOpenId(openId === submission.id ? null : submission.id)}
                onDeleted={onDeleted}
              />
            )}
          </RecordList>
        )}
      </AsyncContent>
      {!isWide && (
        <div className="border-top pad">
          <ExportProgress path={path} />
          <ListActions path={path} />
        </div>
      )}
    </Card>
  );
}

const EMPTY_STATE = {
  icon: Inbox,
  title: "No submissions yet",
  help: "Submissions from visitors appear here.",
} as const;

/** On phones, the buttons are below the list, so that the newest submission is visible first. */
function ListActions({ path }: { path: string }) {
  return (
    <div className="actions">
      <RefreshButton />
      <ExportButton
        path={path}
        plural="submissions"
        createFile={(separator) => createCsvFile(SUBMISSIONS_TABLE, separator)}
        fileName="form-submissions"
      />
      <ExportButton
        path={path}
        plural="submissions"
        createFile={createAnswersFile}
        fileName="form-answers"
      >
        Export CSV with one column per question
      </ExportButton>
    </div>
  );
}

/** The maximum number of submissions to load while looking for a linked submission. */
const MAX_SUBMISSIONS_TO_LOAD = 500;

/** Loads more submissions until the list contains the linked submission. Returns whether loading failed. */
function useLoadSubmission(enquiryId: string | undefined, list: PagedList<Submission>): boolean {
  const { value, hasMore, hasFailed, isFetching, loadMore } = list;
  const isMissing =
    enquiryId !== undefined && value !== undefined && !value.some(({ id }) => id === enquiryId);
  const shouldLoadMore =
    isMissing && hasMore && !hasFailed && !isFetching && value.length < MAX_SUBMISSIONS_TO_LOAD;
  useEffect(() => {
    if (shouldLoadMore) void loadMore();
  });
  return isMissing && hasFailed;
}

function RefreshButton() {
  const [isPending, refetch] = useAction(
    () => refetchEntity("formSubmissions", { throwOnError: true }),
    {
      failure: "Couldn't refresh. Check your connection and try again.",
    },
  );
  return (
    <Button isPending={isPending} onClick={refetch}>
      <RefreshCw size={16} className={isPending ? "spin" : ""} aria-hidden="true" /> Refresh
    </Button>
  );
}

/** An empty `status` or an undefined `stage` matches all submissions. An empty `stage` matches only the inbox. */
interface SubmissionFilters {
  readonly status: string;
  readonly stage: string | undefined;
}

interface SubmissionFilterProps extends SubmissionFilters {
  readonly count: SubmissionCount;
  readonly isWide: boolean;
  readonly onChoose: (filters: SubmissionFilters) => void;
}

/** On phones, one select offers both statuses and stages, so only one of them can be chosen. */
function SubmissionFilter(props: SubmissionFilterProps) {
  const { status, stage, count, isWide, onChoose } = props;
  const countsByStatus: Readonly<Record<string, number>> = { "": count.total, new: count.new };
  if (!isWide)
    return (
      <select
        aria-label="Status and stage"
        value={stage === undefined ? status : STAGE_PREFIX + stage}
        onChange={({ target: { value } }) => onChoose(parseFilters(value))}
      >
        <Options
          options={STATUS_CHOICES.map(({ value, label }) => {
            const number = countsByStatus[value];
            return {
              value,
              label: number === undefined ? label : `${label} ${formatNumber(number)}`,
            };
          })}
        />
        <optgroup label="Stage">
          <Options options={STAGE_CHOICES} />
        </optgroup>
      </select>
    );
  return (
    <>
      <SegmentedControl
        label="Status"
        options={STATUS_CHOICES.map((each) => ({ ...each, count: countsByStatus[each.value] }))}
        value={status}
        onChoose={(chosen) => onChoose({ status: chosen, stage })}
      />
      <select
        aria-label="Stage"
        value={stage === undefined ? "" : STAGE_PREFIX + stage}
        onChange={({ target: { value } }) => onChoose({ ...parseFilters(value), status })}
      >
        <option value="">All stages</option>
        <Options options={STAGE_CHOICES} />
      </select>
    </>
  );
}

const STATUS_CHOICES = [{ value: "", label: "All" }, ...SUBMISSION_STATUSES];

/** Distinguishes stages from statuses in the select. */
const STAGE_PREFIX = "stage ";
const STAGE_CHOICES = ENQUIRY_STAGES.map(({ value, label }) => ({
  value: STAGE_PREFIX + value,
  label,
}));

const parseFilters = (value: string): SubmissionFilters =>
  value.startsWith(STAGE_PREFIX)
    ? { status: "", stage: value.slice(STAGE_PREFIX.length) }
    : { status: value, stage: undefined };
