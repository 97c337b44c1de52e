/** The login screen, at /admin and /admin/login. */
import { Navigate, useNavigate } from "@tanstack/react-router";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { PasswordField, TextField } from "../ui/Field.tsx";
import { Form, Submit } from "../ui/Form.tsx";
import { toastSuccess } from "../ui/messages.ts";
import { refusalMessage, useLogin, useLoginState } from "./data/session.ts";
import { ForgottenLink, PasskeyLogin, SecondFactor } from "./frame/moreThanPassword.tsx";
import { Stage } from "./frame/Stage.tsx";

/** Users who are logged in are redirected to the dashboard. */
export function Login() {
  const { data, error } = useLoginState();
  if (data?.isLoggedIn) return <Navigate to="/admin/dashboard" replace />;
  // Shown before a password is typed, which this address would send unencrypted.
  const refused = refusalMessage(error);
  return (
    <Stage title="Welcome back" note={refused ?? "Log in to edit your site."} foot={<BackToSite />}>
      {!refused && <LoginForm />}
      {data?.isSetUp === false && <NotSetUp />}
    </Stage>
  );
}

/** For owners who try to set up the site here. */
function NotSetUp() {
  return (
    <p className="quiet small" role="note">
      This site isn't set up yet. Open the setup link from the server log: it's printed when the
      site starts.
    </p>
  );
}

function BackToSite() {
  return (
    <a className="stage-back small quiet" href="/">
      <ChevronLeft size={14} aria-hidden="true" /> Back to site
    </a>
  );
}

function LoginForm() {
  const navigate = useNavigate();
  const onLoggedIn = () => {
    toastSuccess("Logged in successfully");
    return navigate({ to: "/admin/dashboard" });
  };
  const { form, wantsMore } = useLogin({ onLoggedIn });
  if (wantsMore) return <SecondFactor {...form.values} onLoggedIn={onLoggedIn} />;
  return (
    <Form of={form}>
      <TextField
        name="username"
        label="Username or email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        disabled={form.pending}
      />
      <PasswordField name="password" label="Password" disabled={form.pending} />
      <Submit pendingLabel="Logging in...">Login</Submit>
      <PasskeyLogin onLoggedIn={onLoggedIn} />
      <ForgottenLink />
    </Form>
  );
}
