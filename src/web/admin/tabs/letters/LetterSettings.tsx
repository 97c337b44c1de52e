/** Settings for all letters and for joining: postal address, confirmation, welcome, pages on the site. */
import type { LettersState } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField, readOnly, TextField } from "../../../ui/Field.tsx";
import { Form, joinValues, useForm, useValues } from "../../../ui/Form.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { saveLetterSettings } from "./letters.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Card } from "../../parts/Card.tsx";
import { ToggleField } from "../../parts/Toggle.tsx";
import { PostalAddress } from "./PostalAddress.tsx";

const FORM = { key: "letterSettings", part: "form", name: "Newsletters" } as const;

const NO_SECRET = { reportSecret: "" };

export function LetterSettings({ state }: { state: LettersState }) {
  const typed = useUnsentForm(FORM, state.settings);
  const secret = useValues(NO_SECRET);
  const form = useForm(joinValues(typed, secret), {
    save: async ({ reportSecret }) => {
      await saveLetterSettings({ ...typed.changes, ...(reportSecret !== "" && { reportSecret }) });
      typed.forget();
      secret.set(NO_SECRET);
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
          pending={form.pending}
          disabled={reportSecret === "" && !typed.isTyped}
          onClick={() => form.send()}
        >
          Save
        </Button>
      }
    >
      <Form of={form} className="fields measure">
        <PostalAddress />
        <ToggleField
          name="doubleOptIn"
          label="Ask new subscribers to confirm"
          hint={
            state.hasMail && state.hasAddress
              ? "They get an email with a button, so nobody can be signed up by someone else."
              : "Requires email setup and the site's public URL (SITE_URL). Until then, new subscribers are active right away."
          }
        />
        <ToggleField name="welcome" label="Send a welcome email" />
        {welcome && (
          <LongTextField
            name="welcomeText"
            label="Welcome email"
            hint="Leave empty to send a one-sentence welcome."
            most={2000}
            isCounted
            rows={4}
          />
        )}
        <ToggleField
          name="archive"
          label="Show newsletters on the site"
          hint="Sent newsletters can appear in a public archive. You choose which ones."
        />
        <Reports state={state} />
      </Form>
    </Card>
  );
}

/** The setup of the provider's reports of bounces and complaints. */
function Reports({ state: { reports, hasReportSecret } }: { state: LettersState }) {
  return (
    <>
      {reports !== null && (
        <TextField
          state={readOnly(reports)}
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
              : "Your provider shows it next to the webhook. Without it, reports are ignored."
          }
          autoComplete="off"
        />
      )}
    </>
  );
}
