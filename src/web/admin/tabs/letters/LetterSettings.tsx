/** Settings for all letters and for joining: postal address, confirmation, welcome, pages on the site. */
import { useId, useState } from "react";
import type { LettersState } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { saveLetterSettings } from "../../data/letters.ts";
import { useAction } from "../../../ui/useAction.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Card } from "../../parts/Card.tsx";
import { FieldFrame, PasswordInput } from "../../../ui/FieldFrame.tsx";
import { Toggle } from "../../parts/Toggle.tsx";
import { PostalAddress } from "./PostalAddress.tsx";

type Settings = LettersState["settings"];

const FORM = { key: "letterSettings", part: "form", name: "Newsletters" } as const;

export function LetterSettings({ state }: { state: LettersState }) {
  const form = useUnsentForm<Settings>(FORM, state.settings);
  const { values: typed, set } = form;
  // Secrets aren't stored on this device.
  const [secret, setSecret] = useState("");
  const isSame = secret === "" && !form.isTyped;
  const [pending, save] = useAction(
    async () => {
      await saveLetterSettings({ ...form.changes, ...(secret !== "" && { reportSecret: secret }) });
      form.forget();
      setSecret("");
    },
    { success: "Settings saved", failure: "Couldn't save the settings" },
  );
  return (
    <Card
      title="Settings"
      actions={
        <Button pending={pending} disabled={isSame} onClick={save}>
          Save
        </Button>
      }
    >
      <div className="fields measure">
        <PostalAddress
          value={typed.postalAddress}
          onChange={(postalAddress) => set({ postalAddress })}
        />
        <Choices state={state} typed={typed} set={set} />
        <Reports state={state} secret={secret} onSecret={setSecret} />
      </div>
    </Card>
  );
}

interface ChoicesProps {
  readonly state: LettersState;
  readonly typed: Settings;
  readonly set: (change: Partial<Settings>) => void;
}

function Choices({ state, typed, set }: ChoicesProps) {
  const id = useId();
  return (
    <>
      <Switch
        label="Ask new subscribers to confirm"
        note={
          state.hasMail && state.hasAddress
            ? "They get an email with a button, so nobody can be signed up by someone else."
            : "Requires email setup and the site's public URL (SITE_URL). Until then, new subscribers are active right away."
        }
        on={typed.doubleOptIn}
        onChange={(doubleOptIn) => set({ doubleOptIn })}
      />
      <Switch
        label="Send a welcome email"
        on={typed.welcome}
        onChange={(welcome) => set({ welcome })}
      />
      {typed.welcome && (
        <FieldFrame
          id={`${id}-welcome`}
          label="Welcome email"
          hint="Leave empty to send a one-sentence welcome."
          limit={{ text: typed.welcomeText, most: 2000, isCounted: true }}
        >
          <textarea
            id={`${id}-welcome`}
            rows={4}
            aria-describedby={`${id}-welcome-note`}
            value={typed.welcomeText}
            onChange={({ target }) => set({ welcomeText: target.value })}
          />
        </FieldFrame>
      )}
      <Switch
        label="Show newsletters on the site"
        note="Sent newsletters can appear in a public archive. You choose which ones."
        on={typed.archive}
        onChange={(archive) => set({ archive })}
      />
    </>
  );
}

interface ReportsProps {
  readonly state: LettersState;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
}

/** How the provider reports bounces and complaints. */
function Reports({ state, secret, onSecret }: ReportsProps) {
  const id = useId();
  return (
    <>
      {state.reports !== null && (
        <FieldFrame
          id={`${id}-reports`}
          label="Bounce webhook URL"
          hint="Add this URL as a webhook for bounces and complaints at your email provider. Addresses that bounce are then skipped."
        >
          <input
            id={`${id}-reports`}
            readOnly
            aria-describedby={`${id}-reports-note`}
            value={state.reports}
          />
        </FieldFrame>
      )}
      {state.hasReportSecret !== null && (
        <FieldFrame
          id={`${id}-secret`}
          label="Signing secret of the webhook"
          hint={
            state.hasReportSecret
              ? "Saved, but not shown here. Leave empty to keep the current one."
              : "Your provider shows it next to the webhook. Without it, reports are ignored."
          }
        >
          <PasswordInput
            id={`${id}-secret`}
            aria-describedby={`${id}-secret-note`}
            autoComplete="off"
            value={secret}
            onChange={onSecret}
          />
        </FieldFrame>
      )}
    </>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly note?: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A switch with its explanation below. */
export function Switch({ label, note, on, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <Toggle label={label} note={note && id} on={on} onChange={onChange} />
      {note && (
        <p id={id} className="field-hint">
          {note}
        </p>
      )}
    </div>
  );
}
