/** The newsletters' settings: postal address, confirmation, welcome email, archive, bounces. */
import type { LettersState } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField, createReadOnlyState, TextField } from "../../../ui/Field.tsx";
import { Form, joinFormValues, useForm, useFormValues } from "../../../ui/Form.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { saveLetterSettings } from "./letterCalls.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Card } from "../../parts/Card.tsx";
import { ToggleField } from "../../parts/Toggle.tsx";
import { PostalAddressField } from "./letterStatus.tsx";

const SETTINGS_FORM = { key: "letterSettings", part: "form", label: "Newsletters" } as const;

const EMPTY_SECRET = { reportSecret: "" };

export function LetterSettings({ state }: { state: LettersState }) {
  const unsent = useUnsentForm(SETTINGS_FORM, state.settings);
  const secretForm = useFormValues(EMPTY_SECRET);
  const form = useForm(joinFormValues(unsent, secretForm), {
    save: async ({ reportSecret }) => {
      await saveLetterSettings({ ...unsent.changes, ...(reportSecret !== "" && { reportSecret }) });
      unsent.discard();
      secretForm.setValues(EMPTY_SECRET);
    },
    success: "Settings saved",
    failure: "Couldn't save the settings",
  });
  const { welcome, reportSecret } = form.values;
  return (
    <Card
      title="Settings"
      actions={
        <Button
          isPending={form.isPending}
          disabled={reportSecret === "" && !unsent.isUnsaved}
          onClick={() => form.submit()}
        >
          Save
        </Button>
      }
    >
      <Form form={form} className="fields measure">
        <PostalAddressField />
        <ToggleField
          name="doubleOptIn"
          label="Ask new subscribers to confirm"
          hint={
            state.hasMail && state.hasAddress
              ? "New subscribers get an email with a button, so nobody can be signed up by someone else."
              : "Requires email setup and the site's public URL (SITE_URL). Until then, new subscribers are active right away."
          }
        />
        <ToggleField name="welcome" label="Send a welcome email" />
        {welcome && (
          <LongTextField
            name="welcomeText"
            label="Welcome email"
            hint="Leave empty to send a one-sentence welcome."
            maxCharacters={2000}
            isCounted
            rows={4}
          />
        )}
        <ToggleField
          name="archive"
          label="Show newsletters on the site"
          hint="Sent newsletters can appear in a public archive. You choose which ones."
        />
        <BounceReportSettings state={state} />
      </Form>
    </Card>
  );
}

function BounceReportSettings({ state: { reports, hasReportSecret } }: { state: LettersState }) {
  return (
    <>
      {reports !== null && (
        <TextField
          state={createReadOnlyState(reports)}
          label="Bounce webhook URL"
          hint="Add this URL as a webhook for bounces and complaints at your email provider. Addresses that bounce are then skipped."
          readOnly
        />
      )}
      {hasReportSecret !== null && (
        <PasswordField
          name="reportSecret"
          label="Signing secret of the webhook"
          hint={
            hasReportSecret
              ? "Saved, but not shown here. Leave empty to keep the current one."
              : "Your provider shows this secret next to the webhook. Without it, reports are ignored."
          }
          autoComplete="off"
        />
      )}
    </>
  );
}
