/** Another password; it ends every other session. */
import { MIN_PASSWORD_LENGTH } from "../../../../schema/accounts.ts";
import { Form, PasswordField, Submit, useForm, useValues } from "../../../ui/Form.tsx";
import { api } from "../../data/client.ts";
import { Card } from "../../parts/Card.tsx";

const NONE = { currentPassword: "", newPassword: "" };

export function ChangePassword() {
  const passwords = useValues(NONE);
  const form = useForm(passwords, {
    save: async (typed) => {
      await api.post("/api/auth/password", typed);
      passwords.set(NONE);
    },
    success: "Password changed. Other devices are logged out.",
    failure: "The password couldn't be changed.",
    failsAt: "newPassword",
  });
  const isTyped = Object.values(form.values).some(Boolean);
  return (
    <Card title="Change password">
      <Form of={form}>
        <PasswordField name="currentPassword" label="Current password" />
        <PasswordField
          name="newPassword"
          label="New password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          autoComplete="new-password"
        />
        <div className="dialog-actions">
          <Submit variant={isTyped ? "primary" : "neutral"} words="Changing...">
            Change password
          </Submit>
        </div>
      </Form>
    </Card>
  );
}
