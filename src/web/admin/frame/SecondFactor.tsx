/** The second step of a login (a code, a recovery code or a passkey), and the login with only a passkey. */
import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../ui/Form.tsx";
import { useAction } from "../../ui/useAction.ts";
import {
  arePasskeysSupported,
  logInWithPasskey,
  requestPasskeyResponse,
  describePasskeyFailure,
} from "../account/security/passkeys.ts";
import { logIn } from "../data/session.ts";

/** The username and the password, which the server has already accepted. */
export interface SecondFactorFormProps {
  readonly username: string;
  readonly password: string;
  readonly onLoggedIn: () => void | Promise<void>;
}

export function SecondFactorForm({ username, password, onLoggedIn }: SecondFactorFormProps) {
  const [isRecoveryCode, setIsRecoveryCode] = useState(false);
  const formValues = useFormValues({ code: "" });
  const verify = async (secondFactor: object) => {
    await logIn(username.trim(), password, secondFactor);
    await onLoggedIn();
  };
  const form = useForm(formValues, { save: verify, failure: "Login failed", failureField: "code" });
  const [isWaitingForPasskey, verifyPasskey] = useAction(
    async () => verify({ passkey: await requestPasskeyResponse(false) }),
    {
      failure: (error) =>
        describePasskeyFailure(error) ?? "Couldn't log in with the passkey. Try again.",
    },
  );
  const switchCodeKind = () => {
    setIsRecoveryCode(!isRecoveryCode);
    form.setValues({ code: "" });
  };
  return (
    <Form form={form}>
      <TextField
        // A new key creates a new input, which gets the focus.
        key={String(isRecoveryCode)}
        ref={focusInput}
        name="code"
        label={isRecoveryCode ? "Recovery code" : "6-digit code"}
        hint={isRecoveryCode ? "One of the codes you saved." : "From your authenticator app."}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={isRecoveryCode ? "text" : "numeric"}
      />
      <SubmitButton
        disabled={isWaitingForPasskey || form.values.code.trim() === ""}
        pendingLabel="Checking..."
      >
        Continue
      </SubmitButton>
      {arePasskeysSupported() && (
        <Button disabled={form.isPending} isPending={isWaitingForPasskey} onClick={verifyPasskey}>
          <Fingerprint size={16} aria-hidden="true" /> Use a passkey
        </Button>
      )}
      <Button
        variant="quiet"
        disabled={form.isPending || isWaitingForPasskey}
        onClick={switchCodeKind}
      >
        {isRecoveryCode ? "Use an authenticator app" : "Use a recovery code"}
      </Button>
    </Form>
  );
}

const focusInput = (input: HTMLInputElement | null) => input?.focus();

export interface PasskeyButtonProps {
  readonly onLoggedIn: () => void | Promise<void>;
}

/** Renders nothing if the browser doesn't support passkeys. */
export function PasskeyButton({ onLoggedIn }: PasskeyButtonProps) {
  const [isPending, startLogin] = useAction(
    async () => {
      await logInWithPasskey();
      await onLoggedIn();
    },
    {
      failure: (error) => describePasskeyFailure(error) ?? "",
      showFailure: (reason) => reason === "",
    },
  );
  if (!arePasskeysSupported()) return null;
  return (
    <Button isPending={isPending} onClick={startLogin}>
      <Fingerprint size={16} aria-hidden="true" />
      {isPending ? "Waiting for the passkey..." : "Log in with a passkey"}
    </Button>
  );
}
