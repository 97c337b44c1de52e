/** The words around a form's questions, and whether visitors see it. */
import { useDraft } from "../../../drafts/useDraft.ts";
import { EntityForm } from "../../../editor/EntityForm.tsx";
import { Card } from "../../../parts/Card.tsx";
import { SaveButton } from "../../../parts/SaveButton.tsx";
import { DEFAULT_THANK_YOU } from "../../../../../schema/questions.ts";
import { formBody } from "../bodies.ts";

/** Renders the card; what is typed is shown in the save bar. */
export function FormSettings({ formId }: { formId: string }) {
  const draft = useDraft("forms", {
    item: formId,
    inBar: true,
    name: "Form Settings",
    toBody: formBody,
  });
  return (
    <Card
      title="Form Settings"
      actions={<SaveButton drafts={[draft]}>Save Form Settings</SaveButton>}
    >
      <EntityForm
        draft={draft}
        only={["title", "subtitle", "description", "thankYouMessage", "isActive"]}
        fields={{
          thankYouMessage: {
            hint: "Visitors read it after sending the form.",
            placeholder: DEFAULT_THANK_YOU,
          },
        }}
      />
    </Card>
  );
}
