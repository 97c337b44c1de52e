/** The steps of a form: add, edit in place, make inactive, arrange, delete, pick for the fields below. */
import Layers from "lucide-react/icons/layers";
import Plus from "lucide-react/icons/plus";
import { useEffect, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { Button } from "../../../ui/Button.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { refresh, useCreate, useUpdate } from "../../data/writes.ts";
import { OrderedList } from "../../editor/OrderedList.tsx";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ActiveBadge } from "./ActiveBadge.tsx";
import { forgetDrafts, newStep, stepBody, type StepParts } from "./formParts.ts";
import { StepForm, StepTitle } from "./StepForm.tsx";

// Asks before a step with fields goes: Undo could not bring them back. An empty one just goes.

/** `parts` null: closed. */
interface DeleteStepProps {
  readonly parts: StepParts | null;
  readonly onClose: () => void;
}

/** Renders the dialog where one is needed. */
function DeleteStep({ parts, onClose }: DeleteStepProps) {
  const count = parts?.fields?.length ?? 0;
  const isEmpty = parts?.fields?.length === 0;
  useEffect(() => {
    if (!parts || !isEmpty) return;
    onClose();
    void remove(parts);
  }, [parts, isEmpty, onClose]);
  const confirm = () => {
    onClose();
    void remove(parts!);
  };
  return (
    <ConfirmDialog
      open={parts !== null && !isEmpty}
      title={`Delete ${parts?.step.title ?? "step"}?`}
      keep="Keep step"
      confirm="Delete step"
      onKeep={onClose}
      onConfirm={confirm}
    >
      <p>
        {count === 1 ? "Its field goes with it." : `Its ${count} fields go with it.`} Submissions
        stay readable. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

async function remove({ step, fields }: StepParts): Promise<void> {
  if (await deleteWithUndo("formSteps", step, fields?.length === 0)) forgetDrafts([step.id]);
  await refresh("formFields");
}

// The way from a step to its fields: "4 fields".

/** `picked`: its fields are shown below. */
interface FieldsButtonProps {
  readonly parts: StepParts;
  readonly picked: boolean;
  readonly onPick: (stepId: string) => void;
}

/** Renders the button. */
function FieldsButton({ parts: { step, fields }, picked, onPick }: FieldsButtonProps) {
  const words = fieldWords(fields?.length);
  return (
    <button
      type="button"
      className="ui-button fields-button"
      data-size="small"
      aria-pressed={picked}
      aria-label={`${words} in ${step.title}`}
      onClick={() => onPick(step.id)}
    >
      {words}
    </button>
  );
}

function fieldWords(count: number | undefined): string {
  if (count === undefined) return "Fields";
  return count === 1 ? "1 field" : `${count} fields`;
}

// Whether visitors see a step; pressing it changes that.

/** Renders the badge. */
function StepBadge({ step }: { step: Item<"formSteps"> }) {
  const update = useUpdate("formSteps");
  const toggle = () =>
    update.mutate({ id: step.id, ...stepBody({ ...step, isActive: !step.isActive }) });
  return (
    <ActiveBadge
      name={step.title}
      active={step.isActive}
      pending={update.isPending}
      onToggle={toggle}
    />
  );
}

/** `chosen` is the step whose fields are shown. */
interface StepsCardProps {
  readonly formId: string;
  readonly steps: readonly StepParts[];
  readonly chosen: string | undefined;
  readonly onPick: (stepId: string) => void;
}

/** Renders the card. */
export function StepsCard({ formId, steps, chosen, onPick }: StepsCardProps) {
  const [editing, edit] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<StepParts | null>(null);
  const partsOf = (id: string) => steps.find(({ step }) => step.id === id)!;
  const close = () => edit(null);
  const endOfRow = ({ id }: { id: string }) => (
    <FieldsButton parts={partsOf(id)} picked={id === chosen} onPick={onPick} />
  );
  return (
    <Card
      title="Form Steps"
      note={steps.length}
      flush
      className="steps-card"
      actions={<AddStep formId={formId} count={steps.length} onAdded={onPick} />}
    >
      {steps.length === 0 && <NoSteps />}
      <OrderedList
        entity="formSteps"
        parent={formId}
        items={steps.map(({ step }) => step)}
        nameOf={(step) => step.title}
        onEdit={({ id }) => {
          edit(id);
          // What is typed shows in the preview at once.
          onPick(id);
        }}
        onDelete={(step) => setDoomed(partsOf(step.id))}
        editing={
          editing === null
            ? null
            : { id: editing, form: <StepForm formId={formId} stepId={editing} onClose={close} /> }
        }
        actions={endOfRow}
      >
        {(step) =>
          step.id === editing ? (
            <StepTitle formId={formId} stepId={step.id} onClose={close} />
          ) : (
            <StepWords step={step} />
          )
        }
      </OrderedList>
      <DeleteStep parts={doomed} onClose={() => setDoomed(null)} />
    </Card>
  );
}

function NoSteps() {
  return (
    <EmptyState icon={Layers} title="No steps yet">
      A step is one page of questions. Add Step makes the first.
    </EmptyState>
  );
}

function StepWords({ step }: { step: Item<"formSteps"> }) {
  return (
    <>
      <strong className="row-title">{step.title}</strong>
      <StepBadge step={step} />
    </>
  );
}

interface AddStepProps {
  readonly formId: string;
  readonly count: number;
  readonly onAdded: (stepId: string) => void;
}

function AddStep({ formId, count, onAdded }: AddStepProps) {
  const create = useCreate("formSteps");
  const add = () =>
    create.mutate(newStep(formId, count), { onSuccess: (step) => onAdded(step.id) });
  return (
    <Button pending={create.isPending} onClick={add}>
      <Plus size={16} aria-hidden="true" /> Add Step
    </Button>
  );
}
