/** Everything visitors sent with one form: search, filter, refresh, export, and the list. */
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { submissionsFileName, submissionsTable } from "../../../export/csv.ts";
import { ExportButton } from "../../../export/ExportButton.tsx";
import { ExportProgress } from "../../../export/ExportProgress.tsx";
import { Badge } from "../../../parts/Badge.tsx";
import { Card } from "../../../parts/Card.tsx";
import { WhenRead } from "../../../parts/WhenRead.tsx";
import { pathOf } from "../../../queries/useEntity.ts";
import { refresh } from "../../../queries/writes.ts";
import { SearchField } from "../../../records/SearchField.tsx";
import { usePages } from "../../../records/usePages.ts";
import { useSubmissionCount } from "../submissionCounts.ts";
import { StatusFilter } from "./StatusFilter.tsx";
import { SubmissionList } from "./SubmissionList.tsx";

/** `onChange` goes back to the choice of forms. */
export interface SubmissionsCardProps {
  readonly form: Item<"forms">;
  readonly onChange: () => void;
}

/** Renders the card. */
export function SubmissionsCard({ form, onChange }: SubmissionsCardProps) {
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
