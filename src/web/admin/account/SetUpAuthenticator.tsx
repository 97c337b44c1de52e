/** Turning an authenticator app on: scan, type what it shows. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { failureWords } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { Card } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { useCopied } from "../parts/useCopied.ts";

/** As POST /api/auth/authenticator returns it. */
export interface Begun {
  readonly secret: string;
  readonly address: string;
  /** A path in a view box of `size` by `size`. */
  readonly qr: { readonly size: number; readonly path: string };
}

interface SetUpProps {
  readonly begun: Begun;
  readonly onCancel: () => void;
  /** With the recovery codes, which are shown once. */
  readonly onConfirmed: (codes: readonly string[]) => void;
}

export function SetUpAuthenticator({ begun, onCancel, onConfirmed }: SetUpProps) {
  const { secret, address, qr } = begun;
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [pending, run] = usePending();
  const confirm = async () => {
    setError(undefined);
    try {
      const path = "/api/auth/authenticator/confirm";
      onConfirmed((await api.post<{ recoveryCodes: string[] }>(path, { code })).recoveryCodes);
    } catch (failure) {
      setError(failureWords(failure, "The code couldn't be checked."));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(confirm);
  };
  return (
    <Card
      title="Set up an authenticator app"
      actions={<IconButton icon={X} label="Cancel the set-up" onClick={onCancel} />}
    >
      <form className="authenticator" onSubmit={submit} noValidate>
        <svg
          className="qr"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label="QR code for the authenticator app"
        >
          <path d={qr.path} />
        </svg>
        <div className="fields">
          <div>
            <h4>1. Scan this with the app</h4>
            <p className="quiet">
              On this phone? <a href={address}>Open the app</a>, or type the key.
            </p>
          </div>
          <CopiedKey secret={secret} />
          <FieldFrame
            id="authenticator-code"
            label="2. Type the six figures it shows"
            hint="It changes every 30 seconds."
            error={error}
          >
            <input
              id="authenticator-code"
              className="six-figures"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              aria-describedby="authenticator-code-note"
              aria-invalid={error !== undefined || undefined}
              value={code}
              disabled={pending}
              onChange={({ target }) => setCode(target.value)}
            />
          </FieldFrame>
        </div>
        <div className="dialog-actions">
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            pending={pending}
            disabled={code.replaceAll(/\D/g, "").length !== 6}
          >
            Turn on
          </Button>
        </div>
      </form>
    </Card>
  );
}

function CopiedKey({ secret }: { secret: string }) {
  const [copied, copy] = useCopied(secret);
  return (
    <p className="authenticator-key">
      <code>{secret.replaceAll(/.{4}(?=.)/g, "$& ")}</code>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? "Copied" : "Copy the key"}
        onClick={copy}
      />
    </p>
  );
}
