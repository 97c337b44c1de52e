/** The steps of a form: add, edit, deactivate, sort, delete, and choose one to edit its fields. */
import Layers from "lucide-react/icons/layers";
import { useState, type KeyboardEvent } from "react";
import { findConditionQuestions } from "../../../../schema/enquiry/conditions.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { entities, type Item } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { createItem, refetchEntity } from "../../data/entityWrites.ts";
import { OrderedList } from "../../editor/OrderedList.tsx";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ActiveToggle, AddButton } from "./formButtons.tsx";
import { createStepBody, type StepWithFields } from "./formSteps.ts";
import { ConditionSummary, describeLostConditions, ConditionEditor } from "./ConditionEditor.tsx";
import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { useDraft } from "../../data/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { createAriaAttributes } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

interface StepsCardProps {
  readonly formId: string;
  readonly steps: readonly StepWithFields[];
  readonly selectedId: string | undefined;
  readonly onSelect: (stepId: string) => void;
}

export function StepsCard({ formId, steps, selectedId, onSelect }: StepsCardProps) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const [requestDeletion, deletionDialog] = useStepDeletion(steps);
  const findStep = (id: string) => steps.find(({ step }) => step.id === id);
  const items = steps.map(({ step }) => step);
  const close = () => setEditedId(null);
  const editedRow = editedId !== null && {
    id: editedId,
    form: <StepForm formId={formId} stepId={editedId} steps={steps} onClose={close} />,
  };
  const sortSteps = (ids: readonly string[]) => ids.flatMap((id) => findStep(id) ?? []);
  const renderFieldsButton = ({ id }: { id: string }) => {
    const entry = findStep(id);
    return entry && <FieldsButton {...entry} isSelected={id === selectedId} onSelect={onSelect} />;
  };
  return (
    <Card
      title="Form Steps"
      note={steps.length}
      isFlush
      className="steps-card"
      actions={
        <AddButton
          entity="formSteps"
          add={() => createItem("formSteps", createStepBody(formId, items))}
          onAdded={({ id }) => onSelect(id)}
        >
          Add Step
        </AddButton>
      }
    >
      {steps.length === 0 && <NoStepsMessage />}
      <OrderedList
        entity="formSteps"
        parent={formId}
        items={items}
        getName={(step) => step.title}
        createOrderMessage={(ids) => describeLostConditions(steps, sortSteps(ids))}
        onEdit={({ id }) => {
          setEditedId(id);
          onSelect(id);
        }}
        onDelete={requestDeletion}
        editedRow={editedRow || null}
        actions={renderFieldsButton}
      >
        {(step) =>
          step.id === editedId ? (
            <StepTitleForm formId={formId} stepId={step.id} onClose={close} />
          ) : (
            <StepText step={step} steps={steps} />
          )
        }
      </OrderedList>
      {deletionDialog}
    </Card>
  );
}

const NoStepsMessage = () => (
  <EmptyState icon={Layers} title="No steps yet">
    A step is one page of the form. Use Add Step to create the first one.
  </EmptyState>
);

interface StepTextProps {
  readonly step: Item<"formSteps">;
  readonly steps: readonly StepWithFields[];
}

function StepText({ step, steps }: StepTextProps) {
  const stepIndex = steps.findIndex((each) => each.step.id === step.id);
  return (
    <>
      <span className="title-note grow">
        <strong className="medium">{step.title}</strong>
        {step.showIf && (
          <span className="quiet">
            <ConditionSummary
              condition={step.showIf}
              questions={findConditionQuestions(steps, stepIndex)}
            />
          </span>
        )}
      </span>
      <ActiveToggle entity="formSteps" item={step} />
    </>
  );
}

interface FieldsButtonProps extends StepWithFields {
  readonly isSelected: boolean;
  readonly onSelect: (stepId: string) => void;
}

function FieldsButton({ step, fields, isSelected, onSelect }: FieldsButtonProps) {
  const label = fields ? formatCount(fields.length, "field") : "Fields";
  return (
    <button
      type="button"
      className="ui-button fields-button medium"
      data-size="small"
      aria-pressed={isSelected}
      aria-label={`${label} in ${step.title}`}
      onClick={() => onSelect(step.id)}
    >
      {label}
    </button>
  );
}

/** Returns the Delete button's handler and dialog. A step without fields is deleted without confirmation. */
function useStepDeletion(steps: readonly StepWithFields[]) {
  const [stepToDelete, setStepToDelete] = useState<StepWithFields>();
  const close = () => setStepToDelete(undefined);
  const requestDeletion = ({ id }: Item<"formSteps">) => {
    const entry = steps.find(({ step }) => step.id === id);
    if (entry?.fields?.length === 0) void deleteStep(entry, steps);
    else setStepToDelete(entry);
  };
  const confirmDeletion = () => {
    close();
    if (stepToDelete) void deleteStep(stepToDelete, steps);
  };
  const dialog = (
    <ConfirmDialog
      isOpen={stepToDelete !== undefined}
      title={`Delete ${stepToDelete?.step.title ?? "step"}?`}
      confirmLabel="Delete step"
      onCancel={close}
      onConfirm={confirmDeletion}
    >
      <p>
        {describeDeletedFields(stepToDelete?.fields?.length)} Existing submissions aren't affected.
        You can restore the step from the trash for 30 days.
      </p>
    </ConfirmDialog>
  );
  return [requestDeletion, dialog] as const;
}

function describeDeletedFields(count: number | undefined): string {
  if (count === undefined) return "Its fields will be deleted too.";
  return count === 1
    ? "Its field will be deleted too."
    : `Its ${count} fields will be deleted too.`;
}

async function deleteStep(
  { step }: StepWithFields,
  steps: readonly StepWithFields[],
): Promise<void> {
  const remainingSteps = steps.filter((each) => each.step.id !== step.id);
  const messages = getWriteMessages(entities.formSteps, "delete");
  const success = describeLostConditions(steps, remainingSteps) ?? messages.success;
  await deleteWithUndo("formSteps", step, [], { ...messages, success });
  await refetchEntity("formFields");
}

interface StepTitleFormProps {
  readonly formId: string;
  readonly stepId: string;
  readonly onClose: () => void;
}

function StepTitleForm({ formId, stepId, onClose }: StepTitleFormProps) {
  const { draft, save, cancel, onKeyDown } = useStepDraft(formId, stepId, onClose);
  const error = draft.errors["title"];
  const id = `step-title-${stepId}`;
  return (
    <div className="step-title gap-4 grow row cluster" data-invalid={error ? true : undefined}>
      <input
        ref={focusInput}
        type="text"
        aria-label="Step title"
        {...createAriaAttributes({
          id,
          hasNote: Boolean(error),
          isInvalid: Boolean(error),
          isRequired: true,
        })}
        value={draft.values.title}
        onChange={({ target }) => draft.setField("title", target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton icon={Check} label="Save step" onClick={() => void save()} />
      <IconButton icon={X} label="Cancel editing" onClick={cancel} />
      {error && (
        <p id={`${id}-note`} className="field-error full-width" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** A function declared in the component would be called after each render, and move the focus each time. */
function focusInput(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

interface StepFormProps extends StepTitleFormProps {
  readonly steps: readonly StepWithFields[];
}

/** A step's other fields, saved together with the title. */
function StepForm({ formId, stepId, steps, onClose }: StepFormProps) {
  const { draft, onKeyDown } = useStepDraft(formId, stepId, onClose);
  return (
    // Enter saves and Escape cancels, as in the title's input.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="fields" onKeyDown={onKeyDown}>
      <Field draft={draft} name="subtitle" />
      <Field draft={draft} name="description" rows={2} />
      <ConditionEditor
        draft={draft}
        steps={steps}
        stepIndex={steps.findIndex(({ step }) => step.id === stepId)}
      />
    </div>
  );
}

/** Returns a step's draft and its key handler: Enter saves, Escape cancels. */
function useStepDraft(formId: string, stepId: string, onClose: () => void) {
  const draft = useDraft("formSteps", {
    item: stepId,
    parent: formId,
    onSaved: onClose,
  });
  const save = async () => {
    // `onSaved` doesn't run for an unchanged step, since no request is sent.
    if ((await draft.save()) && draft.dirtyFields.length === 0) onClose();
  };
  const cancel = () => {
    draft.discard();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
    if (event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
      void save();
    }
  };
  return { draft, save, cancel, onKeyDown };
}
