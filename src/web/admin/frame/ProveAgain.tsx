/** Some calls ask for the password once more; then they go on. */
import { useSignals } from "@preact/signals-react/runtime";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { proofWait, type Wait } from "../data/client.ts";
import { failureWords } from "../../ui/messages.ts";
import { provePassword } from "../data/proof.ts";
import { usePending } from "../data/usePending.ts";
import { FieldFrame, PasswordInput } from "../parts/FieldFrame.tsx";

/** Open while a call waits for the password. */
export function ProveAgain() {
  useSignals();
  const wait = proofWait.value;
  return (
    <Dialog
      open={wait !== null}
      onClose={() => wait?.giveUp()}
      title="Confirm it's you"
      size="small"
    >
      {wait && <PasswordForm {...wait} />}
    </Dialog>
  );
}

function PasswordForm({ resume, giveUp }: Wait) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [pending, run] = usePending();
  const prove = async () => {
    setError(undefined);
    try {
      await provePassword(password);
      resume();
    } catch (failure) {
      setError(failureWords(failure, "The password couldn't be checked."));
      document.getElementById("proof-password")?.focus();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(prove);
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
      <p className="quiet">
        This needs your password, so that nobody else can do it on a device that you left open.
      </p>
      <FieldFrame id="proof-password" label="Password" error={error} urgent>
        <PasswordInput
          id="proof-password"
          autoComplete="current-password"
          value={password}
          readOnly={pending}
          onChange={setPassword}
          aria-describedby="proof-password-note"
          aria-invalid={error !== undefined || undefined}
          data-autofocus
        />
      </FieldFrame>
      <div className="dialog-actions">
        <Button variant="quiet" onClick={giveUp}>
          Not now
        </Button>
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Checking..." : "Confirm"}
        </Button>
      </div>
    </form>
  );
}
