/** The Forms tab: the forms, a builder, the submissions. */
import { useQueryClient } from "@tanstack/react-query";
import Inbox from "lucide-react/icons/inbox";
import Pencil from "lucide-react/icons/pencil";
import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { formatListDate } from "../../../shared/formatTimes.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { usePermission } from "../../data/session.ts";
import { useEntity } from "../../data/useEntity.ts";
import listCss from "../../editor/RecordList.css" with { type: "text" };
import { TabHead } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { FormBuilder } from "./FormBuilder.tsx";
import { useFormInUrl } from "./FormChoice.tsx";
import { ActiveToggle, NoQuestionsWarning } from "./formButtons.tsx";
import formsCss from "./forms.css" with { type: "text" };
import {
  type SubmissionCount,
  useNewSubmissionCount,
  useSubmissionCount,
} from "./submissionCounts.tsx";
import { Submissions } from "./Submissions.tsx";
import { TemplateChooser } from "./TemplateChooser.tsx";

export function FormsTab() {
  useStylesheet(listCss);
  useStylesheet(formsCss);
  const newCount = useNewSubmissionCount();
  const hasPermission = usePermission();
  const builderTabs = [
    { key: "forms", label: "Forms", panel: <FormsList /> },
    { key: "builder", label: "Builder", panel: <FormBuilder /> },
  ];
  const submissionsTab = {
    key: "submissions",
    label: "Submissions",
    note: newCount === undefined ? undefined : `${newCount} new`,
    panel: <Submissions />,
  };
  return (
    <>
      <TabHead title="Forms" note="Your questions for visitors, and their answers." />
      <Subtabs
        label="Forms"
        tabs={[
          ...(hasPermission("content") ? builderTabs : []),
          ...(hasPermission("enquiries") ? [submissionsTab] : []),
        ]}
      />
    </>
  );
}

function FormsList() {
  const formsQuery = useEntity("forms");
  const [formToDelete, setFormToDelete] = useState<Item<"forms"> | null>(null);
  const [isCreating, setCreating] = useState(false);
  const { openForm } = useFormInUrl();
  const open = ({ id }: Item<"forms">) => openForm(id, "builder");
  const forms = formsQuery.value ?? [];
  // The coaching page shows the first active form.
  const shownForm = forms.find((form) => form.isActive);
  return (
    <AsyncContent state={formsQuery} subject="forms">
      {() =>
        forms.length === 0 ? (
          <>
            <p className="title-note quiet mb-16">
              <strong>No forms yet</strong>
              <span>Visitors to your coaching page answer your questions one step at a time.</span>
            </p>
            <TemplateChooser forms={[]} onCreated={open} />
          </>
        ) : (
          <div className="stack gap-16">
            <div className="justify-between row cluster">
              <p className="quiet">
                {shownForm
                  ? "The coaching page shows the first active form."
                  : "No form is active, so the coaching page has no form."}
              </p>
              <Button
                data-adds
                aria-expanded={isCreating}
                onClick={() => setCreating(true)}
                disabled={isCreating}
              >
                <Plus size={16} aria-hidden="true" /> New Form
              </Button>
            </div>
            {isCreating && (
              <TemplateChooser forms={forms} onCreated={open} onClose={() => setCreating(false)} />
            )}
            {shownForm && <NoQuestionsWarning form={shownForm} />}
            <ul className="form-cards auto-grid">
              {forms.map((form) => (
                <FormCard
                  key={form.id}
                  form={form}
                  isShown={form === shownForm}
                  onDelete={() => setFormToDelete(form)}
                />
              ))}
            </ul>
            <DeleteFormDialog form={formToDelete} onClose={() => setFormToDelete(null)} />
          </div>
        )
      }
    </AsyncContent>
  );
}

/** `isShown` says whether the coaching page shows this form. */
interface FormCardProps {
  readonly form: Item<"forms">;
  readonly isShown: boolean;
  readonly onDelete: () => void;
}

function FormCard({ form, isShown, onDelete }: FormCardProps) {
  const hasPermission = usePermission();
  const { id, title, name, subtitle, path, createdAt } = form;
  const { openForm } = useFormInUrl();
  const count = useSubmissionCount(id);
  return (
    <li className="form-card card">
      <div className="form-card-head row justify-between">
        <h3>{title}</h3>
        <ActiveToggle entity="forms" item={form} />
      </div>
      {subtitle && <p className="form-card-subtitle quiet">{subtitle}</p>}
      <p className="cluster pad faint small">
        {name && <span>{name}</span>}
        {createdAt && <span>Created {formatListDate(createdAt)}</span>}
        {isShown && <span>Shown on the coaching page</span>}
      </p>
      {path && <FormAddress path={path} />}
      <div className="form-card-actions border-top row">
        <Button
          variant="quiet"
          disabled={!hasPermission("enquiries")}
          onClick={() => openForm(id, "submissions")}
        >
          <Inbox size={16} aria-hidden="true" /> {formatCount(count.total, "submission")}
          {count.new > 0 && <span className="faint">{count.new} new</span>}
        </Button>
        <span className="grow" />
        <IconButton icon={Pencil} label={`Edit ${title}`} onClick={() => openForm(id, "builder")} />
        {/* Only owners may delete a form, since its submissions are deleted too. */}
        {hasPermission("site") && (
          <IconButton icon={Trash2} label={`Delete ${title}`} onClick={onDelete} />
        )}
      </div>
    </li>
  );
}

function FormAddress({ path }: { readonly path: string }) {
  const displayPath = `/${path}`;
  const url = (usePageContext().siteUrl ?? window.location.origin) + displayPath;
  return (
    <div className="form-card-address">
      <CopyButton label={`Copy ${displayPath}`} text={url} displayText={displayPath} />
    </div>
  );
}

/** The dialog is open unless `form` is null. */
interface DeleteFormDialogProps {
  readonly form: Item<"forms"> | null;
  readonly onClose: () => void;
}

function DeleteFormDialog({ form, onClose }: DeleteFormDialogProps) {
  const client = useQueryClient();
  const { value: steps = [] } = useEntity("formSteps", form?.id, { enabled: form !== null });
  const [isPending, remove] = useAction(async () => {
    const ids = steps.map(({ id }) => id);
    if (form && (await deleteWithUndo("forms", form, ids)))
      void client.invalidateQueries({ queryKey: ["formSubmissions"] });
    onClose();
  });
  return (
    <ConfirmDialog
      isOpen={form !== null}
      title={`Delete ${form?.title ?? "form"}?`}
      confirmLabel="Delete form"
      isPending={isPending}
      onCancel={onClose}
      onConfirm={remove}
    >
      {form && <DeletionWarning form={form} stepCount={steps.length} />}
    </ConfirmDialog>
  );
}

function DeletionWarning({ form, stepCount }: { form: Item<"forms">; stepCount: number }) {
  const count = useSubmissionCount(form.id);
  const stepsText = stepCount === 1 ? "step and its fields" : `${stepCount} steps and their fields`;
  return (
    <>
      <p>
        {describeDeletedSubmissions(count)}
        {stepCount > 0 && ` Its ${stepsText} will be deleted too.`} You can restore the form from
        the trash for 30 days.
      </p>
      {count.calls > 0 && <p>{describeCanceledCalls(count.calls)}</p>}
    </>
  );
}

const describeCanceledCalls = (calls: number) =>
  calls === 1
    ? "One submission has a booked call. Cancel the call first: otherwise the visitor won't be notified."
    : `${calls} submissions have booked calls. Cancel the calls first: otherwise the visitors won't be notified.`;

function describeDeletedSubmissions(count: SubmissionCount): string {
  if (count.total === 0) return "This form has no submissions.";
  const newNote = count.new > 0 ? ` (${count.new} new)` : "";
  return `Its ${formatCount(count.total, "submission")}${newNote} will be deleted too.`;
}
