/** The Forms tab (spec section 2): the forms, the builder of one, what visitors sent. */
import { useQueryClient } from "@tanstack/react-query";
import { format } from "date-fns";
import Inbox from "lucide-react/icons/inbox";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { Button } from "../../../ui/Button.tsx";
import { useEntity } from "../../data/useEntity.ts";
import { useDelete, useUpdate } from "../../data/writes.ts";
import "../../editor/recordStyles.ts";
import "../../editor/rowStyles.ts";
import { adoptStyles } from "../../parts/adoptStyles.ts";
import { TabHead } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { WhenRead } from "../../parts/WhenRead.tsx";
import formsCss from "../../styles/forms.css" with { type: "text" };
import { ActiveBadge } from "./ActiveBadge.tsx";
import { Builder } from "./Builder.tsx";
import { NewFormButton, NoForms, useChosenForm } from "./ChooseForm.tsx";
import { forgetDrafts, formBody } from "./formParts.ts";
import {
  type SubmissionCount,
  submissionWords,
  useNewSubmissions,
  useSubmissionCount,
} from "./submissionCounts.tsx";
import { Submissions } from "./Submissions.tsx";

// Asks before a form goes, and says what goes with it (design.md section 5).

/** `form` null: closed. */
export interface DeleteFormProps {
  readonly form: Item<"forms"> | null;
  readonly onClose: () => void;
}

/** Renders the dialog. */
export function DeleteForm({ form, onClose }: DeleteFormProps) {
  const remove = useDelete("forms");
  const client = useQueryClient();
  const { value: steps } = useEntity("formSteps", form?.id, { enabled: form !== null });
  const confirm = () =>
    remove.mutate(form!.id, {
      onSuccess: () => {
        forgetDrafts([form!.id, ...(steps ?? []).map(({ id }) => id)]);
        void client.invalidateQueries({ queryKey: ["formSubmissions"] });
      },
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open={form !== null}
      title={`Delete ${form?.title ?? "form"}?`}
      keep="Keep form"
      confirm="Delete form"
      pending={remove.isPending}
      onKeep={onClose}
      onConfirm={confirm}
    >
      {form && <Loss form={form} steps={steps?.length ?? 0} />}
    </ConfirmDialog>
  );
}

function Loss({ form, steps }: { form: Item<"forms">; steps: number }) {
  const count = useSubmissionCount(form.id);
  return (
    <p>
      {submissionLoss(count)}
      {steps > 0 && ` Its ${steps === 1 ? "step" : `${steps} steps`} and their fields go too.`} This
      cannot be undone.
    </p>
  );
}

function submissionLoss(count: SubmissionCount): string {
  if (count.total === 0) return "Nobody has sent it yet, so no submissions are lost.";
  const fresh = count.new > 0 ? ` (${count.new} of them new)` : "";
  const verb = count.total === 1 ? "goes" : "go";
  return `${submissionWords(count.total)}${fresh} ${verb} with it. Export them first to keep them.`;
}

// One form: what it is called, whether visitors see it, the ways to its builder and its answers.

/** `isShown`: visitors get this one. */
export interface FormCardProps {
  readonly form: Item<"forms">;
  readonly isShown: boolean;
  readonly onDelete: () => void;
}

/** Renders the card. */
export function FormCard({ form, isShown, onDelete }: FormCardProps) {
  const { id, title, name, subtitle, isActive, createdAt } = form;
  const { choose } = useChosenForm();
  const update = useUpdate("forms");
  const count = useSubmissionCount(id);
  const toggle = () => update.mutate({ id, ...formBody({ ...form, isActive: !isActive }) });
  return (
    <li className="card form-card">
      <div className="form-card-head">
        <h3>{title}</h3>
        <ActiveBadge name={title} active={isActive} pending={update.isPending} onToggle={toggle} />
      </div>
      {subtitle && <p className="form-card-subtitle">{subtitle}</p>}
      <p className="quiet form-card-meta">
        {name && <span>{name}</span>}
        {createdAt && <span>Created {format(createdAt, "MMM d, yyyy")}</span>}
        {isShown && <span>Shown on the coaching page</span>}
      </p>
      <div className="form-card-actions">
        <Button variant="quiet" onClick={() => choose(id, "submissions")}>
          <Inbox size={16} aria-hidden="true" /> {submissionWords(count.total)}
          {count.new > 0 && <span className="segment-note">{count.new} new</span>}
        </Button>
        <span className="row-gap" />
        <IconButton icon={Pencil} label={`Edit ${title}`} onClick={() => choose(id, "builder")} />
        <IconButton icon={Trash2} label={`Delete ${title}`} onClick={onDelete} />
      </div>
    </li>
  );
}

// The Forms subtab: every form as a card.

/** Renders the cards and the way to a new form. */
export function FormsList() {
  const read = useEntity("forms");
  const [doomed, setDoomed] = useState<Item<"forms"> | null>(null);
  const forms = read.value ?? [];
  // Visitors get the first active one (spec section 4, "Enquiry form").
  const shown = forms.find((form) => form.isActive);
  return (
    <WhenRead of={read} what="forms">
      {() =>
        forms.length === 0 ? (
          <NoForms />
        ) : (
          <div className="stack">
            <div className="list-head">
              <p className="quiet">
                {shown
                  ? "The coaching page shows the first active form."
                  : "No form is active: the coaching page shows none."}
              </p>
              <NewFormButton count={forms.length} />
            </div>
            <ul className="form-cards">
              {forms.map((form) => (
                <FormCard
                  key={form.id}
                  form={form}
                  isShown={form === shown}
                  onDelete={() => setDoomed(form)}
                />
              ))}
            </ul>
            <DeleteForm form={doomed} onClose={() => setDoomed(null)} />
          </div>
        )
      }
    </WhenRead>
  );
}

adoptStyles(formsCss);

/** Shows the subtabs. */
export function FormsTab() {
  const fresh = useNewSubmissions();
  return (
    <>
      <TabHead title="Forms" note="What you ask visitors, and what they answered." />
      <Subtabs
        label="Forms"
        tabs={[
          { key: "forms", label: "Forms", panel: <FormsList /> },
          { key: "builder", label: "Builder", panel: <Builder /> },
          {
            key: "submissions",
            label: "Submissions",
            note: fresh === undefined ? undefined : `${fresh} new`,
            panel: <Submissions />,
          },
        ]}
      />
    </>
  );
}
