/** Templates and the signature of replies to enquiries. */
import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash";
import {
  MAX_SIGNATURE_LENGTH,
  MAX_TEMPLATE_LENGTHS,
  type ReplyTemplate,
} from "../../../../schema/people/mail.ts";
import type { MailState } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { LengthNote } from "../../../ui/Field.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Card } from "../../parts/Card.tsx";
import { saveMail } from "./mail.ts";

/** The server has the same limit. */
const MAX_TEMPLATES = 12;

export function ReplySettings({ state }: { state: MailState }) {
  const { signature, usualSignature, replyTemplates } = state;
  const form = useForm(useFormValues({ signature, replyTemplates }), {
    save: saveMail,
    success: "Reply settings saved",
    failure: "Couldn't save the reply settings",
  });
  return (
    <Card title="Replies" note="to submissions">
      <Form form={form} className="stack gap-16">
        <LongTextField
          name="signature"
          label="Signature"
          hint="Added to the end of every reply. You can edit it in each reply."
          maxCharacters={MAX_SIGNATURE_LENGTH}
          rows={3}
          placeholder={usualSignature}
        />
        <TemplateList
          templates={form.values.replyTemplates}
          isDisabled={form.isPending}
          onChange={(replyTemplates) => form.setValues({ replyTemplates })}
        />
        <SubmitButton variant="neutral" pendingLabel="Saving...">
          Save reply settings
        </SubmitButton>
      </Form>
    </Card>
  );
}

interface TemplateListProps {
  readonly templates: readonly ReplyTemplate[];
  readonly isDisabled: boolean;
  readonly onChange: (templates: readonly ReplyTemplate[]) => void;
}

function TemplateList({ templates, isDisabled, onChange }: TemplateListProps) {
  const changeTemplate = (changedIndex: number, changes: Partial<ReplyTemplate>) =>
    onChange(
      templates.map((each, index) => (index === changedIndex ? { ...each, ...changes } : each)),
    );
  return (
    <fieldset className="mail-templates gap-16 stack" disabled={isDisabled}>
      <legend className="field-label">Templates</legend>
      {templates.map(({ label, text }, index) => (
        <div key={index} className="row cluster">
          <input
            className="grow"
            aria-label={`Name of template ${index + 1}`}
            placeholder="Name"
            dir="auto"
            value={label}
            onChange={({ target }) => changeTemplate(index, { label: target.value })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove template ${index + 1}`}
            onClick={() => onChange(templates.toSpliced(index, 1))}
          />
          <textarea
            className="full-width"
            aria-label={`Text of template ${index + 1}`}
            rows={3}
            dir="auto"
            value={text}
            onChange={({ target }) =>
              changeTemplate(index, { text: target.value, withTimes: undefined })
            }
          />
          <LengthNote text={label} maxCharacters={MAX_TEMPLATE_LENGTHS.label} />
          <LengthNote text={text} maxCharacters={MAX_TEMPLATE_LENGTHS.text} />
        </div>
      ))}
      {templates.length < MAX_TEMPLATES && (
        <Button size="small" onClick={() => onChange([...templates, { label: "", text: "" }])}>
          <Plus size={16} aria-hidden="true" /> Add template
        </Button>
      )}
    </fieldset>
  );
}
