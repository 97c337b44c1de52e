/** The user's credentials: username, email address and password. */
import { type CurrentUser, MIN_PASSWORD_LENGTH } from "../../../../schema/people/accounts.ts";
import { PasswordField, TextField } from "../../../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../../../ui/Form.tsx";
import { api } from "../../data/client.ts";
import { rememberUser, useCurrentUser } from "../../data/session.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Card } from "../../parts/Card.tsx";

export function ProfileAndPassword() {
  const { value: user } = useCurrentUser();
  return (
    <>
      {user && <Profile user={user} />}
      <ChangePassword />
    </>
  );
}

const FORM = { key: "users", part: "profile", name: "Profile" } as const;

function Profile({ user: { username, email } }: { user: CurrentUser }) {
  const typed = useUnsentForm(FORM, { username, email });
  const form = useForm(typed, {
    save: async (answers) => {
      rememberUser(await api.post<CurrentUser>("/api/auth/profile", answers));
      typed.forget();
    },
    success: "Profile saved",
    failure: "Couldn't save the profile",
    failsAt: "username",
  });
  const plain = { autoCapitalize: "none", spellCheck: false };
  return (
    <Card title="Profile" note="You can log in with either one.">
      <Form of={form}>
        <TextField name="username" label="Username" autoComplete="username" {...plain} />
        <TextField
          name="email"
          label="Email address"
          type="email"
          autoComplete="email"
          {...plain}
        />
        <div className="actions">
          {/* Primary once something is typed, to mark one of the two forms. */}
          <Submit
            variant={typed.isTyped ? "primary" : "neutral"}
            disabled={!typed.isTyped}
            pendingLabel="Saving..."
          >
            Save
          </Submit>
        </div>
      </Form>
    </Card>
  );
}

const NONE = { currentPassword: "", newPassword: "" };

/** Ends all other sessions. */
function ChangePassword() {
  const passwords = useValues(NONE);
  const form = useForm(passwords, {
    save: async (typed) => {
      await api.post("/api/auth/password", typed);
      passwords.set(NONE);
    },
    success: "Password changed. You've been logged out on all other devices.",
    failure: "Couldn't change the password",
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
        <div className="actions">
          <Submit variant={isTyped ? "primary" : "neutral"} pendingLabel="Changing...">
            Change password
          </Submit>
        </div>
      </Form>
    </Card>
  );
}
