/** Another password; it ends every other session (security.md). */
import { type FormEvent, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/accounts.ts";
import { call, CallFailed } from "../../api.ts";
import { Button } from "../../ui/Button.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { withSession } from "../queries/session.ts";
import { failureWords, toastSuccess } from "../queries/toasts.ts";
import { PasswordInput } from "./PasswordInput.tsx";

/** Renders the form. */
export function ChangePassword({ onDone }: { onDone: () => void }) {
  const [passwords, setPasswords] = useState({ currentPassword: "", newPassword: "" });
  const [wrong, setWrong] = useState<Partial<typeof passwords>>({});
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setWrong({});
    try {
      const options = { method: "POST", body: passwords } as const;
      await withSession(() => call("/api/auth/password", options));
      toastSuccess("Password changed. Other devices are logged out.");
      onDone();
    } catch (error) {
      setWrong(wrongFields(error));
      setPending(false);
    }
  };
  const field = (name: keyof typeof passwords, label: string, complete: string, hint?: string) => (
    <FieldFrame id={name} label={label} hint={hint} error={wrong[name]}>
      <PasswordInput
        id={name}
        autoComplete={complete}
        aria-describedby={`${name}-note`}
        aria-invalid={wrong[name] !== undefined || undefined}
        value={passwords[name]}
        disabled={pending}
        onChange={(value) => setPasswords({ ...passwords, [name]: value })}
      />
    </FieldFrame>
  );
  return (
    <form className="fields" onSubmit={(event) => void submit(event)} noValidate>
      {field("currentPassword", "Current password", "current-password")}
      {field("newPassword", "New password", "new-password", LENGTH_HINT)}
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Changing..." : "Change password"}
        </Button>
      </div>
    </form>
  );
}

const LENGTH_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;

function wrongFields(error: unknown): Partial<Record<"currentPassword" | "newPassword", string>> {
  const fields = error instanceof CallFailed ? error.body.fields : undefined;
  return fields ?? { newPassword: failureWords(error, "The password could not be changed.") };
}
