/** The steps of a form: add, edit in place, make inactive, arrange, delete, pick for the fields below. */
import Layers from "lucide-react/icons/layers";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { OrderedList } from "../../../editor/OrderedList.tsx";
import { Card } from "../../../parts/Card.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { useCreate } from "../../../queries/mutations.ts";
import { newStep } from "../bodies.ts";
import { DeleteStep } from "./DeleteStep.tsx";
import { FieldsButton } from "./FieldsButton.tsx";
import { StepBadge } from "./StepBadge.tsx";
import { StepForm } from "./StepForm.tsx";
import { StepTitle } from "./StepTitle.tsx";
import type { StepParts } from "./useFormParts.ts";

/** `chosen` is the step whose fields are shown. */
export interface StepsCardProps {
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
