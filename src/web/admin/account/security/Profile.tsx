/** What the account is called: the username and the email address, which log in. */
import type { CurrentUser } from "../../../../schema/accounts.ts";
import { Form, Submit, TextField, useForm } from "../../../ui/Form.tsx";
import { api } from "../../data/client.ts";
import { rememberUser, useCurrentUser } from "../../data/session.ts";
import { useTyped } from "../../data/useTyped.ts";
import { Card } from "../../parts/Card.tsx";
import { ChangePassword } from "./ChangePassword.tsx";

export function ProfileAndPassword() {
  const { data: user } = useCurrentUser();
  return (
    <>
      {user && <Profile user={user} />}
      <ChangePassword />
    </>
  );
}

const PLACE = { key: "users", part: "profile", name: "Profile" } as const;

function Profile({ user: { username, email } }: { user: CurrentUser }) {
  const typed = useTyped(PLACE, { username, email });
  const form = useForm(typed, {
    save: async (answers) => {
      rememberUser(await api.post<CurrentUser>("/api/auth/profile", answers));
      typed.forget();
    },
    success: "Profile saved",
    failure: "The profile couldn't be saved.",
    failsAt: "username",
  });
  const plain = { autoCapitalize: "none", spellCheck: false };
  return (
    <Card title="Profile" note="either of them logs in">
      <Form of={form}>
        <TextField name="username" label="Username" autoComplete="username" {...plain} />
        <TextField name="email" label="Email" type="email" autoComplete="email" {...plain} />
        <div className="dialog-actions">
          {/* The next step is blue: of two forms the one that is filled in. */}
          <Submit
            variant={typed.isTyped ? "primary" : "neutral"}
            disabled={!typed.isTyped}
            words="Saving..."
          >
            Save
          </Submit>
        </div>
      </Form>
    </Card>
  );
}
