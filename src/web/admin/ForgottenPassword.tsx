/** The page for a forgotten password: sends a link by email. Opened by that link, it sets a new password. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callApi } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../ui/Form.tsx";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { BackLink, StandalonePage, UsernameField } from "./frame/StandalonePage.tsx";

export function ForgottenPassword() {
  const token = useLinkToken();
  return token === null ? <RequestLinkForm /> : <NewPasswordByLink token={token} />;
}

function RequestLinkForm() {
  const [isSent, setIsSent] = useState(false);
  const form = useForm(useFormValues({ login: "" }), {
    save: async (body) => {
      await callApi("/api/auth/forgotten", { method: "POST", body });
      setIsSent(true);
    },
    failure: "We couldn't send the link. Try again.",
    failureField: "login",
  });
  const backLink = <BackLink href="/admin/login" label="Back to login" />;
  if (isSent)
    return (
      <StandalonePage
        title="Check your inbox"
        note="If this account exists, a link is being sent to its email address. The link works once, within 30 minutes."
        footer={backLink}
      >
        <Button onClick={() => setIsSent(false)}>Use a different username or email</Button>
      </StandalonePage>
    );
  return (
    <StandalonePage
      title="Forgot your password?"
      note="We'll email you a link to choose a new one."
      footer={backLink}
    >
      <Form form={form}>
        <UsernameField name="login" label="Username or email" />
        <SubmitButton pendingLabel="Sending...">Send reset link</SubmitButton>
      </Form>
    </StandalonePage>
  );
}

function NewPasswordByLink({ token }: { readonly token: string }) {
  return (
    <OneTimeLink<{ username: string }>
      token={token}
      path="/api/auth/forgotten/link"
      title="Choose a new password"
    >
      {({ username }) => (
        <StandalonePage
          title="Choose a new password"
          note={`For ${username}. You'll be logged out on all other devices.`}
        >
          <NewPasswordForm token={token} username={username} />
        </StandalonePage>
      )}
    </OneTimeLink>
  );
}

function NewPasswordForm({
  token,
  username,
}: {
  readonly token: string;
  readonly username: string;
}) {
  const navigate = useNavigate();
  const form = useForm(useFormValues({ newPassword: "" }), {
    save: async (values) => {
      const body = { token, ...values };
      await callApi("/api/auth/forgotten/password", { method: "POST", body });
      await navigate({ to: "/admin/login", replace: true });
    },
    success: "Password saved. Log in with your new password.",
    failure: "Couldn't save the password. Try again.",
    failureField: "newPassword",
  });
  return (
    <Form form={form}>
      {/* Tells password managers which user the new password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <NewPasswordField name="newPassword" label="New password" />
      <SubmitButton pendingLabel="Saving...">Save password</SubmitButton>
    </Form>
  );
}
