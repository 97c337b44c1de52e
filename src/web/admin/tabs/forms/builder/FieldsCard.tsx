/** The fields of the picked step: add, edit, arrange, delete. */
import ListPlus from "lucide-react/icons/list-plus";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { OrderedList } from "../../../editor/OrderedList.tsx";
import { Card } from "../../../parts/Card.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { Loading } from "../../../parts/Loading.tsx";
import { useCreate } from "../../../queries/mutations.ts";
import { newField } from "../bodies.ts";
import { FieldForm } from "./FieldForm.tsx";
import { FieldRow } from "./FieldRow.tsx";
import type { StepParts } from "./useFormParts.ts";

/** `steps` are all of the form's, for the step's number. */
export interface FieldsCardProps {
  readonly parts: StepParts;
  readonly steps: readonly StepParts[];
}

/** Renders the card. */
export function FieldsCard({ parts: { step, fields }, steps }: FieldsCardProps) {
  const [editing, edit] = useState<string | null>(null);
  const place = steps.findIndex((each) => each.step.id === step.id) + 1;
  const editField = ({ id }: Item<"formFields">) => edit(id);
  return (
    <Card
      title="Fields"
      note={`in step ${place}, ${step.title}`}
      flush
      className="fields-card"
      actions={fields && <AddField stepId={step.id} count={fields.length} onAdded={editField} />}
    >
      {!fields && <Loading words="Loading fields..." />}
      {fields?.length === 0 && (
        <EmptyState icon={ListPlus} title="No fields yet">
          A field is one question. Add Field makes the first.
        </EmptyState>
      )}
      <OrderedList
        entity="formFields"
        parent={step.id}
        items={fields ?? []}
        nameOf={(field) => field.label}
        onEdit={editField}
        editing={
          editing === null
            ? null
            : {
                id: editing,
                form: (
                  <FieldForm
                    key={editing}
                    stepId={step.id}
                    fieldId={editing}
                    onClose={() => edit(null)}
                  />
                ),
              }
        }
      >
        {(field) => <FieldRow field={field} />}
      </OrderedList>
    </Card>
  );
}

interface AddFieldProps {
  readonly stepId: string;
  readonly count: number;
  readonly onAdded: (field: Item<"formFields">) => void;
}

function AddField({ stepId, count, onAdded }: AddFieldProps) {
  const create = useCreate("formFields");
  return (
    <Button
      pending={create.isPending}
      onClick={() => create.mutate(newField(stepId, count), { onSuccess: onAdded })}
    >
      <Plus size={16} aria-hidden="true" /> Add Field
    </Button>
  );
}
