/** The user's credentials: username, email address and password. */
import { type CurrentUser, MIN_PASSWORD_LENGTH } from "../../../../schema/people/accounts.ts";
import { PasswordField, TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { api } from "../../data/client.ts";
import { setCurrentUser, useCurrentUser } from "../../data/session.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Card } from "../../parts/Card.tsx";

export function ProfileAndPassword() {
  const { value: user } = useCurrentUser();
  return (
    <>
      {user && <Profile user={user} />}
      <ChangePasswordCard />
    </>
  );
}

const PROFILE_FORM = { key: "users", part: "profile", label: "Profile" } as const;

function Profile({ user: { username, email } }: { user: CurrentUser }) {
  const unsentForm = useUnsentForm(PROFILE_FORM, { username, email });
  const form = useForm(unsentForm, {
    save: async (profile) => {
      setCurrentUser(await api.post<CurrentUser>("/api/auth/profile", profile));
      unsentForm.discard();
    },
    success: "Profile saved",
    failure: "Couldn't save the profile",
    failureField: "username",
  });
  const noCorrectionProps = { autoCapitalize: "none", spellCheck: false };
  return (
    <Card title="Profile" note="You can log in with your username or your email address.">
      <Form form={form}>
        <TextField
          name="username"
          label="Username"
          autoComplete="username"
          {...noCorrectionProps}
        />
        <TextField
          name="email"
          label="Email address"
          type="email"
          autoComplete="email"
          {...noCorrectionProps}
        />
        <div className="actions">
          {/* The screen has two forms. Only the form being edited has a primary button. */}
          <SubmitButton
            variant={unsentForm.isUnsaved ? "primary" : "neutral"}
            disabled={!unsentForm.isUnsaved}
            pendingLabel="Saving..."
          >
            Save
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

const EMPTY_PASSWORDS = { currentPassword: "", newPassword: "" };

function ChangePasswordCard() {
  const passwords = useFormValues(EMPTY_PASSWORDS);
  const form = useForm(passwords, {
    save: async (values) => {
      await api.post("/api/auth/password", values);
      passwords.setValues(EMPTY_PASSWORDS);
    },
    success: "Password changed. You've been logged out on all other devices.",
    failure: "Couldn't change the password",
    failureField: "newPassword",
  });
  const hasInput = Object.values(form.values).some(Boolean);
  return (
    <Card title="Change password">
      <Form form={form}>
        <PasswordField name="currentPassword" label="Current password" />
        <PasswordField
          name="newPassword"
          label="New password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          autoComplete="new-password"
        />
        <div className="actions">
          <SubmitButton variant={hasInput ? "primary" : "neutral"} pendingLabel="Changing...">
            Change password
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
