/** The fields of the chosen step. */
import { cutText } from "../../../../schema/core/boundedUnicode.ts";
import BadgeCheck from "lucide-react/icons/badge-check";
import CalendarDays from "lucide-react/icons/calendar-days";
import Link from "lucide-react/icons/link";
import type { LucideIcon } from "lucide-react";
import CircleDot from "lucide-react/icons/circle-dot";
import Copy from "lucide-react/icons/copy";
import Earth from "lucide-react/icons/earth";
import Hash from "lucide-react/icons/hash";
import ListPlus from "lucide-react/icons/list-plus";
import Mail from "lucide-react/icons/mail";
import MapPin from "lucide-react/icons/map-pin";
import Phone from "lucide-react/icons/phone";
import SquareCheck from "lucide-react/icons/square-check";
import SquareChevronDown from "lucide-react/icons/square-chevron-down";
import Trash2 from "lucide-react/icons/trash";
import AlignLeft from "lucide-react/icons/text-align-start";
import TextCursorInput from "lucide-react/icons/text-cursor-input";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  findConditionQuestions,
  findMissingReference,
} from "../../../../schema/enquiry/conditions.ts";
import { createChangeBody } from "../../../../schema/entities/check.ts";
import { entities, type Item } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import {
  FIELD_TYPES,
  type FieldType,
  hasOptions,
  type LineType,
} from "../../../../schema/enquiry/questions.ts";
import { deleteWithUndo, moveItem } from "../../data/listWrites.ts";
import { useDraft } from "../../data/useDraft.ts";
import {
  createItem,
  refetchEntity,
  reorderItems,
  updateItem,
  runWithToast,
} from "../../data/entityWrites.ts";
import { EntityForm } from "../../editor/Field.tsx";
import { InlineForm, MoveButtons, OrderedList } from "../../editor/OrderedList.tsx";
import { useIsWide } from "../../parts/widths.ts";
import { ItemActions } from "../../editor/ItemForm.tsx";
import { Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { assertDefined } from "../../../../schema/core/assertDefined.ts";
import { Loading } from "../../../ui/AsyncContent.tsx";
import { AddButton } from "./formButtons.tsx";
import {
  addFieldBeforeConsent,
  createEmptyFieldBody,
  moveFieldBeforeConsent,
  getNextFieldPosition,
  type StepWithFields,
} from "./formSteps.ts";
import { ConditionSummary, describeLostConditions, ConditionEditor } from "./ConditionEditor.tsx";

interface FieldsCardProps {
  readonly shownStep: StepWithFields;
  readonly steps: readonly StepWithFields[];
}

export function FieldsCard({ shownStep, steps }: FieldsCardProps) {
  const { step, fields } = shownStep;
  const [editedId, setEditedId] = useState<string | null>(null);
  const position = steps.findIndex((each) => each.step.id === step.id) + 1;
  return (
    <Card
      title="Fields"
      note={`Step ${position}: ${step.title}`}
      isFlush
      className="fields-card"
      actions={
        fields && (
          <AddButton
            entity="formFields"
            add={() => addFieldBeforeConsent(createEmptyFieldBody(step.id, fields), fields)}
            onAdded={({ id }) => setEditedId(id)}
          >
            Add Field
          </AddButton>
        )
      }
    >
      {!fields && <Loading message="Loading fields..." />}
      {fields?.length === 0 && (
        <EmptyState icon={ListPlus} title="No fields yet">
          A field is one question. Use Add Field to create the first one.
        </EmptyState>
      )}
      <FieldList shownStep={shownStep} steps={steps} editedId={editedId} onEdit={setEditedId} />
    </Card>
  );
}

interface FieldListProps extends FieldsCardProps {
  readonly editedId: string | null;
  readonly onEdit: (id: string | null) => void;
}

function FieldList({ shownStep: { step, fields = [] }, steps, editedId, onEdit }: FieldListProps) {
  const isWide = useIsWide();
  const stepIndex = steps.findIndex((each) => each.step.id === step.id);
  const questions = findConditionQuestions(steps, stepIndex);
  const close = () => onEdit(null);
  const list = {
    entity: "formFields",
    parent: step.id,
    items: fields,
    getName: (field: Item<"formFields">) => field.label,
  } as const;
  const renderDuplicate = (field: Item<"formFields">) => (
    <IconButton
      icon={Copy}
      label={`Duplicate ${field.label}`}
      onClick={() => void duplicateField(field, fields, questions)}
    />
  );
  const formProps = { stepId: step.id, steps, stepIndex, onClose: close };
  const form = editedId !== null && <FieldForm key={editedId} fieldId={editedId} {...formProps} />;
  const editedIndex = isWide ? -1 : fields.findIndex(({ id }) => id === editedId);
  const editedField = fields[editedIndex];
  return (
    <>
      <OrderedList
        {...list}
        onEdit={({ id }) => onEdit(id)}
        onDelete={(field) => void deleteField(field, steps)}
        actions={renderDuplicate}
        editedRow={isWide && form ? { id: assertDefined(editedId, "field"), form } : null}
      >
        {(field) => <FieldRow field={field} questions={questions} />}
      </OrderedList>
      <Dialog
        isOpen={editedField !== undefined}
        onClose={close}
        title={editedField?.label ?? ""}
        className="sheet"
      >
        {editedField && (
          <>
            <SheetActions
              label={editedField.label}
              index={editedIndex}
              count={fields.length}
              onMove={(step) => void moveItem(list, editedField.id, step)}
              onDelete={() => {
                close();
                void deleteField(editedField, steps);
              }}
            >
              {renderDuplicate(editedField)}
            </SheetActions>
            <InlineForm>{form}</InlineForm>
          </>
        )}
      </Dialog>
    </>
  );
}

interface SheetActionsProps {
  readonly label: string;
  readonly index: number;
  readonly count: number;
  readonly onMove: (step: 1 | -1) => void;
  readonly onDelete: () => void;
  readonly children: ReactNode;
}

/** The buttons in a field's bottom sheet, since rows on phones have no space for them. */
function SheetActions({ label, index, count, onMove, onDelete, children }: SheetActionsProps) {
  return (
    <div className="row">
      <MoveButtons name={label} index={index} count={count} onMove={onMove} />
      {children}
      <IconButton icon={Trash2} label={`Delete ${label}`} onClick={onDelete} />
    </div>
  );
}

/** Deletes a field. The toast also says how many questions lose their condition. */
async function deleteField(
  field: Item<"formFields">,
  steps: readonly StepWithFields[],
): Promise<void> {
  const remainingSteps = steps.map(({ step, fields }) => ({
    step,
    fields: fields?.filter(({ id }) => id !== field.id),
  }));
  const messages = getWriteMessages(entities.formFields, "delete");
  const success = describeLostConditions(steps, remainingSteps) ?? messages.success;
  await deleteWithUndo("formFields", field, [], { ...messages, success });
}

/** Adds a copy below a field. `questions` are the questions that the field's condition may refer to. */
async function duplicateField(
  field: Item<"formFields">,
  fields: readonly Item<"formFields">[],
  questions: readonly Item<"formFields">[],
): Promise<void> {
  const label = `${cutText(field.label, 190)} (copy)`;
  const messages = { success: `${label} added`, failure: "Couldn't duplicate the field" };
  await runWithToast(messages, async () => {
    const { stepId } = field;
    const body = createChangeBody(entities.formFields, field);
    if (field.showIf && findMissingReference(field.showIf, questions)) body["showIf"] = null;
    const fieldOrder = getNextFieldPosition(fields);
    const { id } = await createItem("formFields", { ...body, stepId, fieldOrder, label });
    const ids = fields.flatMap((each) => (each.id === field.id ? [each.id, id] : [each.id]));
    await reorderItems("formFields", ids);
  });
}

/** `questions` are the questions that conditions may refer to. */
interface FieldRowProps {
  readonly field: Item<"formFields">;
  readonly questions: readonly Item<"formFields">[];
}

function FieldRow({ field, questions }: FieldRowProps) {
  const { fieldType, label, adminLabel, isRequired, isActive, showIf } = field;
  const Icon = ICON_BY_FIELD_TYPE[fieldType] ?? TextCursorInput;
  const typeLabel = FIELD_TYPES.find(({ value }) => value === fieldType)?.label ?? fieldType;
  const facts = [
    typeLabel,
    ...(isRequired ? ["Required"] : []),
    ...(isActive ? [] : ["Inactive"]),
    ...(adminLabel && adminLabel !== label ? [adminLabel] : []),
  ];
  return (
    <span className="row">
      <span className="field-kind well center quiet">
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className="title-note">
        <strong className="medium">{label}</strong>
        <span className="quiet">{facts.join(" · ")}</span>
        {showIf && (
          <span className="quiet">
            <ConditionSummary condition={showIf} questions={questions} />
          </span>
        )}
      </span>
    </span>
  );
}

type Icons<T extends FieldType> = Readonly<Record<T, LucideIcon>>;

/** The icons of field types. Single-line types that aren't listed have a default icon. */
const ICON_BY_FIELD_TYPE: Icons<Exclude<FieldType, LineType>> & Partial<Icons<LineType>> = {
  email: Mail,
  phone: Phone,
  international_phone: Earth,
  country: MapPin,
  textarea: AlignLeft,
  select: SquareChevronDown,
  radio: CircleDot,
  checkbox: SquareCheck,
  number: Hash,
  date: CalendarDays,
  link: Link,
  consent: BadgeCheck,
};

interface FieldFormProps {
  readonly stepId: string;
  readonly fieldId: string;
  readonly steps: readonly StepWithFields[];
  readonly stepIndex: number;
  readonly onClose: () => void;
}

function FieldForm({ stepId, fieldId, steps, stepIndex, onClose }: FieldFormProps) {
  const draft = useDraft("formFields", {
    item: fieldId,
    parent: stepId,
    onSaved: () => {
      onClose();
      // If an option was renamed, the server has also renamed it in the conditions of steps.
      void refetchEntity("formSteps");
    },
  });
  const formRef = useRef<HTMLDivElement>(null);
  useEffect(() => formRef.current?.querySelector<HTMLElement>("select")?.focus(), []);
  const isChoiceField = hasOptions(draft.values.fieldType);
  return (
    <div ref={formRef}>
      <EntityForm
        draft={draft}
        fieldNames={isChoiceField ? [...COMMON_FIELDS, "options"] : COMMON_FIELDS}
        fields={{
          adminLabel: { hint: "A short name that only you see. Visitors see the label." },
          options: { hint: "Enter one option per line.", rows: 4 },
        }}
      />
      <ConditionEditor draft={draft} steps={steps} stepIndex={stepIndex} />
      {steps.length > 1 && (
        <MoveToStep field={draft.values} steps={steps} stepIndex={stepIndex} onMoved={onClose} />
      )}
      <ItemActions draft={draft} onClose={onClose} disabled={draft.dirtyFields.length === 0} />
    </div>
  );
}

interface MoveToStepProps {
  readonly field: Pick<Item<"formFields">, "id" | "label" | "fieldType">;
  readonly steps: readonly StepWithFields[];
  readonly stepIndex: number;
  readonly onMoved: () => void;
}

/** Moves a question to the end of another step, but before that step's consent questions. */
function MoveToStep({ field, steps, stepIndex, onMoved }: MoveToStepProps) {
  const move = async (stepId: string) => {
    const { step, fields = [] } = assertDefined(
      steps.find((each) => each.step.id === stepId),
      "step",
    );
    const messages = {
      success: `${field.label} moved to ${step.title}`,
      failure: "Couldn't move the field",
    };
    const isMoved = await runWithToast(messages, async () => {
      const body = { stepId, fieldOrder: getNextFieldPosition(fields) };
      await updateItem("formFields", field.id, body);
      await moveFieldBeforeConsent(field, fields);
      return true;
    });
    if (isMoved) onMoved();
  };
  return (
    <SelectField
      state={{ value: steps[stepIndex]?.step.id, setValue: (id) => void move(id) }}
      label="Step"
      options={steps.map(({ step }, index) => ({
        value: step.id,
        label: `${index + 1}. ${step.title}`,
      }))}
    />
  );
}

const COMMON_FIELDS = ["fieldType", "label", "adminLabel", "placeholder", "isRequired", "isActive"];
