/** Edits one field, under its row. */
import { useEffect, useRef } from "react";
import { hasOptions } from "../../../../../schema/questions.ts";
import { useDraft } from "../../../drafts/useDraft.ts";
import { EntityForm } from "../../../editor/EntityForm.tsx";
import { ItemActions } from "../../../editor/ItemActions.tsx";
import { fieldBody } from "../bodies.ts";

const ALWAYS = ["fieldType", "label", "adminLabel", "placeholder", "isRequired"];

/** Which field; `onClose` when it is saved or given up. */
export interface FieldFormProps {
  readonly stepId: string;
  readonly fieldId: string;
  readonly onClose: () => void;
}

/** Renders the form; options only for the kinds that have some (spec section 3, "FormField"). */
export function FieldForm({ stepId, fieldId, onClose }: FieldFormProps) {
  const draft = useDraft("formFields", {
    item: fieldId,
    parent: stepId,
    toBody: fieldBody,
    onSaved: onClose,
  });
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("select")?.focus(), []);
  const chooses = hasOptions(draft.values.fieldType);
  return (
    <div ref={form}>
      <EntityForm
        draft={draft}
        only={chooses ? [...ALWAYS, "options"] : ALWAYS}
        fields={{
          adminLabel: { hint: "A short name for you alone. Visitors read the label." },
          options: { hint: "One per line.", rows: 4 },
        }}
      />
      <ItemActions draft={draft} onClose={onClose} disabled={draft.dirty.length === 0} />
    </div>
  );
}
