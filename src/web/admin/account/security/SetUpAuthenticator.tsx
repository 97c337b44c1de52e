/** Turns on an authenticator app: scan, then enter its code. */
import { CopyButton } from "../../../ui/CopyButton.tsx";
import X from "lucide-react/icons/x";
import type { DrawnQr } from "../../../../schema/api/drawnQr.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { api } from "../../data/client.ts";
import { Card } from "../../parts/Card.tsx";
import { QrCodeImage } from "../../parts/QrCodeImage.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

export interface AuthenticatorSetup {
  readonly secret: string;
  readonly address: string;
  readonly qr: DrawnQr;
}

interface SetUpProps {
  readonly begun: AuthenticatorSetup;
  readonly onCancel: () => void;
  /** `codes` are the recovery codes, which the server returns only once. */
  readonly onConfirmed: (codes: readonly string[]) => void;
}

export function SetUpAuthenticator({ begun, onCancel, onConfirmed }: SetUpProps) {
  const { secret, address, qr } = begun;
  const form = useForm(useFormValues({ code: "" }), {
    save: async (typed) => {
      const path = "/api/auth/authenticator/confirm";
      onConfirmed((await api.post<{ recoveryCodes: string[] }>(path, typed)).recoveryCodes);
    },
    failure: "Couldn't check the code. Try again.",
    failureField: "code",
  });
  return (
    <Card
      title="Set up an authenticator app"
      actions={<IconButton icon={X} label="Cancel setup" onClick={onCancel} />}
    >
      <Form form={form} className="authenticator gap-16 split">
        <QrCodeImage code={qr} label="QR code for the authenticator app" />
        <div className="fields">
          <div>
            <h4>1. Scan this code with your authenticator app</h4>
            <p className="quiet">
              Can't scan? <a href={address}>Open the app on this device</a>, or enter the key in the
              app.
            </p>
          </div>
          <CopyButton
            label="Copy the key"
            text={secret}
            shown={secret.replaceAll(/.{4}(?=.)/g, "$& ")}
          />
          <TextField
            name="code"
            label="2. Enter the 6-digit code"
            hint="It changes every 30 seconds."
            className="six-figures"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        </div>
        <div className="actions">
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton disabled={form.values.code.replaceAll(/\D/g, "").length !== 6}>
            Turn on
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
