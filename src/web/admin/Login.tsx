/** The login screen, at /admin and /admin/login. */
import { Navigate, useNavigate } from "@tanstack/react-router";
import { memo } from "react";
import { PasswordField } from "../ui/Field.tsx";
import { Form, SubmitButton } from "../ui/Form.tsx";
import { toastSuccess } from "../ui/messages.ts";
import { describeRefusal, useLogin, useLoginState } from "./data/session.ts";
import { ForgottenPasswordLink, PasskeyLogin, LazySecondFactor } from "./frame/loginMethods.tsx";
import { BackLink, StandalonePage, UsernameField } from "./frame/StandalonePage.tsx";

export function Login() {
  const { data, error } = useLoginState();
  if (data?.isLoggedIn) return <Navigate to="/admin/dashboard" replace />;
  // The server refuses logins over an unencrypted connection. The page shows this before a password is typed.
  const refusal = describeRefusal(error);
  return (
    <StandalonePage
      title="Welcome back"
      note={refusal ?? "Log in to edit your site."}
      footer={<BackLink href="/" label="Back to site" />}
    >
      {!refusal && <LoginForm />}
      {data?.isSetUp === false && <NotSetUpMessage />}
    </StandalonePage>
  );
}

function NotSetUpMessage() {
  return (
    <p className="quiet small" role="note">
      This site isn't set up yet. Open the setup link from the server log: it's printed when the
      site starts.
    </p>
  );
}

/** Memoized, since a new render would empty fields that the browser filled in without sending an event. */
const LoginForm = memo(function LoginForm() {
  const navigate = useNavigate();
  const onLoggedIn = () => {
    toastSuccess("Logged in successfully");
    return navigate({ to: "/admin/dashboard" });
  };
  const { form, isSecondFactorNeeded } = useLogin({ onLoggedIn });
  if (isSecondFactorNeeded) return <LazySecondFactor {...form.values} onLoggedIn={onLoggedIn} />;
  return (
    <Form form={form}>
      <UsernameField name="username" label="Username or email" disabled={form.isPending} />
      <PasswordField name="password" label="Password" disabled={form.isPending} />
      <SubmitButton pendingLabel="Logging in...">Login</SubmitButton>
      <PasskeyLogin onLoggedIn={onLoggedIn} />
      <ForgottenPasswordLink />
    </Form>
  );
});
