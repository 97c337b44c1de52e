/** What the account is called: the username and the email address, which log in. */
import { type FormEvent, useState } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { failureWords, toastSuccess } from "../../ui/messages.ts";
import { rememberUser, useCurrentUser } from "../data/session.ts";
import { usePending } from "../data/usePending.ts";
import { useTyped } from "../data/useTyped.ts";
import { Card } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
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

type Answers = Record<"username" | "email", string>;

const PLACE = { key: "users", part: "profile", name: "Profile" } as const;

function Profile({ user }: { user: CurrentUser }) {
  const { username, email } = user;
  const form = useTyped<Answers>(PLACE, { username, email });
  const answers = form.values;
  const [wrong, setWrong] = useState<Partial<Answers>>({});
  const [pending, run] = usePending();
  const save = async () => {
    setWrong({});
    try {
      rememberUser(await api.post<CurrentUser>("/api/auth/profile", answers));
      form.forget();
      toastSuccess("Profile saved");
    } catch (error) {
      const fields = error instanceof CallFailed ? error.body.fields : undefined;
      setWrong(fields ?? { username: failureWords(error, "The profile couldn't be saved.") });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  const field = (name: keyof Answers, label: string) => (
    <FieldFrame id={`profile-${name}`} label={label} error={wrong[name]}>
      <input
        id={`profile-${name}`}
        type={name === "email" ? "email" : "text"}
        autoComplete={name}
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={`profile-${name}-note`}
        aria-invalid={wrong[name] !== undefined || undefined}
        value={answers[name]}
        disabled={pending}
        onChange={({ target }) => form.set({ [name]: target.value })}
      />
    </FieldFrame>
  );
  return (
    <Card title="Profile" note="either of them logs in">
      <form className="fields" onSubmit={submit} noValidate>
        {field("username", "Username")}
        {field("email", "Email")}
        <div className="dialog-actions">
          {/* The next step is blue: of two forms the one that is filled in. */}
          <Button
            variant={form.isTyped ? "primary" : "neutral"}
            type="submit"
            pending={pending}
            disabled={!form.isTyped}
          >
            {pending ? "Saving..." : "Save"}
          </Button>
        </div>
      </form>
    </Card>
  );
}
