/** The page for a forgotten password: requests a link, or sets the new password with one. */
import { useNavigate } from "@tanstack/react-router";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { useState } from "react";
import { call } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { TextField } from "../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../ui/Form.tsx";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";

export function ForgottenPassword() {
  const token = useLinkToken();
  return token === null ? <RequestLink /> : <WithLink token={token} />;
}

function BackToLogin() {
  return (
    <a className="stage-back small quiet" href="/admin/login">
      <ChevronLeft size={14} aria-hidden="true" /> Back to login
    </a>
  );
}

function RequestLink() {
  const [isSent, setIsSent] = useState(false);
  const form = useForm(useValues({ login: "" }), {
    save: async (body) => {
      await call("/api/auth/forgotten", { method: "POST", body });
      setIsSent(true);
    },
    failure: "We couldn't send the link. Try again.",
    failsAt: "login",
  });
  if (isSent)
    return (
      <Stage
        title="Check your inbox"
        note="If this account exists, a link is being sent to its email address. It works once, within 30 minutes."
        foot={<BackToLogin />}
      >
        <Button onClick={() => setIsSent(false)}>Use a different username or email</Button>
      </Stage>
    );
  return (
    <Stage
      title="Forgot your password?"
      note="We'll email you a link to choose a new one."
      foot={<BackToLogin />}
    >
      <Form of={form}>
        <TextField
          name="login"
          label="Username or email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Submit pendingLabel="Sending...">Send reset link</Submit>
      </Form>
    </Stage>
  );
}

function WithLink({ token }: { readonly token: string }) {
  return (
    <OneTimeLink<{ username: string }>
      token={token}
      path="/api/auth/forgotten/link"
      title="Choose a new password"
    >
      {({ username }) => (
        <Stage
          title="Choose a new password"
          note={`For ${username}. You'll be logged out on all other devices.`}
        >
          <NewPassword token={token} username={username} />
        </Stage>
      )}
    </OneTimeLink>
  );
}

function NewPassword({ token, username }: { readonly token: string; readonly username: string }) {
  const navigate = useNavigate();
  const form = useForm(useValues({ newPassword: "" }), {
    save: async (typed) => {
      const body = { token, ...typed };
      await call("/api/auth/forgotten/password", { method: "POST", body });
      await navigate({ to: "/admin/login", replace: true });
    },
    success: "Password saved. Log in with your new password.",
    failure: "Couldn't save the password. Try again.",
    failsAt: "newPassword",
  });
  return (
    <Form of={form}>
      {/* For password managers: the user whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <NewPasswordField name="newPassword" label="New password" />
      <Submit pendingLabel="Saving...">Save password</Submit>
    </Form>
  );
}
