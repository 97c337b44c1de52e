/** The authenticator app and the recovery codes. */
import { Row, Rows } from "../../../ui/Row.tsx";
import LifeBuoy from "lucide-react/icons/life-buoy";
import QrCode from "lucide-react/icons/qr-code";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { refreshSecurity, type SecurityState } from "./security.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import { CheckboxField } from "../../parts/ChoiceFields.tsx";
import { useCopyToClipboard, CopyButton } from "../../../ui/CopyButton.tsx";
import X from "lucide-react/icons/x";
import type { DrawnQr } from "../../../../schema/api/drawnQr.ts";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { QrCodeImage } from "../../parts/QrCodeImage.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

/** The view that replaces the cards: a setup in progress, or new recovery codes. */
type AuthenticatorView =
  { readonly setup: AuthenticatorSetup } | { readonly codes: readonly string[] } | undefined;

export function Authenticator({ state }: { state: SecurityState }) {
  const [view, setView] = useState<AuthenticatorView>();
  const finish = () => {
    setView(undefined);
    void refreshSecurity();
  };
  if (view && "setup" in view)
    return (
      <AuthenticatorSetupForm
        setup={view.setup}
        onCancel={() => setView(undefined)}
        onConfirmed={(codes) => setView({ codes })}
      />
    );
  if (view) return <NewRecoveryCodes codes={view.codes} onDone={finish} />;
  return (
    <>
      <AuthenticatorCard state={state} onStarted={(setup) => setView({ setup })} />
      {(state.recoveryCodes ?? (state.isRequired && state.passkeys.length > 0)) && (
        <RecoveryCodesCard codes={state.recoveryCodes} onCreated={(codes) => setView({ codes })} />
      )}
    </>
  );
}

interface AuthenticatorCardProps {
  readonly state: SecurityState;
  readonly onStarted: (setup: AuthenticatorSetup) => void;
}

function AuthenticatorCard({ state: { authenticator }, onStarted }: AuthenticatorCardProps) {
  const [isStarting, startSetup] = useAction(
    async () => onStarted(await api.post<AuthenticatorSetup>("/api/auth/authenticator")),
    { failure: "Couldn't start setup" },
  );
  const [askToTurnOff, dialog] = useConfirmation(() => api.delete("/api/auth/authenticator"), {
    success: "Authenticator app turned off",
    failure: "Couldn't turn off the authenticator app",
    onSettled: refreshSecurity,
  });
  return (
    <Card title="Authenticator app" note="a 6-digit code after your password" isFlush>
      <Rows>
        <Row
          icon={<QrCode size={18} aria-hidden="true" />}
          title={authenticator ? "On" : "Off"}
          note={
            authenticator
              ? `On since ${formatRelativeDateTimeInSentence(authenticator.confirmedAt)}`
              : "Works offline, with any authenticator app"
          }
        >
          {authenticator && <Badge tone="ok">On</Badge>}
          {authenticator ? (
            <Button onClick={askToTurnOff}>Turn off</Button>
          ) : (
            <Button isPending={isStarting} onClick={startSetup}>
              Set up
            </Button>
          )}
        </Row>
      </Rows>
      <ConfirmDialog {...dialog} title="Turn off the authenticator app?" confirmLabel="Turn off">
        <p>You won't be asked for its codes at login, and your recovery codes will stop working.</p>
      </ConfirmDialog>
    </Card>
  );
}

interface RecoveryCodesCardProps {
  readonly codes: SecurityState["recoveryCodes"];
  readonly onCreated: (codes: readonly string[]) => void;
}

function RecoveryCodesCard({ codes, onCreated }: RecoveryCodesCardProps) {
  const [isPending, createCodes] = useAction(
    async () => {
      const { recoveryCodes } = await api.post<{ recoveryCodes: string[] }>(
        "/api/auth/recovery-codes",
      );
      onCreated(recoveryCodes);
    },
    { failure: "Couldn't create recovery codes" },
  );
  return (
    <Card title="Recovery codes" note="in case you lose your phone" isFlush>
      <Rows>
        <Row
          icon={<LifeBuoy size={18} aria-hidden="true" />}
          title={codes ? `${codes.left} of ${codes.of} left` : "None yet"}
          note={
            codes
              ? `Created ${formatRelativeDateTimeInSentence(codes.madeAt)}. Each code works once.`
              : "Without a recovery code, losing your passkey locks you out."
          }
        >
          {codes && codes.left < 3 && <Badge tone="warn">Running low</Badge>}
          <Button isPending={isPending} onClick={createCodes}>
            {codes ? "Create new codes" : "Create codes"}
          </Button>
        </Row>
      </Rows>
    </Card>
  );
}

interface NewRecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

function NewRecoveryCodes({ codes, onDone }: NewRecoveryCodesProps) {
  const [isSaved, setIsSaved] = useState(false);
  const text = codes.join("\n");
  const [isCopied, copy] = useCopyToClipboard(text);
  return (
    <Card title="Save your recovery codes" note="shown once" className="recovery-codes">
      <p className="quiet">If you lose your phone, each code logs you in once.</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="cluster">
        <Button onClick={copy}>
          <Copy size={16} aria-hidden="true" /> {isCopied ? "Copied" : "Copy"}
        </Button>
        <a
          className="ui-button"
          data-variant="neutral"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
        >
          <Download size={16} aria-hidden="true" /> Download
        </a>
        <Button onClick={() => window.print()}>
          <Printer size={16} aria-hidden="true" /> Print
        </Button>
      </div>
      <div className="mt-12">
        <CheckboxField
          state={{ value: isSaved, setValue: setIsSaved }}
          label="I've saved them somewhere I can get to without my phone"
        />
      </div>
      <div className="actions">
        <Button variant="primary" disabled={!isSaved} onClick={onDone}>
          Done
        </Button>
      </div>
    </Card>
  );
}

interface AuthenticatorSetup {
  readonly secret: string;
  readonly address: string;
  readonly qr: DrawnQr;
}

interface AuthenticatorSetupFormProps {
  readonly setup: AuthenticatorSetup;
  readonly onCancel: () => void;
  /** Receives the recovery codes, which the server returns only once. */
  readonly onConfirmed: (codes: readonly string[]) => void;
}

function AuthenticatorSetupForm({ setup, onCancel, onConfirmed }: AuthenticatorSetupFormProps) {
  const { secret, address, qr } = setup;
  const form = useForm(useFormValues({ code: "" }), {
    save: async (values) => {
      const path = "/api/auth/authenticator/confirm";
      onConfirmed((await api.post<{ recoveryCodes: string[] }>(path, values)).recoveryCodes);
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
            displayText={secret.replaceAll(/.{4}(?=.)/g, "$& ")}
          />
          <TextField
            name="code"
            label="2. Enter the 6-digit code"
            hint="The code changes every 30 seconds."
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
