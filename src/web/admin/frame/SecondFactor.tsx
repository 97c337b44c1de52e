/** The second factor of a login: a code, a recovery code or a passkey; and a passkey alone. */
import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { toastError } from "../../ui/messages.ts";
import { hasPasskeys, logInWithPasskey, passkeyAnswer, passkeyFailure } from "../data/passkeys.ts";
import { logIn } from "../data/session.ts";
import { usePending } from "../data/usePending.ts";
import { FieldFrame } from "../parts/FieldFrame.tsx";

/** The password that was right, and what comes after. */
export interface SecondFactorProps {
  readonly username: string;
  readonly password: string;
  readonly onLoggedIn: () => void | Promise<void>;
}

export function SecondFactorForm({ username, password, onLoggedIn }: SecondFactorProps) {
  const [code, setCode] = useState("");
  const [isRecovery, setIsRecovery] = useState(false);
  const [error, setError] = useState<string>();
  const [pending, run] = usePending();
  const input = useRef<HTMLInputElement>(null);
  // The step appears in place of the password, whose field had the focus.
  useEffect(() => input.current?.focus(), []);
  const goOn = async (more: () => Promise<object>) => {
    setError(undefined);
    try {
      await logIn(username.trim(), password, await more());
      await onLoggedIn();
    } catch (failure) {
      setError(passkeyFailure(failure) ?? "The passkey wasn't used.");
      input.current?.focus();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(() => goOn(async () => ({ code })));
  };
  const change = () => {
    setIsRecovery(!isRecovery);
    setCode("");
    setError(undefined);
    input.current?.focus();
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
      <FieldFrame
        id="second-factor"
        label={isRecovery ? "Recovery code" : "Code"}
        hint={isRecovery ? "One of those that you have kept." : "From your authenticator app."}
        error={error}
        urgent
      >
        <input
          id="second-factor"
          ref={input}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={isRecovery ? "text" : "numeric"}
          aria-describedby="second-factor-note"
          aria-invalid={error !== undefined || undefined}
          value={code}
          readOnly={pending}
          onChange={({ target }) => setCode(target.value)}
        />
      </FieldFrame>
      <Button variant="primary" type="submit" pending={pending} disabled={code.trim() === ""}>
        {pending ? "Checking..." : "Continue"}
      </Button>
      {hasPasskeys() && (
        <Button
          disabled={pending}
          onClick={() =>
            void run(() => goOn(async () => ({ passkey: await passkeyAnswer(false) })))
          }
        >
          <Fingerprint size={16} aria-hidden="true" /> Use a passkey
        </Button>
      )}
      <Button variant="quiet" disabled={pending} onClick={change}>
        {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
      </Button>
    </form>
  );
}

export interface PasskeyButtonProps {
  readonly onLoggedIn: () => void | Promise<void>;
}

/** Nothing in a browser without passkeys. */
export function PasskeyButton({ onLoggedIn }: PasskeyButtonProps) {
  const [pending, run] = usePending();
  if (!hasPasskeys()) return null;
  const use = async () => {
    try {
      await logInWithPasskey();
      await onLoggedIn();
    } catch (failure) {
      const words = passkeyFailure(failure);
      if (words) toastError(words);
    }
  };
  return (
    <Button pending={pending} onClick={() => void run(use)}>
      <Fingerprint size={16} aria-hidden="true" />
      {pending ? "Waiting for the passkey..." : "Log in with a passkey"}
    </Button>
  );
}
