/** The Builder subtab: the settings, steps and fields of one form, beside the form itself (spec section 2). */
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import ExternalLink from "lucide-react/icons/external-link";
import { useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { WhenRead } from "../../../parts/WhenRead.tsx";
import { useEntity } from "../../../queries/useEntity.ts";
import { ChooseForm } from "../ChooseForm.tsx";
import { NoForms } from "../NoForms.tsx";
import { useChosenForm } from "../useChosenForm.ts";
import { FieldsCard } from "./FieldsCard.tsx";
import { FormPreview } from "./FormPreview.tsx";
import { FormSettings } from "./FormSettings.tsx";
import { StepsCard } from "./StepsCard.tsx";
import { useFormParts } from "./useFormParts.ts";

/** Shows the builder of the chosen form; of the only one when there is no choice. */
export function Builder() {
  const read = useEntity("forms");
  const { chosen, choose } = useChosenForm();
  const forms = read.value ?? [];
  const form = forms.find(({ id }) => id === chosen) ?? (forms.length === 1 ? forms[0] : undefined);
  return (
    <WhenRead of={read} what="forms">
      {() => {
        if (form)
          return (
            <OneForm
              key={form.id}
              form={form}
              isShown={form === forms.find((each) => each.isActive)}
              onChange={forms.length > 1 ? () => choose(undefined) : undefined}
            />
          );
        if (forms.length === 0) return <NoForms />;
        return <ChooseForm forms={forms} purpose="edit" onChoose={choose} />;
      }}
    </WhenRead>
  );
}

interface OneFormProps {
  readonly form: Item<"forms">;
  /** Visitors get this one. */
  readonly isShown: boolean;
  readonly onChange: (() => void) | undefined;
}

function OneForm({ form, isShown, onChange }: OneFormProps) {
  const parts = useFormParts(form.id);
  const [picked, pick] = useState<string>();
  const steps = parts.value ?? [];
  const chosen = steps.find(({ step }) => step.id === picked) ?? steps[0];
  return (
    <>
      <div className="list-head">
        <p className="quiet">
          Editing <strong>{form.title}</strong>
        </p>
        <div className="list-actions">
          {onChange && (
            <Button onClick={onChange}>
              <ArrowLeftRight size={16} aria-hidden="true" /> Change Form
            </Button>
          )}
          {isShown && (
            <a
              className="ui-button"
              data-variant="quiet"
              href="/coaching#enquiry"
              target="_blank"
              rel="noopener"
            >
              <ExternalLink size={16} aria-hidden="true" /> View form
            </a>
          )}
        </div>
      </div>
      <div className="columns builder">
        <div className="stack">
          <FormSettings formId={form.id} />
          <WhenRead of={parts} what="form steps">
            {() => (
              <>
                <StepsCard formId={form.id} steps={steps} chosen={chosen?.step.id} onPick={pick} />
                {chosen && <FieldsCard key={chosen.step.id} parts={chosen} steps={steps} />}
              </>
            )}
          </WhenRead>
        </div>
        <FormPreview form={form} steps={steps} chosen={chosen?.step.id} />
      </div>
    </>
  );
}
