/** Another password; it ends every other session. */
import { type FormEvent, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/accounts.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { failureWords, toastSuccess } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { Card } from "../parts/Card.tsx";
import { FieldFrame, PasswordInput } from "../parts/FieldFrame.tsx";

export function ChangePassword() {
  const [passwords, setPasswords] = useState(NONE);
  const [wrong, setWrong] = useState<Partial<typeof passwords>>({});
  const [pending, run] = usePending();
  const isTyped = Object.values(passwords).some(Boolean);
  const change = async () => {
    setWrong({});
    try {
      await api.post("/api/auth/password", passwords);
      toastSuccess("Password changed. Other devices are logged out.");
      setPasswords(NONE);
    } catch (error) {
      setWrong(wrongFields(error));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(change);
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
    <Card title="Change password">
      <form className="fields" onSubmit={submit} noValidate>
        {field("currentPassword", "Current password", "current-password")}
        {field("newPassword", "New password", "new-password", LENGTH_HINT)}
        <div className="dialog-actions">
          <Button variant={isTyped ? "primary" : "neutral"} type="submit" pending={pending}>
            {pending ? "Changing..." : "Change password"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

const NONE = { currentPassword: "", newPassword: "" };
const LENGTH_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;

function wrongFields(error: unknown): Partial<Record<"currentPassword" | "newPassword", string>> {
  const fields = error instanceof CallFailed ? error.body.fields : undefined;
  return fields ?? { newPassword: failureWords(error, "The password couldn't be changed.") };
}
