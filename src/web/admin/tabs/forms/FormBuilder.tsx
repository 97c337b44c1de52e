/** The Builder subtab: a form's settings, steps and fields, beside its preview. */
import ExternalLink from "lucide-react/icons/external-link";
import { useState } from "react";
import { createEnquiryTree } from "../../../../schema/enquiry/enquiry.ts";
import type { Item } from "../../../../schema/index.ts";
import { COACHING_PATH } from "../../../../schema/sections/pageOrder.ts";
import { DEFAULT_THANK_YOU_MESSAGE } from "../../../../schema/enquiry/questions.ts";
import { type DraftState, useDrafts } from "../../data/drafts.ts";
import { usePermission } from "../../data/session.ts";
import { useDraft } from "../../data/useDraft.ts";
import { EntityForm } from "../../editor/Field.tsx";
import { Preview } from "../../editor/Preview.tsx";
import { SaveButton } from "../../editor/tabButtons.tsx";
import { Card } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { AddQuestion } from "./AddQuestion.tsx";
import css from "./FormBuilder.css" with { type: "text" };
import { ChangeFormButton, FormChoice, useFormChoice } from "./FormChoice.tsx";
import { FieldsCard } from "./FieldsCard.tsx";
import { NoQuestionsWarning } from "./formButtons.tsx";
import { type StepWithFields, useFormSteps } from "./formSteps.ts";
import { StepsCard } from "./StepsCard.tsx";

export function FormBuilder() {
  useStylesheet(css);
  const { formsQuery, forms, form, isChoosing, open, startChoosing } = useFormChoice();
  return (
    <AsyncContent state={formsQuery} subject="forms">
      {() =>
        form && !isChoosing ? (
          <SingleFormBuilder
            key={form.id}
            form={form}
            isShown={form === forms.find((each) => each.isActive)}
            onChangeForm={startChoosing}
          />
        ) : (
          <FormChoice forms={forms} purpose="edit" onChoose={open} />
        )
      }
    </AsyncContent>
  );
}

interface SingleFormBuilderProps {
  readonly form: Item<"forms">;
  /** Whether the coaching page shows this form. */
  readonly isShown: boolean;
  readonly onChangeForm: () => void;
}

function SingleFormBuilder({ form, isShown, onChangeForm }: SingleFormBuilderProps) {
  const stepsState = useFormSteps(form.id);
  const [selectedStepId, setSelectedStepId] = useState<string>();
  const steps = stepsState.value ?? [];
  const selectedStep = steps.find(({ step }) => step.id === selectedStepId) ?? steps[0];
  const formUrl = isShown
    ? `${COACHING_PATH}#enquiry`
    : form.isActive && form.path && `/${form.path}`;
  return (
    <>
      <div className="justify-between row cluster mb-16">
        <p className="quiet">
          Editing <strong className="quiet">{form.title}</strong>
        </p>
        <div className="row cluster">
          <ChangeFormButton onClick={onChangeForm} />
          {formUrl && (
            <a
              className="ui-button"
              data-variant="quiet"
              href={formUrl}
              target="_blank"
              rel="noopener"
            >
              <ExternalLink size={16} aria-hidden="true" /> View form
            </a>
          )}
        </div>
      </div>
      {isShown && <NoQuestionsWarning form={form} />}
      <div className="columns stack gap-16 builder">
        <div className="stack gap-16">
          <FormSettings formId={form.id} />
          <AsyncContent state={stepsState} subject="form steps">
            {() => (
              <>
                <StepsCard
                  formId={form.id}
                  steps={steps}
                  selectedId={selectedStep?.step.id}
                  onSelect={setSelectedStepId}
                />
                {selectedStep && (
                  <FieldsCard key={selectedStep.step.id} shownStep={selectedStep} steps={steps} />
                )}
                <AddQuestion formId={form.id} steps={steps} selectedStep={selectedStep} />
                <ThankYouMailSettings formId={form.id} />
              </>
            )}
          </AsyncContent>
        </div>
        <FormPreview form={form} steps={steps} selectedStepId={selectedStep?.step.id} />
      </div>
    </>
  );
}

const SETTING_FIELDS = [
  "title",
  "subtitle",
  "description",
  "thankYouMessage",
  "path",
  "isActive",
] as const;

function FormSettings({ formId }: { formId: string }) {
  const isOwner = usePermission()("site");
  const draft = useDraft("forms", {
    item: formId,
    isInSaveBar: true,
    label: "Form Settings",
  });
  return (
    <Card
      title="Form Settings"
      actions={<SaveButton drafts={[draft]}>Save Form Settings</SaveButton>}
    >
      <EntityForm
        draft={draft}
        fieldNames={isOwner ? [...SETTING_FIELDS, "deleteAfter"] : SETTING_FIELDS}
        fields={{
          deleteAfter: {
            hint: "Counted from the day a submission was closed, or from its last note, reply or call. Deleted submissions stay in the trash for 30 days. Submissions with a reminder are kept.",
          },
          thankYouMessage: {
            hint: "Shown to visitors after they submit the form.",
            placeholder: DEFAULT_THANK_YOU_MESSAGE,
          },
        }}
      />
    </Card>
  );
}

function ThankYouMailSettings({ formId }: { formId: string }) {
  const isOwner = usePermission()("site");
  const draft = useDraft("forms", {
    item: formId,
    isInSaveBar: true,
    part: "thanks",
    label: "Thank-you email",
  });
  if (!isOwner) return null;
  return (
    <Card
      title="Thank-you email"
      actions={<SaveButton drafts={[draft]}>Save thank-you email</SaveButton>}
    >
      <EntityForm
        draft={draft}
        fieldNames={draft.values.thanksMail ? ["thanksMail", "thanksWords"] : ["thanksMail"]}
        fields={{
          thanksMail: {
            hint: "Sent to the visitor if the form asks for an email address. The email greets the visitor by first name. Requires email setup (Account menu > Email settings).",
          },
          thanksWords: {
            hint: "Leave empty for a short thank-you in the site's language.",
          },
        }}
      />
    </Card>
  );
}

interface FormPreviewProps {
  readonly form: Item<"forms">;
  readonly steps: readonly StepWithFields[];
  readonly selectedStepId: string | undefined;
}

/** Shows the form with unsaved changes. A note says if visitors don't see the selected step. */
function FormPreview({ form, steps, selectedStepId }: FormPreviewProps) {
  const drafts = useDrafts();
  const questions = applyQuestionDrafts(steps, drafts);
  const content = { forms: [applyDraft(form, drafts)], ...questions };
  const stepIndex = createEnquiryTree(applyDraft(form, drafts), questions).steps.findIndex(
    ({ id }) => id === selectedStepId,
  );
  const selectedStep = questions.formSteps.find(({ id }) => id === selectedStepId);
  return (
    <Preview
      section="enquiry"
      content={content}
      step={Math.max(stepIndex, 0)}
      editedLabel={drafts.some((draft) => isDraftOfForm(draft, form, steps))}
      checks={
        selectedStep && stepIndex < 0
          ? [
              {
                isPassed: false,
                result: `${selectedStep.title} is inactive.`,
                detail: "Visitors don't see it.",
              },
            ]
          : []
      }
    />
  );
}

function applyQuestionDrafts(steps: readonly StepWithFields[], drafts: readonly DraftState[]) {
  return {
    formSteps: steps.map(({ step }) => applyDraft(step, drafts)),
    formFields: steps.flatMap(({ fields }) =>
      (fields ?? []).map((field) => applyDraft(field, drafts)),
    ),
  };
}

function applyDraft<T extends { readonly id: string }>(item: T, drafts: readonly DraftState[]): T {
  const changes = drafts.filter((draft) => draft.item === item.id).map((draft) => draft.changes);
  return Object.assign({}, item, ...changes);
}

function isDraftOfForm(
  { item, changes }: DraftState,
  form: Item<"forms">,
  steps: readonly StepWithFields[],
): boolean {
  if (item === undefined || Object.keys(changes).length === 0) return false;
  const hasDraftItem = ({ step, fields }: StepWithFields) =>
    step.id === item || Boolean(fields?.some(({ id }) => id === item));
  return item === form.id || steps.some(hasDraftItem);
}
